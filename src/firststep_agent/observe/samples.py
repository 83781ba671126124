"""Where the main thread is, up to sixty times a second at first, and what it waits for; also writes the trace out.

Samples fill in what no span explains: the user's lines, and functions of libraries that have no hook. They cost what
BUDGET allows, and nothing at all between samples, however many calls the program makes.
"""

import sys
from _functools import partial
from _thread import allocate_lock, get_ident, get_native_id

from firststep_agent.as_found import os, time
from firststep_agent.clock import now, thread_time_ns
from firststep_agent.imports import is_import_system
from firststep_agent.observe import cells, converted, kernel_files, stacks
from firststep_agent.observe.shortages import Shortages
from firststep_agent.observe.turns import Turns
from firststep_agent.ownership import is_ours
from firststep_agent.threads import start_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

SHORTEST, LONGEST = 0.015, 0.100  # seconds between samples
BUDGET = 0.01  # of one CPU: a sample of a deep stack is followed by a longer pause
FINE = 1e-4  # of the time so far: what goes on for days needs no more of its moments, and their trace would fill a disk
FLUSH_EVERY_NS = 250_000_000
LONGEST_PAUSE_NS = 200_000_000
FORK_LOOKS_AT_THREADS = sys.version_info >= (3, 12)  # after the hooks of a fork have run
STILL_NS, WORK_NS = 8_000_000_000, 50_000_000  # so long in one place, with so little work at most: the other threads are looked at
MOST_OTHERS = 50
BUSY_NS = 50_000_000  # of CPU since it was last seen: a thread of the program's that works meanwhile
NoneType = type(None)
HELD_UP_NS = 30_000_000  # who needs so much longer for a sample was kept from Python's lock
looks: "list[Callable[[int], object]]" = []  # what else looks at something at each sample: called with its moment, by the sampling thread


def start(run: "Any", settings: "dict[str, Any]") -> None:
    sampler = Sampler(run)
    sampler.begin()
    run.on_ready(sampler.end)
    run.on_exit(sampler.end)
    run.on_fork(sampler.restart_after_fork)
    cells.watch(run)


