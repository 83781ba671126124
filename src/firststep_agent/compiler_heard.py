"""Whether Python's compiler warned of a module's source, whatever becomes of the warning.

Python compiles a module of which it may keep no bytecode in each start, and warns in each. The module's code out of a file would
say nothing.
"""

import _warnings
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Texts(list):
    """Stands where a filter has its pattern for a warning's text, and matches none."""

    match = list.append


class CompilerHeard:
    """A context manager; `texts`: of the warnings of any thread meanwhile. Nothing of the program's runs in it but what shows them."""

    def __init__(self) -> None:
        self.texts = _Texts()
        self._filter = ("default", self.texts, Warning, None, 0)

    def __enter__(self) -> "CompilerHeard":
        filters = getattr(sys.modules.get("warnings"), "filters", _warnings.filters)
        self._filters: list[Any] = filters if type(filters) is list else []
        self._filters.insert(0, self._filter)
        return self

    def __exit__(self, *error: "Any") -> None:
        for at, one in enumerate(self._filters):
            if one is self._filter:
                del self._filters[at]
                break
