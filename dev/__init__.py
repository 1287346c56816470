"""Development only: the stand-in for Lumo's servers, its brain, the demo home."""
