"""`python -m firststep.cli`: the command without the console script."""

from firststep.cli import main

main()
