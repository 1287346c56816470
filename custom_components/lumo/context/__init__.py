"""What the model is told of the home this time: a choice among all that there is."""
