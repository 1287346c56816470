"""A real Home Assistant in a process of its own, and the stand-in in another."""
