"""The development harness, as far as it can be tested without starting anything."""
