"""Which files the program's own code is in, as far as it was loaded when it became ready, or ended before that: starts are compared only
with starts of the same code."""

import sys

from firststep_agent import kinds
from firststep_agent.ownership import FRAMEWORKS, GENERATED, is_programs_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.on_ready(lambda: _tell(run))
    run.on_exit(lambda: _tell(run) if run.ready_ns is None else None)


def _tell(run: "Any") -> None:
    run.recorder.record("code", sorted({file for file in map(_file_of, list(sys.modules.items())) if file}))


def _file_of(entry: "tuple[Any, Any]") -> "str | None":
    name, module = entry
    if type(name) is not str or name.partition(".")[0] in FRAMEWORKS:  # most are: the program waits for this
        return None
    if name.startswith(GENERATED) or not kinds.is_a(module, type(sys)):
        return None
    filename = kinds.own(module).get("__file__")
    return filename if type(filename) is str and filename.startswith("/") and is_programs_file(filename) else None
