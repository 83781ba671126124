"""Cells of a notebook: which number each has, and its source, for their lines stand in no file."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST, LINES = 500, 2000  # cells, lines of each
LONGEST = 200  # characters of a line


def watch(run: "Any") -> None:
    """Where the program is a kernel of Jupyter, or IPython itself: what it compiled is written down at ready and at the end."""
    state = {"known": 0}

    def record():
        if "IPython" in sys.modules:
            _record(run, state)

    run.on_ready(record)
    run.on_exit(record)


def _record(run: "Any", state: "dict[str, int]") -> None:
    """IPython names each cell's code; its compiler knows the number, and `linecache` the lines (IPython 7.21 to 9)."""
    shell = getattr(sys.modules.get("IPython.core.interactiveshell"), "InteractiveShell", None)
    compiler = getattr(getattr(shell, "_instance", None), "compile", None)
    numbers = getattr(compiler, "_filename_map", None)
    lines_of = getattr(sys.modules.get("linecache"), "cache", {})
    for file, number in list((numbers or {}).items())[state["known"] : MOST]:
        state["known"] += 1
        known = lines_of.get(file)
        if isinstance(number, int) and known is not None and len(known) > 2:
            run.recorder.record("cell", str(file), number, [line.rstrip("\n")[:LONGEST] for line in known[2][:LINES]])
