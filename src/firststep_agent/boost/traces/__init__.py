"""A trace that is under way, whichever remedy watches it: what it says, whether a second one would be seen."""
