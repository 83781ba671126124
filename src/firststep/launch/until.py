"""What the user types after --until, as the plan's Until."""

from __future__ import annotations

import re

from firststep.errors import FirststepError
from firststep.model.plan import Until

FORMS = "first-step, step:N, predict, port:N, http:URL, line:REGEX, mark:NAME, exit"


def parse_until(text: str) -> Until:
    """Raises FirststepError where `text` is none of FORMS."""
    kind, _, value = text.partition(":")
    if kind in ("first-step", "predict", "exit") and not value:
        return Until(kind)
    if kind in ("step", "port") and value.isdigit() and int(value) > 0:
        return Until(kind, int(value))
    if kind == "http" and value:
        return Until(kind, value if value.startswith(("http:", "https:")) else text)
    if kind == "mark" and value:
        return Until(kind, value)
    if kind == "line" and value:
        try:
            re.compile(value)
        except re.error as error:
            raise FirststepError(f"--until {text}: not a regular expression", str(error), f"one of: {FORMS}", 2) from error
        return Until(kind, value)
    raise FirststepError(f"--until {text} is not understood", "", f"one of: {FORMS}", 2)
