"""`FIRSTSTEP=off`: the program runs as if nobody had named firststep."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # the module `typing` would cost each start 10 ms
if TYPE_CHECKING:
    from collections.abc import Mapping

OFF = ("off", "0", "no", "false")  # in whatever case; also of FIRSTSTEP_HISTORY


def is_off(environment: Mapping[str, str] = os.environ, variable: str = "FIRSTSTEP") -> bool:
    """Whether the user has switched it off there."""
    return environment.get(variable, "").lower() in OFF
