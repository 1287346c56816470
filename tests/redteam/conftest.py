"""Attacks happen on the stage."""

from .fixtures import *  # noqa: F403
