"""Tests of the tool calling room."""
