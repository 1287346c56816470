"""Tests of the tools of our own."""
