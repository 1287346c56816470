"""The gate under attack, and in everyday life, over a house that notes what it does."""
