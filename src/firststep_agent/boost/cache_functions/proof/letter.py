"""What a child of the child tells, or is told: plain values, through memory that both share."""

import marshal

from firststep_agent.as_found import time
from firststep_agent.pythons_own import pythons_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

mmap = pythons_own("mmap")
_MOST = 1 << 26  # bytes of address space
_LENGTH = 8  # bytes
_REASON = 300  # characters of why something could not be told
_TICK_S = 0.002


class Letter:
    """One value, or why there is none. Made before the fork."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _MOST, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000))

    def tell(self, value: "Any") -> None:
        """Raises ValueError where it is too large."""
        self._write((value, ""))

    def tell_why_not(self, error: Exception) -> None:
        """What went wrong."""
        self._write((None, " ".join(f"{type(error).__name__}: {error}".split())[:_REASON]))

    def _write(self, what: "tuple[Any, str]") -> None:
        """The length last, so that all or nothing is there."""
        data = marshal.dumps(what)
        if len(data) > _MOST - _LENGTH:
            raise ValueError(f"{len(data)} bytes")
        self._memory[_LENGTH:_LENGTH + len(data)] = data
        self._memory[:_LENGTH] = len(data).to_bytes(_LENGTH, "little")

    def heard(self, state: str, is_over: "Callable[[], bool]" = lambda: False) -> "Any":
        """The value, once it is told. Raises RuntimeError where there is none; state: which it was to tell; is_over(): whether nobody will
        tell anything any more."""
        while not self._length() and not is_over():
            time.sleep(_TICK_S)
        length = self._length()
        value, why_not = marshal.loads(self._memory[_LENGTH:_LENGTH + length]) if length else (None, "")
        if value is None:
            raise RuntimeError(f"the state {state} could not be told" + (f" ({why_not})" if why_not else ""))
        return value

    def _length(self) -> int:
        return int.from_bytes(self._memory[:_LENGTH], "little")
