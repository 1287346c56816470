"""A client of Proton's Lumo assistant. Knows nothing of Home Assistant."""
