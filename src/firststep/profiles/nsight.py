"""Nsight Systems

The SQLite that `nsys export --type sqlite` writes. Tables and columns by its "SQLite Schema Reference"; they are made where there is
something in them, and newer versions have more columns than older ones, so each is looked for. Times are nanoseconds since the
session began; a process and a thread are packed into one number.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from firststep.model.profile import CALL, COPY, FILL, KERNEL, RANGE
from firststep.profiles.clocks import Zero
from firststep.profiles.gather import Gather
from firststep.profiles.limits import LATEST, NAME, SPANS, STEPS
from firststep.profiles.source import UnreadableProfile

HEAD = b"SQLite format 3\0"
ENDING = ".sqlite"
SESSION, STRINGS = "TARGET_INFO_SESSION_START_TIME", "StringIds"
VERSION = re.compile(r"_v\d+$")  # cudaLaunchKernel_v7000
COPIES = {1: "host to device", 2: "device to host", 3: "host to array", 4: "array to host", 5: "array to array", 6: "array to device",
          7: "device to array", 8: "device to device", 9: "host to host", 10: "peer to peer", 11: "host to device (unified)",
          12: "device to host (unified)", 13: "device to device (unified)"}  # CUpti_ActivityMemcpyKind, and Nsight's unified ones
PUSHED, STARTED = 59, 60  # NvtxPushPopRange, NvtxStartEndRange
EVERY_MILLION = 1_000_000


class _Table(NamedTuple):
    """names: columns with the number of a string, the first that is there counts; on_device: on a stream of a GPU, not on a thread."""

    table: str
    kind: str
    names: tuple[str, ...]
    on_device: bool


class _Row(NamedTuple):
    """One event; None for what the export does not have."""

    start: int
    end: int
    device: int | None
    stream: int | None
    thread: int | None
    named: int | None
    bytes: int | None
    copy: int | None
    text: str | None


NUMBERS = ("start", "end", "deviceId", "streamId", "globalTid", "", "bytes", "copyKind")  # columns of a row, the name's left open
TABLES = (
    _Table("CUPTI_ACTIVITY_KIND_KERNEL", KERNEL, ("shortName", "demangledName", "mangledName"), True),
    _Table("CUPTI_ACTIVITY_KIND_MEMCPY", COPY, (), True),
    _Table("CUPTI_ACTIVITY_KIND_MEMSET", FILL, (), True),
    _Table("CUPTI_ACTIVITY_KIND_RUNTIME", CALL, ("nameId",), False),
    _Table("NVTX_EVENTS", RANGE, ("textId",), False),
)


@contextmanager
def opened(path: Path) -> Iterator[Export]:
    """The export in `path`, which is not written to. Raises UnreadableProfile, also while it is read."""
    connection = None
    try:
        connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1", uri=True)
        yield Export(connection)
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            raise UnreadableProfile("reading it takes too long", "export less of it: nsys export --type sqlite --tables …") from error
        raise UnreadableProfile(f"its SQLite is damaged ({error})") from error
    except (sqlite3.Error, OverflowError) as error:
        raise UnreadableProfile(f"its SQLite is damaged ({error})") from error
    finally:
        if connection:
            connection.close()


class Export:
    """One export. pids: of the processes in it."""

    profiler = "Nsight Systems"

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._names: dict[int, str] = {}
        self._million = 0
        self.pids: set[int] = set()
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.set_progress_handler(self._count, EVERY_MILLION)
        for setting in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY"):
            connection.execute(f"PRAGMA {setting}").close()
        self._columns = {table: self._columns_of(table) for table in (*(one.table for one in TABLES), STRINGS, SESSION)}
        if not any(self._columns.values()):
            raise UnreadableProfile("it is SQLite, but none of Nsight Systems' tables is in it",
                                    "nsys export --type sqlite REPORT.nsys-rep")
        self.zero = self._zero()

    def _count(self) -> int:
        self._million += 1
        return self._million > STEPS

    def _columns_of(self, table: str) -> frozenset[str]:
        """Of a table that holds what it says: no view, nothing virtual, no column that is computed."""
        kinds = self._connection.execute("SELECT type, rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchall()
        if len(kinds) != 1 or kinds[0][0] != "table" or not kinds[0][1]:
            return frozenset()
        rows = self._connection.execute(f"PRAGMA table_xinfo({table})").fetchall()
        return frozenset(str(row[1]) for row in rows if row[6] == 0)

    def _zero(self) -> Zero:
        """Newer versions also say what CLOCK_MONOTONIC was."""
        known = [name for name in ("utcEpochNs", "systemClockNs") if name in self._columns[SESSION]]
        rows = self._connection.execute(f"SELECT {', '.join(known)} FROM {SESSION} LIMIT 1").fetchall() if known else []
        found = {name: value for name, value in zip(known, rows[0]) if _moment(value)} if rows else {}
        return Zero(found.get("utcEpochNs"), found.get("systemClockNs"))

    def read(self, gather: Gather) -> None:
        """All that lies in what is wanted goes into `gather`."""
        for one in TABLES:
            if {"start", "end"} <= self._columns[one.table]:
                self._table(one, gather)

    def _table(self, one: _Table, gather: Gather) -> None:
        columns = self._columns[one.table]
        times = "typeof(start) = 'integer' AND typeof(\"end\") = 'integer' AND \"end\" >= start"
        if one.kind == RANGE and "eventType" in columns:
            times += f" AND eventType IN ({PUSHED}, {STARTED})"
        whole = f"SELECT count(*), min(start), max(\"end\") FROM {one.table} WHERE {times}"
        number, first, last = self._connection.execute(whole).fetchone()
        if not number:
            return
        gather.saw(first, last)
        wanted = f"FROM {one.table} WHERE {times} AND \"end\" > ? AND start < ?"
        bounds = (_bound(gather.start), _bound(gather.end))
        here = self._connection.execute(f"SELECT count(*) {wanted}", bounds).fetchone()[0]
        row = None
        longest = f"SELECT {_selected(one, columns)} {wanted} ORDER BY \"end\" - start DESC LIMIT {SPANS}"
        for row in map(_Row._make, self._connection.execute(longest, bounds)):
            gather.add(self._track(one, row), one.kind, self._name(one, row), row.start, row.end,
                       {"bytes": row.bytes} if row.bytes is not None else None)
        if here > SPANS and row:
            gather.drop(here - SPANS, row.end - row.start)

    def _track(self, one: _Table, row: _Row) -> str:
        """A number of a thread holds its process in bits 24 to 47, and the thread below."""
        if one.on_device:
            return f"GPU {row.device or 0}, stream {row.stream or 0}"
        pid, thread = (row.thread or 0) >> 24 & 0xFFFFFF, (row.thread or 0) & 0xFFFFFF
        if pid:
            self.pids.add(pid)
        return f"pid {pid}, {'main thread' if thread == pid else f'thread {thread}'}, {'NVTX' if one.kind == RANGE else 'CUDA'}"

    def _name(self, one: _Table, row: _Row) -> str:
        if one.kind == COPY:
            return COPIES.get(row.copy or 0, "copy")
        if one.kind == FILL:
            return "memset"
        return row.text or VERSION.sub("", self._string(row.named))

    def _string(self, number: int | None) -> str:
        if number is None:
            return "unnamed"
        if number not in self._names:
            rows = []
            if {"id", "value"} <= self._columns[STRINGS]:
                wanted = f"SELECT substr(value, 1, {NAME}) FROM {STRINGS} WHERE id = ? LIMIT 1"
                rows = self._connection.execute(wanted, (number,)).fetchall()
            self._names[number] = next((name for name, in rows if isinstance(name, str) and name), "unnamed")
        return self._names[number]


def _selected(one: _Table, columns: frozenset[str]) -> str:
    """The columns of a row: null where they are not there or hold something else, no text longer than a name."""
    name = next((column for column in one.names if column in columns), "")
    numbers = [column or name for column in NUMBERS]
    shown = [f"CASE typeof(\"{column}\") WHEN 'integer' THEN \"{column}\" END" if column in columns else "NULL" for column in numbers]
    text = f"CASE typeof(text) WHEN 'text' THEN substr(text, 1, {NAME}) END" if "text" in columns else "NULL"
    return ", ".join([*shown, text])


def _moment(value: Any) -> bool:
    return isinstance(value, int) and 0 < value < LATEST


def _bound(value: int) -> int:
    """A number that SQLite can compare with."""
    return max(-LATEST, min(LATEST, value))
