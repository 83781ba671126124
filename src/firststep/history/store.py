"""The history on disk: one SQLite file in the user's state folder, for the user's eyes only, of the newest KEPT runs.

Writers of several processes wait for each other. A damaged file is put aside and a new one begun: the history is a convenience, and
nothing that goes wrong with it is the program's trouble.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from firststep import switch
from firststep.user_folders import state_folder

VARIABLE = "FIRSTSTEP_HISTORY"
FILE = "history.sqlite"
SCHEMA = 1
KEPT = 10_000  # runs
LONGEST = 1000  # characters of any text
LEAST = 1 << 18  # bytes that a run may take on the disk, with what SQLite writes beside it
PATIENCE_S = 5.0  # for other writers,
WAIT_S = 0.01  # looked for so often
COLUMNS = "at, verb, program, folder, arguments, python, frameworks, machine, seconds, ready, exit_code, boosted, phases, trace"
WANTED = "(? = '' OR instr(program, ?)) AND (? = '' OR verb = ?) AND at >= ?"
CREATE = f"""
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL, verb TEXT, program TEXT, folder TEXT, arguments TEXT, python TEXT, frameworks TEXT,
    machine TEXT, seconds REAL, ready TEXT, exit_code INTEGER, boosted INTEGER, phases TEXT, trace TEXT
);
CREATE INDEX IF NOT EXISTS by_time ON runs (at);
PRAGMA user_version = {SCHEMA};
"""


class Unusable(Exception):
    """The history cannot be read or written now; why, in words. cure: what to type, or to do, next."""

    def __init__(self, why: str, cure: str = "firststep history --clear, or move the file away") -> None:
        super().__init__(why)
        self.cure = cure


@dataclass(frozen=True)
class PastRun:
    """One run. at: seconds since 1970; verb: record, boost, prove or check; folder: where it ran; seconds: to ready, or to its end
    where `ready` is empty; exit_code: None where it was not known; phases: seconds; trace: where it was kept, or empty."""

    at: float
    verb: str
    program: str
    folder: str
    arguments: str
    python: str
    frameworks: str
    machine: str
    seconds: float
    ready: str
    exit_code: int | None
    boosted: bool
    phases: Mapping[str, float]
    trace: str


def is_off() -> bool:
    """Whether the user wants none."""
    return switch.is_off(variable=VARIABLE)


def place() -> Path:
    """The file; it may not be there yet."""
    return Path(state_folder()) / FILE


def room_left() -> int | None:
    """Bytes free on its disk where they are too few to keep another run, None where there is enough."""
    folder = next(folder for folder in place().parents if folder.exists())
    found = os.statvfs(folder)
    free = found.f_bavail * found.f_frsize
    return free if free < LEAST else None


def add(run: PastRun, path: Path | None = None) -> None:
    """Keeps a run. Raises Unusable."""
    path = path or place()
    _make(path)
    with _alone(path):
        try:
            _insert(path, run)
        except sqlite3.OperationalError as error:  # locked, full, read-only: not damaged
            raise Unusable(str(error)) from error
        except sqlite3.DatabaseError:
            _put_aside(path)
            try:
                _make(path)
                _insert(path, run)
            except sqlite3.Error as error:
                raise Unusable(str(error)) from error


def runs(path: Path | None = None, *, program: str = "", verb: str = "", since: float = 0.0, limit: int | None = None) -> list[PastRun]:
    """The newest runs, the oldest of them first. program: a part of its name; since: seconds since 1970. Raises Unusable."""
    path = path or place()
    if not os.path.lexists(path):
        if not is_off():
            _check_folder(path)
        return []
    try:
        with _opened(path) as database:
            if _is_empty(database):
                return []
            rows = database.execute(f"SELECT {COLUMNS} FROM runs WHERE {WANTED} ORDER BY at DESC, id DESC LIMIT ?",
                                    (program, program, verb, verb, since, -1 if limit is None else limit)).fetchall()
            return [_run(row) for row in reversed(rows)]
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise Unusable(f"{path} cannot be read: {error}") from error


def clear(path: Path | None = None) -> int:
    """Forgets everything, also what was put aside as damaged; how many runs that were. Raises Unusable."""
    path, count = path or place(), 0
    if os.path.lexists(path):
        with _alone(path):
            count = _clear(path)
    _forget_damaged(path)
    return count


def _clear(path: Path) -> int:
    try:
        with _opened(path) as database, database:
            if _is_empty(database):
                return 0
            count = int(database.execute("SELECT count(*) FROM runs").fetchone()[0])
            database.execute("DELETE FROM runs")
        with _opened(path) as database:
            database.execute("VACUUM")
        return count
    except sqlite3.OperationalError as error:
        raise Unusable(str(error)) from error
    except sqlite3.DatabaseError:
        _put_aside(path)
        return 0


def _insert(path: Path, run: PastRun) -> None:
    words = (run.program, run.folder, run.arguments, run.python, run.frameworks, run.machine)
    values = (run.at, run.verb, *(_storable(text) for text in words), run.seconds, run.ready, run.exit_code, int(run.boosted),
              json.dumps(dict(run.phases)), _storable(run.trace))
    with _opened(path) as database, database:
        if _is_empty(database):
            database.executescript(CREATE)
        database.execute(f"INSERT INTO runs ({COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)
        database.execute("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - ?", (KEPT,))


def _is_empty(database: sqlite3.Connection) -> bool:
    """Whether nothing was ever kept in it: a full disk may have stopped the first run."""
    return not database.execute("PRAGMA user_version").fetchone()[0]


def _storable(text: str) -> str:
    """As much as is kept of it; a name that is no UTF-8 keeps its other characters."""
    return text[:LONGEST].encode("utf-8", "replace").decode()


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The database of a file that is ours. Raises Unusable where it is not, or is of a later version."""
    _check(path)
    with closing(sqlite3.connect(path, timeout=PATIENCE_S)) as database:
        database.execute("PRAGMA synchronous = NORMAL")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, SCHEMA):
            raise Unusable(f"{path} has schema {version}, and this version reads schema {SCHEMA}")
        yield database


