"""The program in this process's place, and a helper beside it that watches, speaks at ready, and tidies up.

The program has the process number, the parent, the group, the terminal, the descriptors and the dispositions of signals that it
would have had: nothing is forwarded, because nothing stands between (docs/decisions/009-who-gets-a-signal.md). Imports next to
nothing before the exec; the helper imports what it needs while the program starts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from firststep.errors import FirststepError
from firststep.launch import become
from firststep.launch.environment import injected
from firststep.launch.readable import readable
from firststep.launch.sentinel import close_all_but
from firststep.launch.shared_folder import SharedFolder, sweep
from firststep.model.plan import OUTSIDE
from firststep.printable import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep.launch.recording import Recording
    from firststep.launch.watch import Watch
    from firststep.model.plan import Plan

POLL_S = 0.05


def possible() -> bool:
    """Whether a helper can stand beside: init is given every orphan, so the helper would be the program's own child."""
    return os.getpid() != 1


def exec_beside(command: Sequence[str], plan: Plan, prepare: Callable[[], None], on_ready: Callable[[str], None],
                on_end: Callable[[str], None]) -> None:
    """Becomes `command` under `plan`. Never returns. Raises FirststepError where `command` cannot be started, OSError where
    no helper can be had: nothing has happened then.

    on_ready(trace text) at ready, on_end(trace text) after the program's end, prepare() before both, while the program runs: called
    in the helper. A shell waits for none of them.
    """
    ignored = become.ignored_at_start()
    folder = SharedFolder(plan.document(""))
    watch = _watch(plan)
    try:
        program = _Program(os.getpid())
        executed, say_executed = os.pipe()
        before = time.monotonic_ns()
        helper = os.fork()
    except OSError:
        folder.remove()
        raise
    if helper == 0:
        try:
            os.close(say_executed)
            os.setsid()
            if os.fork() == 0:
                _help(program, _Start(before, executed), folder, command, plan, watch, prepare, on_ready, on_end)
        except OSError:
            folder.remove()
        finally:
            os._exit(0)
    try:
        os.waitpid(helper, 0)
    except ChildProcessError:
        pass  # SIGCHLD is ignored: nobody has to wait
    try:
        become.become(command, injected(os.environ, command, folder.plan), ignored)
    except FirststepError:
        os.write(say_executed, b"no")
        raise


def _watch(plan: Plan) -> Watch | None:
    """What looks from outside, where the plan wants that: made before there is a program, for it tells by what was there before."""
    if plan.until.kind not in OUTSIDE:
        return None
    from firststep.launch.watch import watch_for

    return watch_for(plan.until)


class _Start:
    """The moment before the helper was made, and the pipe that the program's exec closes."""

    def __init__(self, before: int, executed: int) -> None:
        self.before = before
        self.executed = executed


def _help(program: _Program, start: _Start, folder: SharedFolder, command: Sequence[str], plan: Plan, watch: Watch | None,
          prepare: Callable[[], None], on_ready: Callable[[str], None], on_end: Callable[[str], None]) -> None:
    """The helper's life: until the program has ended."""
    close_all_but(2, start.executed, folder.lock, folder.events, *program.descriptors)
    become.plug()
    os.chdir("/")
    try:
        if os.read(start.executed, 2):
            return  # there is no such program
        executed = time.monotonic_ns()
        from firststep.launch import agent_bytecode, read_ahead
        from firststep.launch.recording import Recording

        words, environment = list(command), dict(os.environ)
        read_ahead.begin(plan, words, folder.path)
        recording = Recording(folder, words, plan, environment, watch, on_ready)
        recording.began(program.pid, start.before, executed)
        if watch:
            watch.began(program.pid)
        _see_through(program, recording, prepare, looking=watch is not None)
        recording.ended(None)
        trace = recording.trace()
        on_end(trace)
        agent_bytecode.ensure_for(trace)
    except Exception as error:
        say(f"firststep: the program goes on by itself: {type(error).__name__}: {error}")
        program.wait()
    finally:
        folder.remove()
        sweep()


def _see_through(program: _Program, recording: Recording, prepare: Callable[[], None], looking: bool) -> None:
    if not program.wait(recording.events, POLL_S):
        prepare()
        while not program.wait(recording.events, POLL_S if looking and not recording.seen_ready else None):
            recording.look()
    recording.look()


class _Program:
    """A process that will not be our child: this one. Known by a descriptor of it; without such, by its number and its start."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self._file = os.pidfd_open(pid)
        except (OSError, AttributeError):
            self._file = -1
        self._began = self._start_time()

    @property
    def descriptors(self) -> tuple[int, ...]:
        return (self._file,) if self._file >= 0 else ()

    def wait(self, events: int | None = None, timeout: float | None = None) -> bool:
        """Until it has ended, `events` is readable, or the time is over. True where it has ended."""
        others = [] if events is None else [events]
        if self._file >= 0:
            return self._file in readable((self._file, *others), timeout)
        while self._start_time() == self._began:
            if readable(others, POLL_S) or timeout is not None:
                return False
        return True

    def _start_time(self) -> bytes:
        try:
            with open(f"/proc/{self.pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            return b""
        return b"" if fields[0] in (b"Z", b"X") else fields[19]
