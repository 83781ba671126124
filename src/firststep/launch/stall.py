"""Nothing moves: seen from outside, by the CPU time of the program and its children, and told from what the agent wrote last.

From outside, because a thread that waits inside native code may keep Python's lock: then no thread of the agent runs.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firststep.launch.parts import files, open_part

AFTER_S = 10.0  # without movement
MOVES_S = 0.25  # of CPU time in that time: threads that only poll stay below
LOOK_EVERY_S = 2.0
TAIL = 262_144  # bytes of a part that are looked at for what was under way
MOST = 4  # members of a cluster that are named
LIBRARY = ("site-packages", "dist-packages", "<frozen", "/lib/python")


class Stall:
    """Looks at one program, now and then. told: once, until something moves again."""

    def __init__(self, pid: int, parts: Path) -> None:
        self._pid = pid
        self._parts = parts
        self._looked = 0.0
        self._since = time.monotonic()
        self._spent = 0.0
        self._told = False

    def look(self) -> str | None:
        """What the program waits for, in a sentence, where nothing has moved for AFTER_S; else None."""
        now = time.monotonic()
        if now - self._looked < LOOK_EVERY_S:
            return None
        self._looked = now
        spent = _cpu_s(self._pid)
        if spent - self._spent > MOVES_S:
            self._spent, self._since, self._told = spent, now, False
        if self._told or now - self._since < AFTER_S:
            return None
        self._told = True
        where = "; ".join(dict.fromkeys(waits(self._parts))) or "no Python process is watched"
        return f"nothing has moved for {now - self._since:.0f} s: {where}"


def _cpu_s(pid: int) -> float:
    """Of the process and its children, without asking about any other process of the machine."""
    total, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
            for children in Path(f"/proc/{one}/task").glob("*/children"):
                waiting += map(int, children.read_text().split())
        except (OSError, ValueError, IndexError):
            continue
    return total / os.sysconf("SC_CLK_TCK")


def waits(folder: Path) -> Iterator[str]:
    """What each process's main thread was last seen in: the innermost open span that names a wait, and the user's line."""
    for part in files(folder):
        try:
            yield _wait(part)
        except (OSError, ValueError, IndexError, KeyError):
            continue


def _wait(part: Path) -> str:
    with open_part(part) as file:
        header = json.loads(file.readline())
        frames, stacks = _table(file.read())
        size = file.tell()
        file.seek(max(0, size - TAIL))
        records = list(_records(file.read()))
    opened = [record for record in records if record[0] == "o"]
    samples = [record for record in records if record[0] == "p"]
    spans = [span for record in opened[-1:] for span in record[3]]
    pid = int(header["pid"])
    words = [f"pid {pid}"]
    waiting = [span for span in spans if span[0] in ("cluster-wait", "network", "runtime-init", "data-first-element")]
    if waiting:
        words.append(f"is in {waiting[-1][1]}")
    line = _line(stacks.get(samples[-1][2], ()) if samples else (), frames)
    if line:
        words.append(f"at {line}")
    if not any(span[0] == "cluster-wait" for span in spans):
        words.append(_kernel(pid))
    members = [member for record in records if record[0] == "m" and record[2] == "waits-for" for member in record[3]["members"]]
    if members and any(span[0] == "cluster-wait" for span in spans):
        more = f" and {len(members) - MOST} more" if len(members) > MOST else ""
        words.append("for " + ", ".join(members[:MOST]) + more)
    return " ".join(word for word in words if word)


def _table(data: bytes) -> tuple[dict[int, list[Any]], dict[int, list[int]]]:
    frames, stacks = {}, {}
    for record in _records(data, (b'["f"', b'["k"')):
        if record[0] == "f":
            frames[record[1]] = record[2:]
        else:
            stacks[record[1]] = record[2]
    return frames, stacks


def _records(data: bytes, wanted: tuple[bytes, ...] = (b'["o"', b'["p"', b'["m"')) -> Iterator[list[Any]]:
    for line in data.split(b"\n"):
        if line.startswith(wanted):
            try:
                yield json.loads(line)
            except ValueError:
                continue  # cut short: it is being written


def _line(stack: Any, frames: dict[int, list[Any]]) -> str:
    """The innermost frame outside of libraries, as file:line."""
    for number in reversed(list(stack)):
        file, _, _, line = frames[number]
        if not file.startswith("<") and not any(part in file for part in LIBRARY):
            return f"{os.path.basename(file)}:{line}"
    return ""


CALLS = {"futex": "for another thread", "poll": "for the network", "ep_poll": "for the network", "do_select": "for the network",
         "wait": "for the network", "hrtimer": "asleep", "do_wait": "for a child process", "pipe": "for a pipe",
         "inet": "for the network", "unix": "for another process", "io_schedule": "for the disk"}


def _kernel(pid: int) -> str:
    """What the kernel says that the main thread waits for."""
    try:
        channel = Path(f"/proc/{pid}/wchan").read_text()
    except OSError:
        return ""
    return next((f"waiting {words}" if words != "asleep" else words for name, words in CALLS.items() if name in channel), "")

