"""What lasts longer than an answer and a person is told of: Home Assistant's repairs."""
