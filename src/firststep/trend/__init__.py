"""How the starts of programs went over time: lists, plots and the moments at which something changed."""
