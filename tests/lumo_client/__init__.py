"""Tests of the client of Lumo."""
