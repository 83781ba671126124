"""What the tool and the agent share during one start: the plan, the parts of the trace, the pipe of events.

Imports next to nothing: a boosted start waits for this. A tool that is killed leaves its folder; the next one takes it away.
"""

from __future__ import annotations

import fcntl
import os
from typing import Any

from firststep_agent.plain_json import dumps

PREFIX = "firststep-"
PLAN, EVENTS, PARTS, STOP_WATCHING, SEEN_OUTSIDE = "plan.json", "events", "parts", "stop-watching", "seen-outside"


def temporary() -> str:
    """The folder for temporary files: TMPDIR, else /tmp."""
    return os.path.abspath(os.environ.get("TMPDIR") or "/tmp")


class SharedFolder:
    """Made in the temporary folder, private, held by a lock for as long as somebody of ours needs it. Raises OSError."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.path = os.path.join(temporary(), PREFIX + os.urandom(8).hex())
        os.mkdir(self.path, 0o700)
        try:
            self._lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.mkdir(os.path.join(self.path, PARTS), 0o700)
            for pipe in (EVENTS, STOP_WATCHING):
                os.mkfifo(os.path.join(self.path, pipe), 0o600)
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

    def remove(self) -> None:
        """Takes it away, whatever of it is there."""
        remove(self.path)


def remove(path: str) -> None:
    """Takes a shared folder away, whatever of it is there; what others have put there stays."""
    parts = os.path.join(path, PARTS)
    for folder in (parts, path):
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            try:
                os.unlink(os.path.join(folder, name))
            except OSError:
                pass
        try:
            os.rmdir(folder)
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
        if os.path.lexists(os.path.join(path, EVENTS)) and not _held(path):
            remove(path)


def _held(path: str) -> bool:
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return True
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(folder)
    return False


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data):]
