"""What a model writes, as an ear understands it. Nothing here knows Home Assistant."""
