"""The modules that the start needs, and their places, read from one file."""

import sys

from firststep_agent.boost.image import session
from firststep_agent.boost.store import Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID = "import-image"


def start(run: "Any", settings: "dict[str, Any]") -> None:
    begin(run, ID)


def begin(run: "Any", remedy: str) -> None:
    """Lets the image serve what `remedy` stands for, or says why it cannot."""
    if sys.flags.verbose:
        run.note(remedy, "refused", reason="python -v is to show Python's own imports")
        return
    try:
        session(run).serve(remedy)
    except Unsafe as error:
        run.note(remedy, "refused", reason=str(error))
