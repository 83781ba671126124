"""What the tool and the agent share during one start: the plan, the parts of the trace, the pipe of events.

Imports next to nothing: a boosted start waits for this. A tool that is killed leaves its folder; the next one takes it away. Where
the temporary folder is anybody's, another may stand under the name by then: what is taken away is the folder that was made.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time

from firststep_agent.plain_json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PREFIX = "firststep-"
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PLAN, EVENTS, PARTS, STOP_WATCHING, SEEN_OUTSIDE = "plan.json", "events", "parts", "stop-watching", "seen-outside"
STALE_S = 3600  # who is not done with making or emptying it by then was killed


def temporary() -> str:
    """The folder for temporary files: TMPDIR, else /tmp."""
    return os.path.abspath(os.environ.get("TMPDIR") or "/tmp")


class SharedFolder:
    """Made in the temporary folder, private, held by a lock for as long as somebody of ours needs it. Raises OSError.

    events: a descriptor that is readable when a process of the program has something to say.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self.path = os.path.join(temporary(), PREFIX + os.urandom(8).hex())
        os.mkdir(self.path, 0o700)
        try:
            self._lock = os.open(self.path, FOLDER)
        except OSError:
            os.rmdir(self.path)
            raise
        self._made = _identity(self._lock)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.mkdir(os.path.join(self.path, PARTS), 0o700)
            for pipe in (EVENTS, STOP_WATCHING):
                os.mkfifo(os.path.join(self.path, pipe), 0o600)
            # Before there is a program: what it says while nobody has the pipe open is lost.
            self.events = os.open(os.path.join(self.path, EVENTS), os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            self.plan = os.path.join(self.path, PLAN)
            file = os.open(self.plan, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                _write_all(file, dumps({**plan, "session": self.path}).encode("ascii"))
            finally:
                os.close(file)
        except OSError:
            self.remove()
            raise

    @property
    def lock(self) -> int:
        """The descriptor that holds the lock, in this process and in those that it forks."""
        return self._lock

    def close(self) -> None:
        """Lets the lock and the pipe go, in this process."""
        os.close(self._lock)
        os.close(self.events)

    def remove(self) -> None:
        """Takes it away, whatever of it is there."""
        try:
            folder = os.open(self.path, FOLDER)
        except OSError:
            return
        try:
            if _identity(folder) == self._made:
                _take_away(self.path, folder)
        finally:
            os.close(folder)


def _identity(folder: int) -> tuple[int, int]:
    found = os.fstat(folder)
    return found.st_dev, found.st_ino


def _take_away(path: str, folder: int) -> None:
    """Empties the shared folder that is open and removes it; other folders in it stay, and then it stays too."""
    try:
        parts = os.open(PARTS, FOLDER, dir_fd=folder)
    except OSError:
        pass
    else:
        _empty(parts)
        os.close(parts)
    _empty(folder)
    for name, at in ((PARTS, folder), (path, None)):
        try:
            os.rmdir(name, dir_fd=at)
        except OSError:
            pass


def _empty(folder: int) -> None:
    for name in os.listdir(folder):
        try:
            os.unlink(name, dir_fd=folder)
        except OSError:
            pass


def sweep() -> None:
    """Takes away the folders of this user whose tools were killed: nobody holds their lock."""
    try:
        found = [entry.path for entry in os.scandir(temporary()) if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False)
                 and entry.stat(follow_symlinks=False).st_uid == os.geteuid()]
    except OSError:
        return
    for path in found:
        try:
            folder = os.open(path, FOLDER)
        except OSError:
            continue
        try:
            if (_is_ours(folder) or _is_half_made(path, folder)) and not _held(folder):
                _take_away(path, folder)
        finally:
            os.close(folder)


def _is_ours(folder: int) -> bool:
    """Earlier versions held no lock, and had no second pipe."""
    try:
        return all(stat.S_ISFIFO(os.stat(pipe, dir_fd=folder, follow_symlinks=False).st_mode) for pipe in (EVENTS, STOP_WATCHING))
    except OSError:
        return False


def _is_half_made(path: str, folder: int) -> bool:
    """Whether a tool was killed while it made or emptied it: nothing but what we put there, and nothing lately."""
    digits = os.path.basename(path).removeprefix(PREFIX)
    named = len(digits) == 16 and set("0123456789abcdef").issuperset(digits)
    return (named and {PLAN, EVENTS, PARTS, STOP_WATCHING, SEEN_OUTSIDE}.issuperset(os.listdir(folder))
            and time.time() - os.fstat(folder).st_mtime > STALE_S)


def _held(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    return False


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data):]
