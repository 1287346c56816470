"""From sound to speech, through a pipeline."""
