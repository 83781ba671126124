"""`FIRSTSTEP=off`: the program runs as if nobody had named firststep."""

from __future__ import annotations

from firststep import exit_codes
from firststep.errors import FirststepError
from firststep.switch import is_off


def refuse_if_off() -> None:
    """For verbs that do nothing but measure. Raises FirststepError."""
    if is_off():
        raise FirststepError("nothing can be measured", "FIRSTSTEP=off is set", "unset FIRSTSTEP", exit_codes.USAGE)