def _make(path: Path) -> None:
    """The file, empty and private, where there is none."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}") from error


def _check(path: Path) -> None:
    """Raises Unusable unless nobody but us could have put there what is in the file."""
    try:
        folder, file = path.parent.stat(), path.lstat()
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}") from error
    if not stat.S_ISREG(file.st_mode) or file.st_uid != os.geteuid():
        raise Unusable(f"{path} is not a file of yours", f"mv {quote(str(path))} {quote(f'{path}.old')}")
    if folder.st_uid != os.geteuid() or folder.st_mode & 0o022:
        raise Unusable(f"{path.parent} can be written by others", f"chmod go-w {quote(str(path.parent))}")
    if file.st_mode & 0o077:
        os.chmod(path, 0o600)


def _check_folder(path: Path) -> None:
    """Raises Unusable where a history that is not there yet could not be begun. Leaves nothing: asking begins none."""
    import tempfile

    there = next(folder for folder in path.parents if os.path.lexists(folder))
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".firststep-", dir=there))
    except OSError as error:
        raise Unusable(f"{path.parent} cannot be written to: {error.strerror or error}",
                       "set XDG_STATE_HOME to a folder of yours, or FIRSTSTEP_HISTORY=off to keep none") from error


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """No other writer meanwhile: SQLite's own locks do not hold for a file that is put aside. Raises Unusable after PATIENCE_S."""
    import fcntl

    _check(path)
    try:
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}") from error
    try:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() > until:
                    raise Unusable(f"{path} is being written by another process") from error
                time.sleep(WAIT_S)
            except OSError:
                break  # a file system without such locks: SQLite's own are left
        yield
    finally:
        os.close(lock)


def _put_aside(path: Path) -> None:
    """A damaged file makes room; the newest damaged one is kept, for who wants to look."""
    try:
        os.replace(path, _damaged(path))
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    except OSError as error:
        raise Unusable(f"{path} is damaged, and cannot be put aside: {error.strerror or error}") from error


def _damaged(path: Path) -> Path:
    """Where a damaged file is put aside."""
    return path.with_name(f"{path.name}.damaged")


def _forget_damaged(path: Path) -> None:
    """It holds old runs, too."""
    try:
        _damaged(path).unlink(missing_ok=True)
    except NotADirectoryError:
        return  # nothing can have been put aside there
    except OSError as error:
        raise Unusable(f"{_damaged(path)} cannot be removed: {error.strerror or error}", f"rm {quote(str(_damaged(path)))}") from error


def _run(row: tuple[Any, ...]) -> PastRun:
    at, verb, program, folder, arguments, python, frameworks, machine, seconds, ready, exit_code, boosted, phases, trace = row
    shares = json.loads(phases or "{}")
    return PastRun(float(at), str(verb), str(program), str(folder), str(arguments), str(python), str(frameworks), str(machine),
                   float(seconds), str(ready), exit_code, bool(boosted), shares if isinstance(shares, dict) else {}, str(trace))


def now() -> float:
    """Seconds since 1970."""
    return time.time()
