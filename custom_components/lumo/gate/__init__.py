"""The gate: what a call does, whether it may, and what came of it."""
