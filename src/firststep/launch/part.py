"""What one process of a start has written so far, read while it goes on writing."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firststep.launch.parts import LARGEST, open_part
from firststep.model import limits
from firststep.model.ownership import USER, Ownership
from firststep.model.read_trace import NotATrace, check_header

WANTED = (b'["o"', b'["p"', b'["m"', b'["f"', b'["k"', b'["w"', b'["s","trace"')


class Part:
    """One process's part. opened: spans of the main thread that were open when it was last written, [kind, name, start];
    runs: whether the main thread had, or wanted, a CPU when it was looked at last; traced: how often each function was traced;
    by_xla: functions that XLA compiles; members: of a cluster that is waited for; threads: those beside the main
    thread, as they were when nothing had moved for long, [native id, name, stack]."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = 0
        self._frames: dict[int, list[Any]] = {}
        self._stacks: dict[int, list[int]] = {}
        self._stack = -1
        self.header: Mapping[str, Any] = {}
        self._owners: Ownership | None = None
        self.opened: list[list[Any]] = []
        self.runs = False
        self.traced: Counter[str] = Counter()
        self.by_xla: set[str] = set()
        self.members: list[str] = []
        self._waits_at = ""
        self.threads: list[list[Any]] = []

    def read(self) -> Part:
        """Takes in what has been written since. Raises OSError or ValueError where it cannot be read, or is no part of a trace."""
        with open_part(self._path) as file:
            file.seek(self._at)
            data = file.read(LARGEST)
        whole = data.rpartition(b"\n")[0]
        self._at += len(whole) + bool(whole)
        lines = whole.split(b"\n")
        if not self.header and whole:
            self.header = _header(lines[0])
            self._owners = Ownership(self.header)
        for record in _records(lines):
            self._take(record)
        return self

    def _take(self, record: list[Any]) -> None:
        kind = record[0]
        if kind == "p":
            self._stack, self.opened, self.runs = record[2], [], record[3] == "R"  # what is open is written after the samples
        elif kind == "o" and record[2] == self.header.get("thread", record[2]):
            self.opened = record[3]
        elif kind == "f":
            self._frames[record[1]] = record[2:]
        elif kind == "k":
            self._stacks[record[1]] = record[2]
        elif kind == "s":
            self.traced[record[2]] += 1
            labels = record[6] if len(record) > 6 else {}
            if labels.get("xla"):
                self.by_xla.add(str(labels.get("function")))
        elif kind == "w":
            self.threads = record[2]
        elif kind == "m" and record[2] == "waits-for":
            self.members, self._waits_at = record[3]["members"], str(record[3].get("line", ""))

    @property
    def waits_at(self) -> str:
        """The user's line that waits for the members: no sample is taken in between where Python's lock is kept meanwhile."""
        return os.path.basename(self._waits_at)

    @property
    def pid(self) -> int:
        """Of the process."""
        return int(self.header["pid"])

    def line(self, stack: int | None = None) -> str:
        """The innermost frame of the user's, as file:line; of the main thread, or of a stack. Empty where there is none."""
        for number in reversed(self._stacks.get(self._stack if stack is None else stack, ())):
            file, _, _, line = self._frames[number]
            if self._owners is not None and self._owners.of(file).kind == USER:
                return f"{os.path.basename(file)}:{line}"
        return ""


def _header(line: bytes) -> Mapping[str, Any]:
    header = _value(line)
    try:
        check_header(header)
    except NotATrace as error:
        raise ValueError(str(error)) from error
    found: Mapping[str, Any] = header
    return found


def _records(lines: list[bytes]) -> Iterator[list[Any]]:
    for line in lines:
        if line.startswith(WANTED):
            record = _value(line)
            if limits.known(record[0], record[1:]):
                yield record


def _value(line: bytes) -> Any:
    if len(line) > limits.LINE:
        raise ValueError("it is longer than any record")
    try:
        return json.loads(line)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def numbered(path: Path) -> int:
    """The moment at which a part was begun, which its name ends with."""
    return int(path.stem.rpartition("-")[2])
