"""What needs a whole turn happens on the red team's stage."""

from tests.redteam.fixtures import *  # noqa: F403

from .judged_home import home  # noqa: F401
