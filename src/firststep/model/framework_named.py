"""What the program's own source says of the frameworks that it imports, as the trace's header tells it."""

NOWHERE = "nowhere"  # nothing that the program calls names one
PERHAPS = "perhaps"  # a function of it does, or not all of its source is known
USED = "used"  # what runs as its files are imported does
WORDS = (NOWHERE, PERHAPS, USED)

OTHERS = ("torch", "jax")  # frameworks that nothing is watched of: only the source tells
