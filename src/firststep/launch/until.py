"""What the user types after --until, as the plan's Until."""

from __future__ import annotations

import re

from firststep.errors import FirststepError
from firststep.model.plan import Until

HIGHEST = {"step": 10**9, "port": 65535}
FORMS = "first-step, step:N, predict, port:N, http:URL, line:REGEX, mark:NAME, exit"


def parse_until(text: str) -> Until:
    """Raises FirststepError where `text` is none of FORMS."""
    kind, _, value = text.partition(":")
    if kind in ("first-step", "predict", "exit") and not value:
        return Until(kind)
    if kind in ("step", "port") and value.isdecimal() and 0 < int(value) <= HIGHEST[kind]:
        return Until(kind, int(value))
    if kind in ("http", "https") and (url := _url(text)):
        return Until("http", url)
    if kind == "mark" and value:
        return Until(kind, value)
    if kind == "line" and value:
        try:
            re.compile(value)
        except re.error as error:
            raise FirststepError(f"--until {text}: not a regular expression", str(error), f"one of: {FORMS}", 2) from error
        return Until(kind, value)
    raise FirststepError(f"--until {text} is not understood", "", f"one of: {FORMS}", 2)


def _url(text: str) -> str | None:
    """The address in `http:URL`, `http://host/path` or `http:host/path`; None where no host is named."""
    from urllib.parse import urlsplit

    value = text.partition(":")[2]
    if value.startswith(("http://", "https://")):
        text = value
    elif "://" in value:
        return None
    elif not value.startswith("//"):
        text = f"http://{value}"
    try:
        return text if urlsplit(text).hostname else None
    except ValueError:
        return None