class Sampler:
    """Samples the thread that created it, from a thread of its own that `threading` does not list."""

    _kernel: "_KernelView | None"
    _shortages: "Shortages | None"
    _tid: "int | None"
    _still: "tuple[int, int, int | None] | None"
    _held: "list[tuple[int, int]]"
    _ran: "dict[int, int]"

    def __init__(self, run: "Any") -> None:
        self._run = run
        self._main = get_ident()
        self._running = False
        self._paused = False
        self._quota_folder: str | None = None
        self.cost_ns = 0
        self._turns = Turns()
        self._looking = allocate_lock()  # held while something of the frameworks' is looked at, which no child may inherit half done
        self._forget()
        if FORK_LOOKS_AT_THREADS:
            run.at_fork(before=self._pause)
            run.on_forked(self._resume)
        else:
            run.at_fork(before=self._stop_looking, after_in_parent=self._look_again)

    def _forget(self) -> None:
        self._frames: dict[tuple[int, ...], int | None] = {}  # (id of the code, instruction) -> id of the frame's record; None: not kept
        self._codes: list[CodeType] = []  # kept alive, so that their ids stay theirs
        self._stacks: dict[tuple[int, ...], int] = {}  # ids of frames, outermost first -> id
        self._kernel = self._shortages = None
        self._at, self._held = 0, []  # when we last had Python's lock; [(moment, stack), ...] of who had held it from us, until recorded
        self._still = None  # (stack, ns of work, since) of the main thread; since: None once the others were looked at
        self._ran = {}  # native id -> CPU time of a thread of the program's, when that was last recorded
        self._threads = 0  # that `threading` has started and were there at once, the main one with them

    def begin(self) -> None:
        self._began = now()
        self._kernel, self._shortages = _KernelView(), Shortages(self._run.recorder, os.getpid(), self._quota_folder)
        self._quota_folder = self._shortages.folder
        self._start_thread()
        self._running = True

    def _start_thread(self) -> None:
        self._wake, self._ended, self._tid = allocate_lock(), allocate_lock(), None
        self._wake.acquire()
        self._ended.acquire()
        start_thread(self._loop, self._wake, self._ended, now())

    def end(self) -> None:
        if self._running:
            self._running = False
            self._stop_thread()
            self._sample(now(), stacks.stack(self._main))
            self._shortages.look(now(), self._back)
            self._kernel.close()
            self._shortages.close()
            self._run.recorder.record("c", "sampler_cpu_ns", self.cost_ns)
            self._run.recorder.record("c", "python_threads", self._threads)

    def _pause(self) -> None:
        """From Python 3.12 on, a process that has another thread when it forks is warned: ours must be gone by then."""
        if self._running and self._run.ready_ns is None:
            self._running, self._paused = False, True
            deadline = now() + LONGEST_PAUSE_NS
            if self._stop_thread():
                while now() < deadline and os.access(f"/proc/self/task/{self._tid}", os.F_OK):
                    time.sleep(0.00002)

    def _stop_thread(self) -> bool:
        """Whether it runs none of our code any more, which a program that monitors all of its threads would see."""
        self._wake.release()
        return self._ended.acquire(timeout=LONGEST_PAUSE_NS * 1e-9)

    def _resume(self) -> None:
        if self._paused:
            self._start_thread()  # where no thread can be had, the next fork tries again
            self._paused, self._running = False, True

    def _stop_looking(self) -> None:
        self._paused = self._looking.acquire(timeout=LONGEST_PAUSE_NS * 1e-9)

    def _look_again(self) -> None:
        if self._paused:
            self._paused = False
            self._looking.release()

    def restart_after_fork(self) -> None:
        looks.clear()  # what was under way is the parent's
        self._looking = allocate_lock()
        self._paused = False
        self._running = False
        self._turns.end()
        if self._kernel:
            self._kernel.close()  # those files speak of the parent
            self._shortages.close()
        if not self._run.finished:
            self._main = get_ident()
            self._forget()
            self.begin()

    def _loop(self, wake: "LockType", ended: "LockType", begun: int) -> None:
        self._tid, self._at = get_native_id(), begun
        try:
            self._turns.be_on_time()
            self._back()
            self._record_who_held_us_up()
            self._sample_until(wake)
        finally:
            self._turns.end()
            ended.release()

    def _sample_until(self, wake: "LockType") -> None:
        flushed = now()
        interval = SHORTEST
        while True:
            due = now() + int(interval * 1e9)
            woken, t, worked, stack = stacks.after(partial(wake.acquire, True, interval), self._main)
            if woken:
                break
            try:
                if self._turns.missed((t - due) * 1e-9, (worked - self.cost_ns) * 1e-9, stack):
                    interval, self.cost_ns = SHORTEST, worked
                    continue
                self._sample(t, stack)
                self._shortages.look(t, self._back)
                if t - flushed > FLUSH_EVERY_NS:
                    self._look_who_works(t)
                    self._run.recorder.open_spans()
                    self._run.recorder.flush(reopen=False)
                    flushed = t
                    self._back()
                self._record_who_held_us_up()
            except Exception as error:
                self._run.failed("sampler", error)
                break
            spent, self.cost_ns = self.cost_ns, thread_time_ns()
            interval = _pause(self.cost_ns - spent, t - self._began)

    def _back(self) -> None:
        """Called wherever we had let go of Python's lock, as each call of the kernel does: looks where the main thread is, if a call of C
        held the lock since then. That call is over, and not left yet, for who comes out of it gives the lock to us first; seen after the
        next call of the kernel, all of its time would be a later line's."""
        t = now()
        if t - self._at > HELD_UP_NS:
            self._held.append((t, self._number(stacks.stack(self._main))))
        self._at = t

    def _record_who_held_us_up(self) -> None:
        while self._held:
            held, self._held = self._held, []
            kernel = self._kernel.read(self._back)
            for t, stack in held:
                self._run.recorder.record("p", t, stack, *kernel)

    def _sample(self, t: int, stack_of_main: "stacks.Stack") -> None:
        self._at = t
        stack, kernel = self._number(stack_of_main), self._kernel.read(self._back)
        self._run.recorder.record("p", t, stack, *kernel)
        self._count_threads()
        if kernel[0] == "S" and self._still is not None and self._still[0] == stack:
            self._sample_called(t)
        if self._still is None or self._still[0] != stack or kernel[2] - self._still[1] > WORK_NS:
            self._still = stack, kernel[2], t
        elif self._still[2] is not None and t - self._still[2] > STILL_NS:
            self._still = *self._still[:2], None
            self._sample_others(t)
        if looks and self._looking.acquire(False):
            try:
                for look in looks:
                    look(t)
            finally:
                self._looking.release()

    def _count_threads(self) -> None:
        """Threads of native code that have met `threading` are none of Python's."""
        threading = sys.modules.get("threading")
        active = getattr(threading, "_active", {})
        if len(active) > self._threads:
            met = getattr(threading, "_DummyThread", None)
            self._threads = max(self._threads, sum(type(one) is not met for one in list(active.values())))

    def _look_who_works(self, t: int) -> None:
        """Threads that Python's own `threading` knows, which have worked: one at a time runs Python."""
        seen = []
        for ident, thread in self._others() if self._threads > 1 else ():
            number, name = _identity(thread)
            ran, _ = kernel_files.scheduled(f"self/task/{number}")
            if ran - self._ran.get(number, 0) >= BUSY_NS:
                self._ran[number] = ran
                seen.append([number, name, ran, self._number(stacks.stack(ident))])
        if seen:
            self._run.recorder.record("y", t, seen)

    def _others(self) -> "list[tuple[int, Any]]":
        threads = list(getattr(sys.modules.get("threading"), "_active", {}).items())[:MOST_OTHERS]
        return [(ident, thread) for ident, thread in threads if ident != self._main]

    def _sample_others(self, t: int) -> None:
        """Where the threads are that Python's own `threading` knows: the main thread may wait for one of them."""
        seen = [[*_identity(thread), self._number(stacks.stack(ident))] for ident, thread in self._others()]
        if seen:
            self._run.recorder.record("w", t, seen)

    def _sample_called(self, t: int) -> None:
        """What native threads call of the program's, as a pipeline that the main thread waits for does: they have frames of Python, and
        `threading` has not started them. Whether it works or waits itself is told by what the process has worked so far."""
        threading = sys.modules.get("threading")
        started, met = getattr(threading, "_active", {}), getattr(threading, "_DummyThread", None)
        found = False
        for thread in stacks.threads():
            if thread != self._main and type(started.get(thread)) in (NoneType, met):
                stack = stacks.stack(thread)
                if stack and not is_ours(stack[-1][0].co_filename):
                    self._run.recorder.record("b", t, self._number(stack))
                    found = True
        if found:
            self._run.recorder.record("i", t, time.process_time_ns())

    def _number(self, stack: "stacks.Stack") -> int:
        """The id of a stack, which is recorded where it is new."""
        known, frames = self._frames, []
        for code, instruction in stack:
            key: tuple[int, ...] = (id(code), instruction)  # a code object's own hash, and f_lineno, cost microseconds
            number = known.get(key, -1)
            if number == -1:
                number = known[key] = self._new_frame(code, instruction)
            if number is not None:
                frames.append(number)
        frames.reverse()
        stacked = tuple(frames)
        known_as = self._stacks.get(stacked)
        if known_as is None:
            known_as = self._stacks[stacked] = len(self._stacks)
            self._run.recorder.record("k", known_as, frames)
        return known_as

    def _new_frame(self, code: "CodeType", instruction: int) -> "int | None":
        """Records the frame; the import system's own, five to an import, say nothing and are left out."""
        self._codes.append(code)
        if is_import_system(code.co_filename):
            return None
        number = len(self._codes)
        line = stacks.line(code, instruction)
        place = converted.stands_for(code.co_filename, line)
        if place is None:
            place = code.co_filename, getattr(code, "co_qualname", code.co_name), code.co_firstlineno, line
        self._run.recorder.record("f", number, *place)
        return number


