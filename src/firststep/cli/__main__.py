"""`python -m firststep.cli`, or this file itself: the command without the installed script."""

import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))  # isolated, Python may not know it

from firststep.cli import main  # noqa: E402

main()
