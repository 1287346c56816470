"""What a tool call means: names, prompts, detection, arguments.

Knows nothing of Home Assistant and nothing of Lumo's wire: text and plain values in,
text and plain values out.
"""
