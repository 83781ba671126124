"""TensorFlow's profiler, trace events

`HOST.trace.json.gz`, the profile as Chrome's trace events, which TensorFlow writes beside the XSpace, or earlier versions alone. It
counts in microseconds from the session's start and does not say when that was; the XSpace of the same name beside it does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from firststep.model.profile import EVENT
from firststep.profiles import xplane
from firststep.profiles.clocks import Zero
from firststep.profiles.file import GZIP, contents
from firststep.profiles.gather import Gather
from firststep.profiles.limits import LATEST, NAME, VALUES
from firststep.profiles.source import UnreadableProfile

HEAD = (GZIP, b"{")
ENDING = ".trace.json.gz"


@contextmanager
def opened(path: Path) -> Iterator[Events]:
    """The events in `path`. Raises UnreadableProfile."""
    data = contents(path)
    if sum(map(data.count, (b",", b"[", b"{"))) > VALUES:
        raise UnreadableProfile("it holds more events than can be shown", "profile fewer steps")
    try:
        document = json.loads(data)
    except RecursionError as error:
        raise UnreadableProfile("its JSON is nested too deeply") from error
    except ValueError as error:
        raise UnreadableProfile("its JSON is damaged", "copy it again") from error
    events = document.get("traceEvents") if isinstance(document, dict) else None
    if not isinstance(events, list):
        raise UnreadableProfile("it has no trace events", "name HOST.trace.json.gz, or HOST.xplane.pb, below LOGDIR/plugins/profile")
    yield Events([one for one in events if isinstance(one, dict)], _beside(path))


class Events:
    """One profile."""

    profiler = "TensorFlow profiler"
    pids: frozenset[int] = frozenset()  # what it calls one numbers devices

    def __init__(self, events: list[dict[str, Any]], began: int | None) -> None:
        self._events = events
        self.zero = Zero(began, by_call=True)

    def read(self, gather: Gather) -> None:
        """Every complete event."""
        processes = {_whole(one.get("pid")): _name_in(one) for one in self._events if one.get("name") == "process_name"}
        threads = {(_whole(one.get("pid")), _whole(one.get("tid"))): _name_in(one) for one in self._events
                   if one.get("name") == "thread_name"}
        for one in self._events:
            if one.get("ph") == "X":
                self._event(one, processes, threads, gather)

    def _event(self, one: dict[str, Any], processes: dict[int, str], threads: dict[tuple[int, int], str], gather: Gather) -> None:
        start, length, name = _ns(one.get("ts")), _ns(one.get("dur", 0)), one.get("name")
        if start is None or length is None:
            gather.odd += 1
            return
        pid, tid = _whole(one.get("pid")), _whole(one.get("tid"))
        track = f"{processes.get(pid) or pid}, {threads.get((pid, tid)) or f'thread {tid}'}"
        gather.add(track, EVENT, name if isinstance(name, str) and name else "unnamed", start, start + length)


def _beside(path: Path) -> int | None:
    """The time of day at which the session began, as the XSpace of the same name says it."""
    if not path.name.endswith(ENDING):
        return None
    try:
        with xplane.opened(path.with_name(path.name.removesuffix(ENDING) + xplane.ENDING)) as space:
            return space.zero.time_of_day
    except (OSError, UnreadableProfile):
        return None


def _name_in(one: dict[str, Any]) -> str:
    said = one.get("args")
    name = said.get("name") if isinstance(said, dict) else None
    return name[:NAME] if isinstance(name, str) else ""


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and abs(value) < LATEST else 0


def _ns(microseconds: Any) -> int | None:
    """Nanoseconds; None for what is no time."""
    if isinstance(microseconds, bool) or not isinstance(microseconds, (int, float)) or not abs(microseconds) < LATEST:
        return None
    return int(microseconds * 1000)
