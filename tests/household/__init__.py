"""What a household says, through a real Home Assistant, with a scripted model."""
