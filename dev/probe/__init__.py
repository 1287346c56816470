"""Ask the real service what we assume of it: `questions`, `assumptions`, the report."""
