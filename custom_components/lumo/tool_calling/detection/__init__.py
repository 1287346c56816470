"""Find tool calls in the text of an answer while it streams."""