def _pause(cost_ns: int, so_far_ns: int) -> float:
    """Seconds after a sample that took so much CPU time, so long after the first."""
    return max(min(LONGEST, max(SHORTEST, cost_ns * 1e-9 / BUDGET)), so_far_ns * 1e-9 * FINE)


def _identity(thread: "Any") -> "tuple[int, str]":
    """(native id, name), without running anything of the program's: its class may have a `name` of its own."""
    own = object.__getattribute__(thread, "__dict__")
    number, name = own.get("_native_id"), own.get("_name")
    return (number if type(number) is int else 0), (name if type(name) is str else "")


class _KernelView:
    """What the kernel says of the main thread: state letter, system call, nanoseconds running and runnable.

    The letter is read off `syscall`, which costs half of what `stat` does: blocked outside any system call is a page
    fault that waits for the disk.
    """

    def __init__(self) -> None:
        task = f"/proc/self/task/{os.getpid()}/"
        self._files = [kernel_files.opened(task + name) for name in ("schedstat", "syscall")]

    def read(self, back: "Callable[[], None]") -> "tuple[str, int, int, int]":
        """(state, system call number or -1, ns on a CPU, ns waiting for a CPU). back: called after each call of the kernel."""
        schedstat, syscall = (kernel_files.read(file, back).split() for file in self._files)
        ran = waited = 0
        state, call = "?", -1
        try:
            ran, waited = map(int, schedstat[:2])
            if syscall[0] == b"running":
                state = "R"
            else:
                call = int(syscall[0])
                state = "S" if call >= 0 else "D"
        except (ValueError, IndexError):
            pass
        return state, call, ran, waited

    def close(self) -> None:
        for file in self._files:
            if file is not None:
                file.close()
        self._files = [None, None]
