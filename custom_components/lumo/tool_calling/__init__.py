"""What a tool call means: names, prompts, detection, arguments. No Home Assistant."""
