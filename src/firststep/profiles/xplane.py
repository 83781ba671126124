"""TensorFlow's profiler, XSpace

`HOST.xplane.pb`, which `tf.profiler.experimental.stop` and the TensorBoard callback write below `LOGDIR/plugins/profile`: a protocol
buffer of planes (the host, a device) with lines (a thread, a stream) of events, by `tsl/profiler/protobuf/xplane.proto`. Events count
in picoseconds from the session's start, whose time of day newer versions note in the plane `Task Environment`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from firststep.model.profile import EVENT
from firststep.profiles.clocks import Zero
from firststep.profiles.file import contents
from firststep.profiles.gather import Gather
from firststep.profiles.limits import ENTRIES, EVENTS, LATEST, NAME
from firststep.profiles.protobuf import Malformed, Piece, fields, number, piece, text
from firststep.profiles.source import UnreadableProfile

HEAD = b"\n"  # the tag of an XSpace's first field
ENDING = ".xplane.pb"
ENVIRONMENT, BEGAN = "Task Environment", "profile_start_time"
METADATA = "/host:metadata"  # programs, not times
# numbers of fields
PLANES = 1
PLANE_NAME, LINES, EVENT_NAMES, STAT_NAMES, PLANE_STATS = 2, 3, 4, 5, 6
LINE_ID, LINE_NAME, LINE_AT, LINE_EVENTS, LINE_SHOWN = 1, 2, 3, 4, 11
OF_EVENT, OFFSET_PS, LENGTH_PS = 1, 2, 3
KEY, VALUE = 1, 2
NAME_NAME, NAME_SHOWN = 2, 4
STAT_OF, STAT_UINT64 = 1, 3


class _Plane(NamedTuple):
    name: str
    lines: list[Piece]
    names: list[Piece]
    stat_names: list[Piece]
    stats: list[Piece]


@contextmanager
def opened(path: Path) -> Iterator[Space]:
    """The XSpace in `path`. Raises UnreadableProfile, also while it is read."""
    data = contents(path)
    try:
        yield Space(data)
    except Malformed as error:
        raise UnreadableProfile(f"it is no XSpace: {error}", "copy it again; it is a file that ends in .xplane.pb") from error


class Space:
    """One XSpace."""

    profiler = "TensorFlow profiler"
    pids: frozenset[int] = frozenset()  # it does not say

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._entries = self._events = 0
        self._planes = [self._plane(piece(value)) for field, value in fields(data, (0, len(data))) if field == PLANES]
        if not self._planes:
            raise UnreadableProfile("it holds no plane of an XSpace", "name the .xplane.pb below LOGDIR/plugins/profile")
        self.zero = Zero(self._began(), by_call=True)

    def _plane(self, where: Piece) -> _Plane:
        plane = _Plane("", [], [], [], [])
        lists = {LINES: plane.lines, EVENT_NAMES: plane.names, STAT_NAMES: plane.stat_names, PLANE_STATS: plane.stats}
        name = ""
        self._entry()
        for field, value in fields(self._data, where):
            if field == PLANE_NAME:
                name = text(self._data, value, NAME)
            elif field in lists:
                self._entry()
                lists[field].append(piece(value))
        return plane._replace(name=name)

    def _entry(self) -> None:
        self._entries += 1
        if self._entries > ENTRIES:
            raise UnreadableProfile("it holds more names and threads than any program has", "profile fewer steps")

    def _began(self) -> int | None:
        for plane in self._planes:
            if plane.name == ENVIRONMENT:
                names = self._named(plane.stat_names)
                for where in plane.stats:
                    stat = dict(fields(self._data, where))
                    at = stat.get(STAT_UINT64)
                    if names.get(_plain(stat.get(STAT_OF))) == BEGAN and isinstance(at, int) and 0 < at < LATEST:
                        return at
        return None

    def _named(self, entries: list[Piece]) -> dict[int, str]:
        """A map from numbers to messages that have a name, and maybe another to show."""
        found = {}
        for where in entries:
            entry = dict(fields(self._data, where))
            said = dict(fields(self._data, piece(entry[VALUE]))) if VALUE in entry else {}
            shown = text(self._data, said.get(NAME_SHOWN, 0), NAME) or text(self._data, said.get(NAME_NAME, 0), NAME)
            found[_plain(entry.get(KEY))] = shown
        return found

    def read(self, gather: Gather) -> None:
        """Every event of every line."""
        for plane in self._planes:
            if plane.lines and plane.name not in (ENVIRONMENT, METADATA):
                names = self._named(plane.names)
                for where in plane.lines:
                    self._line(plane.name, names, where, gather)

    def _line(self, plane: str, names: dict[int, str], where: Piece, gather: Gather) -> None:
        name = shown = ""
        identity = at = 0
        events: list[Piece] = []
        for field, value in fields(self._data, where):
            if field == LINE_EVENTS:
                events.append(piece(value))
            elif field == LINE_NAME:
                name = text(self._data, value, NAME)
            elif field == LINE_SHOWN:
                shown = text(self._data, value, NAME)
            elif field == LINE_ID:
                identity = number(value)
            elif field == LINE_AT:
                at = number(value)
        self._events += len(events)
        if self._events > EVENTS:
            raise UnreadableProfile(f"it holds more than {EVENTS:,} events", "profile fewer steps")
        track = f"{plane}, {shown or name or f'line {identity}'}"
        for event in events:
            self._event(track, names, at, event, gather)

    def _event(self, track: str, names: dict[int, str], at: int, where: Piece, gather: Gather) -> None:
        of = length = 0
        offset = None  # of one that says how often it happened instead
        for field, value in fields(self._data, where):
            if field == OF_EVENT:
                of = number(value)
            elif field == OFFSET_PS:
                offset = number(value)
            elif field == LENGTH_PS:
                length = number(value)
        if offset is not None:
            start = at + offset // 1000
            gather.add(track, EVENT, names.get(of) or "unnamed", start, start + length // 1000)


def _plain(value: int | Piece | None) -> int:
    return value if isinstance(value, int) else 0
