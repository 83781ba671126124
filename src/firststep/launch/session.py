"""One start of the program as this process's child: its signals, ready, and its end."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from firststep.launch import become, read_ahead, shared_folder
from firststep.launch.environment import injected
from firststep.launch.live_line import EVERY_S, LiveLine
from firststep.launch.readable import readable
from firststep.launch.recording import Recording
from firststep.launch.signals import AskedToEnd, Signals
from firststep.launch.stall import LOOK_EVERY_S, Stall
from firststep.launch.started import Started
from firststep.launch.watch import Watch, watch_for
from firststep.model.plan import Plan
from firststep.printable import say

GRACE_S = 5.0  # between the request to stop at ready and the kill
POLL_S = 0.05  # how often ready is looked for from outside
Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Outcome:
    """How a start ended. exit_code as a shell would give it (128 + signal), killed_by: that signal; trace: the merged file's
    text, empty where it was lost; max_rss in bytes and cpu_s of the program and all of its children that were waited for; asked_to_end:
    the first signal of launch.signals.ENDS that came to this process meanwhile, whatever the program made of it."""

    exit_code: int
    trace: str
    ready: bool
    stopped: bool
    timed_out: bool
    max_rss: int
    cpu_s: float
    killed_by: int | None = None
    asked_to_end: int | None = None

    def go_on(self) -> None:
        """To another run. Raises KeyboardInterrupt or AskedToEnd where somebody has asked for the end of all."""
        number = signal.SIGINT if self.killed_by == signal.SIGINT else self.asked_to_end
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        if number is not None:
            raise AskedToEnd(number)


class Session:
    """Starts `command` under `plan` and sees it through.

    on_ready(trace text) is called once, while the program goes on. on_stall(words): before ready, where nothing has moved for
    ten seconds, what is waited for. live: the line on the terminal until then. timeout_s: kill after that long, None for never.
    alone: this process does nothing else, so it keeps no copy of the program's other streams and pipes.
    """

    def __init__(
        self,
        command: list[str],
        plan: Plan,
        *,
        on_ready: Callable[[str], None] | None = None,
        on_stall: Callable[[str], None] | None = None,
        live: LiveLine | None = None,
        environment: dict[str, str] | None = None,
        timeout_s: float | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        alone: bool = False,
        ignored: frozenset[int] | None = None,
    ) -> None:
        self._command = command
        self._plan = plan
        self._on_ready = on_ready
        self._on_stall = on_stall
        self._live = live
        self._environment = dict(os.environ) if environment is None else environment
        self._timeout_s = timeout_s
        self._streams: dict[str, Any] = {"stdout": stdout, "stderr": stderr}
        self._alone = alone
        self._ignored = become.ignored_at_start() if ignored is None else ignored
        self._stopped = self._timed_out = False
        self._started: Started | None = None  # what goes with a program that is stopped

    def run(self) -> Outcome:
        """Raises FirststepError where the program cannot be started at all, OSError where nothing has been started, and this
        process lacks what it needs to see it through."""
        folder = shared_folder.SharedFolder(self._plan.document(""))
        try:
            return self._run_in(folder)
        finally:
            folder.remove()
            folder.close()
            shared_folder.sweep()

    def _run_in(self, folder: shared_folder.SharedFolder) -> Outcome:
        stdout = 1 if self._streams["stdout"] is None else self._streams["stdout"]
        stderr = 2 if self._streams["stderr"] is None else self._streams["stderr"]
        watch = watch_for(self._plan.until, stdout)
        with closing(Recording(folder, self._command, self._plan, self._environment, watch, self._reached, stderr)) as recording:
            return self._recorded(folder, recording, watch)

    def _recorded(self, folder: shared_folder.SharedFolder, recording: Recording, watch: Watch | None) -> Outcome:
        signals = Signals(folder.remove)
        try:
            environment = injected(self._environment, self._command, folder.plan)
            before = time.monotonic_ns()
            child = self._start(environment, watch)
            recording.began(child, before, time.monotonic_ns())
            signals.reach(child)
            read_ahead.begin(self._plan, self._command, folder.path)
            if watch:
                watch.began(child)
            if self._alone:
                _let_go(keep_output=bool(watch and watch.streams))
            if self._live:
                self._live.began(Path(folder.path) / shared_folder.PARTS)
            stall = Stall(child, Path(folder.path) / shared_folder.PARTS) if self._on_stall else None
            status, usage = self._wait(child, recording, signals, stall, bool(watch))
            code = os.waitstatus_to_exitcode(status)
            recording.ended(128 - code if code < 0 else code)
            if self._started:
                self._started.end(GRACE_S)
            if watch:
                watch.ended()
            _unharmed(recording.look)
        finally:
            self._take_line_away()
            signals.restore()
            if watch:
                watch.close()
        trace = _trace(recording)
        return Outcome(128 - code if code < 0 else code, trace, '["ready",' in trace or recording.seen_ready, self._stopped,
                       self._timed_out, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime, -code if code < 0 else None,
                       signals.asked_to_end)

    def _start(self, environment: dict[str, str], watch: Watch | None) -> int:
        streams = {**self._streams, **(watch.streams if watch else {})}
        try:
            # only a function that runs between fork and exec can ignore what Python, or this tool, must not ignore for itself;
            # without one, `subprocess` may take posix_spawn, and the C library then has its own two signals ignored in the program
            child = subprocess.Popen(self._command, env=environment, close_fds=False, preexec_fn=lambda: become.restore(self._ignored),
                                     **streams)
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.filename is None:
                raise  # no process was to be had: the program's name is not at fault
            raise become.cannot_start(self._command[0], error) from error
        child.returncode = 0  # it is waited for here
        return child.pid

    def _wait(self, child: int, recording: Recording, signals: Signals, stall: Stall | None, looking: bool) -> tuple[int, Any]:
        """Until the program has ended: its status, and what it used."""
        deadline = time.monotonic() + self._timeout_s if self._timeout_s else None
        while True:
            pid, status, usage = os.wait4(child, os.WNOHANG | os.WUNTRACED)
            if pid and not os.WIFSTOPPED(status):
                signals.ended()
                return status, usage
            if pid:
                self._take_line_away()
                signals.stop_as(os.WSTOPSIG(status))
            elif _unharmed(recording.look) and self._plan.stop:
                self._stopped = True
                self._started = Started(child)
                signals.send(signal.SIGTERM)
                deadline = time.monotonic() + GRACE_S
            elif deadline and time.monotonic() > deadline:
                asked = self._stopped or self._timed_out
                self._timed_out = not self._stopped
                self._started = self._started or Started(child)
                signals.send(signal.SIGKILL if asked else signal.SIGTERM)
                deadline = time.monotonic() + GRACE_S
            wait = POLL_S if looking and not recording.seen_ready or not signals.catching else None
            if stall and not recording.seen_ready:
                self._look_for(stall)
                wait = min(wait or LOOK_EVERY_S, LOOK_EVERY_S)
            live = self._live if not recording.seen_ready else None
            if live:
                _unharmed(live.look)
                wait = min(wait or EVERY_S, EVERY_S)
            if deadline:
                wait = min(wait or GRACE_S, max(0.0, deadline - time.monotonic()))
            readable((recording.events, signals.wakes, *(live.descriptors if live else ())), wait)
            signals.drain()

    def _look_for(self, stall: Stall) -> None:
        words = _unharmed(stall.look)
        if words and self._on_stall:
            self._take_line_away()
            self._on_stall(words)

    def _take_line_away(self) -> None:
        if self._live:
            _unharmed(self._live.away)

    def _reached(self, trace: str) -> None:
        self._take_line_away()
        if self._on_ready:
            self._on_ready(trace)


def _unharmed(look: Callable[[], Seen]) -> Seen | None:
    """What is seen now; trouble of our own is said, and leaves the program alone."""
    try:
        return look()
    except Exception as error:
        say(f"firststep: the program goes on, unwatched from here: {type(error).__name__}: {error}")
        return None


def _trace(recording: Recording) -> str:
    """The whole trace, and bytecode of the agent for the interpreter that it names. Empty where that fails: the program has run."""
    try:
        from firststep.launch import agent_bytecode

        trace = recording.trace()
        agent_bytecode.ensure_for(trace)
    except Exception as error:
        say(f"firststep: the trace was lost: {type(error).__name__}: {error}")
        return ""
    return trace


def _let_go(keep_output: bool) -> None:
    """Closes what is the program's alone: a pipe has no further end in this process."""
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for stream in (0,) if keep_output else (0, 1):
        os.dup2(nothing, stream)
    os.close(nothing)
    for descriptor in inherited():
        os.close(descriptor)


def inherited() -> list[int]:
    """Descriptors that came with this process and would pass to the next: none of Python's own are such."""
    try:
        names = os.listdir("/proc/self/fd")
    except OSError:
        return []
    found = []
    for name in names:
        try:
            if int(name) > 2 and os.get_inheritable(int(name)):
                found.append(int(name))
        except OSError:
            continue
    return found
