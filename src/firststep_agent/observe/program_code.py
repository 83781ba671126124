"""Which files the program's own code is in, as far as it was loaded when it became ready, or ended before that: starts are compared only
with starts of the same code."""

import sys

from firststep_agent import kinds
from firststep_agent.beside import pieces
from firststep_agent.ownership import FRAMEWORKS, GENERATED, is_programs_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from firststep_agent.recorder import Recorder

PIECE = 100  # modules that are looked at together, in some 0.3 ms


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.tell_beside(lambda: _told(run.recorder, list(sys.modules)))


def _told(recorder: "Recorder", names: "list[Any]") -> "Iterator[None]":
    """A work to be done beside the program. names: those of all modules."""
    found: set[str | None] = set()
    for some in pieces(names, PIECE):
        found.update(map(_file_of, some))
        yield
    recorder.record("code", sorted(filter(None, found)))


def _file_of(name: object) -> "str | None":
    if type(name) is not str or name.partition(".")[0] in FRAMEWORKS or name.startswith(GENERATED):
        return None
    module = sys.modules.get(name)
    if not kinds.is_a(module, type(sys)):
        return None
    filename = kinds.file_of(module)
    return filename if filename is not None and filename.startswith("/") and is_programs_file(filename) else None
