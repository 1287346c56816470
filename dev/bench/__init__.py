"""Benchmarks: each prints a table, none asserts on seconds."""
