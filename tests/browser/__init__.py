"""What a person sees: the real frontend in a browser, on a real Home Assistant."""
