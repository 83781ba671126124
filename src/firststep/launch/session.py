"""One start of the program under one plan: the shared folder, the child, its signals, ready, and its end."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firststep import exit_codes
from firststep.errors import FirststepError, reason_of
from firststep.launch import agent_bytecode, pth_files, read_ahead
from firststep.launch.environment import injected
from firststep.launch.merge import first_part, merge_parts
from firststep.launch.stall import Stall
from firststep.launch.watch import Watch, watch_for
from firststep.model.plan import Plan

FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT)
GRACE_S = 5.0  # between the request to stop at ready and the kill
POLL_S = 0.05
PLAN = "plan.json"


@dataclass(frozen=True)
class Outcome:
    """How a start ended. exit_code as a shell would give it (128 + signal); trace: the merged file's text;
    max_rss in bytes and cpu_s of the program and all of its children that were waited for."""

    exit_code: int
    trace: str
    ready: bool
    stopped: bool
    timed_out: bool
    max_rss: int
    cpu_s: float


class Session:
    """Starts `command` under `plan` and sees it through.

    on_ready(trace text) is called once, while the program goes on. on_stall(words): before ready, where nothing has moved for
    ten seconds, what is waited for. timeout_s: kill after that long, None for never.
    """

    def __init__(
        self,
        command: list[str],
        plan: Plan,
        *,
        on_ready: Callable[[str], None] | None = None,
        on_stall: Callable[[str], None] | None = None,
        environment: dict[str, str] | None = None,
        timeout_s: float | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
    ) -> None:
        self._command = command
        self._plan = plan
        self._on_ready = on_ready
        self._on_stall = on_stall
        self._environment = dict(os.environ) if environment is None else environment
        self._timeout_s = timeout_s
        self._streams = {"stdout": stdout, "stderr": stderr}
        self._ready: tuple[int, str, str] | None = None
        self._stopped = self._timed_out = False

    def run(self) -> Outcome:
        """Raises FirststepError where the program cannot be started at all."""
        folder = _shared_folder(self._plan)
        try:
            return self._run_in(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run_in(self, folder: Path) -> Outcome:
        events = os.open(folder / "events", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        watch = watch_for(self._plan.until)
        signals = _Signals()
        before = time.monotonic_ns()
        read_ahead.begin(self._plan, self._command, folder)
        try:
            child = self._start(injected(self._environment, folder / PLAN), watch)
        except FirststepError:
            signals.restore()
            raise
        self._executed = time.monotonic_ns()
        self._header: dict[str, Any] = {"spawned": [before, self._executed], "pid": child.pid}
        try:
            signals.reach(child)
            self._wait(child, events, folder, watch)
            status, usage = self._status, self._usage
        finally:
            signals.restore()
            os.close(events)
            if watch:
                watch.close()
        self._header["ended"] = self._ended
        code = os.waitstatus_to_exitcode(status)
        self._header["exit_code"] = code = 128 - code if code < 0 else code
        trace = self._trace(folder)
        if first := first_part(trace):
            agent_bytecode.ensure(str(first["executable"]), str(first["tag"]))
        return Outcome(code, trace, '["ready",' in trace or self._ready is not None, self._stopped, self._timed_out,
                       usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)

    def _start(self, environment: dict[str, str], watch: Watch | None) -> subprocess.Popen[bytes]:
        streams: dict[str, Any] = dict(self._streams)
        if watch:
            streams.update(watch.streams())
        try:
            return subprocess.Popen(self._command, env=environment, **streams)
        except OSError as error:
            raise cannot_start(self._command[0], error) from error

    def _wait(self, child: subprocess.Popen[bytes], events: int, folder: Path, watch: Watch | None) -> None:
        ended = threading.Event()

        def reap() -> None:
            _, self._status, self._usage = os.wait4(child.pid, 0)
            self._ended = time.monotonic_ns()
            child.returncode = os.waitstatus_to_exitcode(self._status)
            ended.set()
            os.write(events, b"\n")  # wakes the loop

        reaper = threading.Thread(target=reap, daemon=True)
        reaper.start()
        deadline = time.monotonic() + self._timeout_s if self._timeout_s else None
        kill_at: float | None = None
        seen_ready = False
        stall = Stall(child.pid, folder / "parts")
        while not ended.is_set():
            readable, _, _ = select.select([events], [], [], POLL_S)
            message = os.read(events, 65536).decode("ascii", "replace") if readable else ""
            if watch and not seen_ready and (seen := watch.look()):
                self._ready = seen
                (folder / "stop-watching").touch()
                message = "ready"
            if self._on_stall and not seen_ready and (words := stall.look()):
                self._on_stall(words)
            if "lost" in message:
                self._header["lost"] = message.partition("lost ")[2].splitlines()[0]
            if "ready" in message and not seen_ready:
                seen_ready = True
                self._reached_ready(folder)
                if self._plan.stop:
                    self._stopped = True
                    child.send_signal(signal.SIGTERM)
                    kill_at = time.monotonic() + GRACE_S
            now = time.monotonic()
            if deadline and now > deadline and not self._timed_out:
                self._timed_out = True
                child.send_signal(signal.SIGTERM)
                kill_at = now + GRACE_S
            if kill_at and now > kill_at:
                child.kill()
                kill_at = None
        reaper.join()

    def _reached_ready(self, folder: Path) -> None:
        if self._on_ready:
            self._header["ended"] = time.monotonic_ns()
            self._on_ready(self._trace(folder))

    def _trace(self, folder: Path) -> str:
        """The merged trace so far; slow `.pth` files are looked into where the plan explains imports."""
        facts = {**self._header, "ready": self._ready}
        text = merge_parts(folder / "parts", self._command, self._plan, facts)
        if "imports" not in self._plan.observe or "pth" in self._header:
            return text
        first = first_part(text)
        if first and int(first["entered_ns"]) - self._executed > pth_files.MATTERS_NS:
            self._header["pth"] = pth_files.measure(str(first["executable"]), self._environment)
            return merge_parts(folder / "parts", self._command, self._plan, {**facts, "pth": self._header["pth"]})
        return text


def _shared_folder(plan: Plan) -> Path:
    """What the tool and the agent share: the plan, the parts of the trace, the pipe of events. Raises FirststepError."""
    folder: Path | None = None
    try:
        folder = Path(tempfile.mkdtemp(prefix="firststep-"))
        (folder / "parts").mkdir(mode=0o700)
        (folder / PLAN).write_text(json.dumps(plan.document(str(folder))))
        os.mkfifo(folder / "events", 0o600)
    except OSError as error:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise FirststepError("no temporary folder can be made", reason_of(error),
                             "set TMPDIR to a folder with room that you can write", exit_codes.CANNOT_WRITE) from error
    return folder


def cannot_start(name: str, error: OSError) -> FirststepError:
    """Why the program did not start, with what to type instead."""
    is_file = os.path.isfile(name)
    if isinstance(error, FileNotFoundError) and not (is_file and os.path.dirname(name)):
        advice = f"a script needs its interpreter: `-- python {name}`" if is_file else "check the name after `--`"
        return FirststepError(f"no such program: {name}", reason_of(error), advice, exit_codes.NOT_FOUND)
    if isinstance(error, FileNotFoundError):
        return FirststepError(f"cannot start {name}", "the interpreter that its first line names is not there",
                              f"name one: `-- python {name}`", exit_codes.NOT_FOUND)
    if is_file:
        return FirststepError(f"cannot start {name}", reason_of(error),
                              f"a script needs its interpreter: `-- python {name}`", exit_codes.NOT_EXECUTABLE)
    return FirststepError(f"cannot start {name}", "it is a folder" if os.path.isdir(name) else reason_of(error),
                          "check the name after `--`", exit_codes.NOT_EXECUTABLE)


class _Signals:
    """Signals sent to the tool reach the program, from before it exists until it has ended.

    Ctrl-C reaches both from the terminal: the tool only waits.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []
        self._old: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            self._old = {number: signal.signal(number, self._forward) for number in FORWARDED}
            for number in (signal.SIGINT, signal.SIGQUIT):
                self._old[number] = signal.signal(number, _ignore_from_terminal)

    def _forward(self, number: int, _: Any) -> None:
        if self._child is None:
            self._early.append(number)
        elif self._child.returncode is None:
            os.kill(self._child.pid, number)

    def reach(self, child: subprocess.Popen[bytes]) -> None:
        """From now on they go to `child`, those that came before first."""
        self._child = child
        for number in self._early:
            self._forward(number, None)

    def restore(self) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)


def _ignore_from_terminal(number: int, frame: Any) -> None:
    """The terminal has sent it to the program as well."""
