"""The program that a verb is given, and what is said where there is none."""

from __future__ import annotations

from firststep import exit_codes
from firststep.errors import FirststepError

# what comes after the program's name is the program's, with or without `--`
OWN_OPTIONS_FIRST = {"allow_interspersed_args": False}


def program(words: tuple[str, ...], verb: str) -> list[str]:
    """The program's words. Raises FirststepError where there are none."""
    if not words:
        raise FirststepError("no program is named", "", f"firststep {verb} -- python train.py", exit_codes.USAGE)
    return list(words)
