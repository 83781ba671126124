"""How much machine code was compiled while the program runs, as XLA does for a CPU: the kernel lists it among the process's memory."""

from firststep_agent.observe.cgroups import lines_of
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def compiled() -> "int | None":
    """Bytes of executable memory that come from no file and can be written no more, as LLVM leaves it (oneDNN's, on the way of a plain
    operation, can be written); None where the kernel does not say. It takes some milliseconds: nobody asks
    where XLA compiles nothing."""
    try:
        return sum(map(_size, lines_of("/proc/self/maps")))
    except (OSError, ValueError, IndexError) as error:
        if is_theirs(error):
            raise
        return None


def _size(line: str) -> int:
    """`7f5c180d4000-7f5c180d6000 r-xp 00000000 00:00 0`, and then the file's name, or `[vdso]`."""
    place, rights, _, _, number, *name = line.split(maxsplit=5)
    if rights != "r-xp" or number != "0" or name:
        return 0
    first, last = place.split("-")
    return int(last, 16) - int(first, 16)


def label() -> "dict[str, Any]":
    """{"machine_code": bytes by now}; empty where nobody tells."""
    found = compiled()
    return {} if found is None else {"machine_code": found}
