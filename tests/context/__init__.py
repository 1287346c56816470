"""Tests of what the model is told of the home."""
