"""What a start is doing right now, in a few words, from what its processes wrote last."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from firststep.launch.part import Part, numbered
from firststep.launch.parts import files
from firststep.model.words import plain_name

RECENT_S = 3.0  # a process that wrote within that time is at work
TIMES = ("", ", second time", ", third time")
WORDS = {  # by the kind of the innermost span that says something
    "trace": "tracing `{name}`{times}", "graph-optimise": "optimising the graph of `{name}`", "xla-compile": "compiling {name}",
    "first-call": "first execution of `{name}`", "first-execution": "first execution of `{name}`",
    "session-run-first": "first run of a session", "weights-load": "loading weights", "model-load": "loading a model",
    "checkpoint": "loading a checkpoint", "model-build": "building {name}", "optimizer-build": "building {name}",
    "variable": "making variables", "initialiser": "making variables",
    "data-first-element": "waiting for the first element of the data", "data-iterator": "preparing the data",
    "data-function": "preparing the data", "device-discovery": "looking for devices", "runtime-init": "looking for devices",
    "session-create": "making a session", "strategy": "setting up {name}", "cluster-wait": "waiting for other members of the cluster",
    "network": "waiting for the network",
}

AT_WORK = {"first-call": "optimising the graph of `{name}`", "session-run-first": "optimising the graph of a session"}
"""The same where the thread itself works: TensorFlow optimises on it, and then has it wait for what executes."""


class UnderWay:
    """Follows the parts of one start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: dict[Path, Part] = {}

    def words(self) -> str:
        """Empty where nothing is known yet, or a part cannot be read."""
        try:
            part = self._at_work()
            return _words(part) if part else ""
        except (OSError, ValueError, LookupError, TypeError):
            return ""

    def _at_work(self) -> Part | None:
        """Of the processes that wrote just now the one that began last; where none did, the one that wrote last."""
        written = {path: path.lstat().st_mtime for path in files(self._folder)}
        if not written:
            return None
        recent = [path for path, at in written.items() if time.time() - at < RECENT_S]
        path = max(recent, key=numbered) if recent else max(written, key=lambda one: written[one])
        return self._parts.setdefault(path, Part(path)).read()


def _words(part: Part) -> str:
    for kind, name, _ in reversed(part.opened):
        words = "compiling `{name}`" if name in part.by_xla and kind == "first-call" else AT_WORK.get(kind) if part.runs else None
        if kind in WORDS:
            return (words or WORDS[kind]).format(name=plain_name(str(name)), times=_times(part.traced[name]))
    imports: list[list[Any]] = [span for span in part.opened if span[0] == "import"]
    if imports:
        return f"importing {imports[0][1]}"
    line = part.line()
    return f"at {line}" if line else ""


def _times(before: int) -> str:
    return TIMES[before] if before < len(TIMES) else f", {before + 1}th time"
