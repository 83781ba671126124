"""Nothing moves: seen from outside, by the CPU time of the program and its children, and told from what the agent wrote last.

From outside, because a thread that waits inside native code may keep Python's lock: then no thread of the agent runs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from firststep.launch import kernel
from firststep.launch.parts import files
from firststep.launch.started import children

if TYPE_CHECKING:
    from firststep.launch.part import Part

AFTER_S = 10.0  # without movement
MOVES = 0.025  # seconds of CPU in a second: threads that only poll stay below
LOOK_EVERY_S = 2.0
MOST = 4  # members of a cluster, or threads, that are named
WAITS = ("cluster-wait", "network", "runtime-init", "data-first-element")  # kinds of spans


class Stall:
    """Looks at one program, now and then. told: once, until something moves again."""

    def __init__(self, pid: int, parts: Path) -> None:
        self._pid = pid
        self._parts = parts
        self._looked = self._since = time.monotonic()
        self._spent = 0.0
        self._told = False

    def look(self) -> str | None:
        """What the program waits for, in a sentence, where nothing has moved for AFTER_S; else None."""
        now = time.monotonic()
        passed = now - self._looked
        if passed < LOOK_EVERY_S:
            return None
        self._looked = now
        spent = _cpu_s(self._pid)
        moved, self._spent = spent - self._spent > MOVES * passed, spent
        if moved:
            self._since, self._told = now, False
        if self._told or now - self._since < AFTER_S:
            return None
        self._told = True
        where = "; ".join(dict.fromkeys(waits(self._parts))) or "no Python process is watched"
        return f"nothing has moved for {now - self._since:.0f} s: {where}"


def _cpu_s(pid: int) -> float:
    """Of the process and its children, those that ended included, without asking about any other process of the machine."""
    total, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
            waiting += children(one)
        except (OSError, ValueError, IndexError):
            continue
    return total / os.sysconf("SC_CLK_TCK")


def waits(parts: Path) -> Iterator[str]:
    """What each process was last seen in, and its threads: the innermost open span that names a wait, the user's line, the peer."""
    from firststep.launch.part import Part  # 10 ms, which no start waits for

    for path in files(parts):
        try:
            part = Part(path).read()
            yield _main_thread(part)
            yield from _other_threads(part)
        except (OSError, ValueError, LookupError, TypeError):
            continue  # cut short, or gone meanwhile


def _main_thread(part: Part) -> str:
    spans = [span for span in part.opened if span[0] in WAITS]
    cluster = any(span[0] == "cluster-wait" for span in spans)
    line = cluster and part.waits_at or part.line()
    words = [f"pid {part.pid}", f"is in {spans[-1][1]}" if spans else "", f"at {line}" if line else "",
             "" if cluster else kernel.waits(part.pid), f"for {_some(part.members)}" if cluster and part.members else ""]
    return " ".join(filter(None, words))


def _other_threads(part: Part) -> Iterator[str]:
    """Those with a line of the user's, or with a file, a peer or a child to wait for; pools that are idle say nothing."""
    for thread, name, stack in part.threads[:MOST]:
        line, waits_for = part.line(stack), kernel.waits(part.pid, thread)
        if line or "(" in waits_for:
            yield " ".join(filter(None, [f"thread {name}", f"at {line}" if line else "", waits_for]))


def _some(members: list[str]) -> str:
    return ", ".join(members[:MOST]) + (f" and {len(members) - MOST} more" if len(members) > MOST else "")
