"""Tests of the lumo integration, one folder a room."""
