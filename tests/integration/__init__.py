"""Tests of the Home Assistant files."""
