"""One turn of a conversation: between Home Assistant's chat log and Lumo."""
