"""What the tool learns of a start while it goes on: when it began, that it became ready, what the processes wrote.

Whoever watches the program, its parent or a process beside it, has one of these.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firststep.launch import pth_files, shared_folder
from firststep.launch.native_log import NativeLog
from firststep.launch.shared_folder import SharedFolder
from firststep.launch.watch import Watch
from firststep.model.plan import Plan

WRITTEN_WITHIN_NS = 1_000_000_000  # after ready was seen from outside, the processes have written what they saw


class Recording:
    """on_ready(trace text): called once, while the program goes on; what it raises is kept from the program.

    stderr: the program's, as this process has it.
    """

    def __init__(self, folder: SharedFolder, command: list[str], plan: Plan, environment: dict[str, str], watch: Watch | None,
                 on_ready: Callable[[str], None] | None, stderr: int = 2) -> None:
        self._folder = folder.path
        self._command = command
        self._plan = plan
        self._environment = environment
        self._watch = watch
        self._on_ready = on_ready
        self._header: dict[str, Any] = {}
        self._seen: tuple[int, str, str] | None = None
        self._said_ready = False
        self._ended = 0
        self._log = NativeLog(stderr)
        self.events = folder.events

    def began(self, pid: int, before: int, executed: int) -> None:
        """The program is there: its process, the moments just before its fork and just after its exec."""
        self._header.update(pid=pid, spawned=[before, executed], clock=[time.monotonic_ns(), time.time_ns()])

    def look(self) -> bool:
        """Takes in what the processes said, and looks from outside where the plan says so. True once, when ready is reached."""
        message = self._heard()
        if "lost " in message:
            self._header["lost"] = message.partition("lost ")[2].partition("\n")[0]
        if self._watch and not self._seen and (seen := self._watch.look()):
            at, kind, label = seen
            self._seen = min(at, self._ended or at), kind, label  # a line may be read after the end of who wrote it
            stop_watching(self._folder)
        if self._watch and self._watch.given_up:
            self._header["given_up"] = True
        waited = self._seen is not None and time.monotonic_ns() - self._seen[0] > WRITTEN_WITHIN_NS
        if self._said_ready or not (waited or "ready" in message):
            return False
        self._said_ready = True
        if self._on_ready:
            self._header["ended"] = self._ended or time.monotonic_ns()
            self._on_ready(self.trace())
        return True

    def _heard(self) -> str:
        try:
            return os.read(self.events, 65536).decode("ascii", "replace")
        except OSError:
            return ""

    def ended(self, exit_code: int | None) -> None:
        """The program has ended, with that code as a shell would give it where that is known."""
        self._ended = time.monotonic_ns()
        self._header.update(ended=self._ended, log=self._logged())
        if exit_code is not None:
            self._header["exit_code"] = exit_code

    def _logged(self) -> list[tuple[int, str]]:
        moment, time_of_day = self._header["clock"]
        return self._log.lines((moment, time_of_day))

    @property
    def seen_ready(self) -> bool:
        """Whether the tool itself saw it, or a process said so."""
        return self._said_ready

    def trace(self) -> str:
        """The merged trace so far; slow `.pth` files are looked into where the plan explains imports."""
        from firststep.launch.merge import first_part, merge_parts  # 20 ms, which no start waits for

        facts = {"log": self._logged(), "native_log": self._log.is_read, **self._header, "ready": self._seen}
        parts = Path(self._folder) / shared_folder.PARTS
        text = merge_parts(parts, self._command, self._plan, facts)
        if "imports" not in self._plan.observe or "pth" in self._header:
            return text
        first = first_part(text)
        if first and int(first["entered_ns"]) - self._header["spawned"][1] > pth_files.MATTERS_NS:
            self._header["pth"] = pth_files.measure(str(first["executable"]), self._environment)
            return merge_parts(parts, self._command, self._plan, {**facts, "pth": self._header["pth"]})
        return text

    def close(self) -> None:
        """Nothing more is heard."""
        self._log.close()


def stop_watching(folder: str) -> None:
    """Tells every process of the program that ready was seen from outside: who waits at the pipe wakes up, who comes later finds
    none, and all go on unwatched."""
    pipe = os.path.join(folder, shared_folder.STOP_WATCHING)
    try:
        os.close(os.open(os.path.join(folder, shared_folder.SEEN_OUTSIDE), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    except OSError:
        pass  # nobody waits; or there is no room
    try:
        os.unlink(pipe)
    except OSError:
        pass  # the folder is gone
