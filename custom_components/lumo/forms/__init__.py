"""The forms of what an account can have several of: agents, AI tasks, speech to text."""
