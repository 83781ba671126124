"""Nothing that the child does is seen outside of it: the kernel refuses it every system call that could have an effect.

It may read files, manage memory, wait, start threads and copies of itself; all else fails with EPERM. Where it would change a file or a
folder it ends, without a verdict: a trace that takes the failure for granted would show nothing of what it does. What it inherited is
closed, and of the memory that it would share with others (semaphores, files mapped for writing) it has a copy.
"""

import ctypes
import io
import platform
import signal
import struct
import sys

from firststep_agent import kinds
from firststep_agent.as_found import open, os
from firststep_agent.pythons_own import pythons_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

mmap, resource = pythons_own("mmap"), pythons_own("resource")
_ALLOW, _REFUSE, _NOT_A_TERMINAL, _END = 0x7FFF0000, 0x00050001, 0x00050019, 0x80000000  # SECCOMP_RET_*: EPERM, ENOTTY
_MOST_SHARED = 64 << 20  # bytes of shared memory that a child copies
_FIXED = 0x10  # MAP_FIXED
_SET_PARENT_DEATH_SIGNAL, _SET_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 1, 38, 22, 2
_LOAD, _EQUAL, _MASK, _RETURN = 0x20, 0x15, 0x45, 0x06  # BPF: load word, jump if equal, jump if any bit is set, return
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in seccomp_data; arguments follow from 16 on, 8 bytes each
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | getattr(os, "O_TMPFILE", 0) & ~os.O_DIRECTORY

# machine: (AUDIT_ARCH, openat, open or None, ioctl, numbers of what is allowed: nothing that names another process, writes to a
# file system, reaches a network, or sets a timer of the kernel's; of what changes a file system)
_X86 = """0 1 3 4 5 6 7 8 9 10 11 12 13 14 15 17 19 20 21 22 23 24 25 26 27 28 32 33 34 35 36 37 38 39 56 57 60 61 63 72 79 80
    81 89 95 96 97 98 99 100 102 104 107 108 110 111 115 118 120 121 124 125 127 128 131 137 138 140 143 145 146 147 157
    158 160 186 187 191 192 201 202 204 217 218 219 221 228 229 230 231 232 233 237 238 239 247 257 262 267 269 270 271
    273 274 281 284 290 291 293 309 315 318 324 332 334 435 439 441 449"""
_ARM = """17 19 20 22 23 24 25 43 44 48 49 50 56 57 59 61 62 63 64 65 67 72 73 78 79 80 93 94 96 98 99 100 101 102 103 113 114
    115 120 121 123 124 126 127 128 132 133 134 135 136 137 139 141 153 155 156 160 163 164 165 166 167 168 169 172 173
    174 175 176 177 178 179 214 215 216 220 222 223 226 232 233 234 235 236 260 275 278 283 291 293 435 439 441 449"""
_X86_CHANGES = "76 77 82 83 84 85 86 87 88 90 92 94 132 133 188 235 258 259 260 261 263 264 265 266 268 280 285 316"
_ARM_CHANGES = "5 6 33 34 35 36 37 38 45 46 47 53 54 88 276"
_TIMERS = {"x86_64": (222, 223), "aarch64": (107, 110)}  # timer_create, timer_settime
_MONOTONIC, _PROCESSOR_TIME, _SIGNAL_OF_EVENT = 1, 2, 8  # CLOCK_…, CLOCK_PROCESS_CPUTIME_ID; where a `struct sigevent` names its signal
_MACHINES = {
    "x86_64": (0xC000003E, 257, 2, 16, [int(n) for n in _X86.split()], [int(n) for n in _X86_CHANGES.split()]),
    "aarch64": (0xC00000B7, 56, None, 29, [int(n) for n in _ARM.split()], [int(n) for n in _ARM_CHANGES.split()]),
}


class Unavailable(Exception):
    """There is no such sandbox on this machine; says why."""


def check() -> None:
    """Raises Unavailable where the program shares memory that a child cannot have for itself, or the machine is not known."""
    if platform.machine() not in _MACHINES:
        raise Unavailable(f"system calls of {platform.machine()} are not known")
    size = 0
    for first, last, name in _shared():
        size += last - first
        if name.startswith("/dev/") and not name.startswith(("/dev/zero (deleted)", "/dev/shm/")):
            raise Unavailable(f"the program shares memory with a device ({name})")
    if size > _MOST_SHARED:
        raise Unavailable(f"the program shares {size >> 20} MB of memory")


def shared_now() -> "list[tuple[int, bytes, str]]":
    """(first address, contents, name) of the memory that a child would share with the program. Asked before it forks: once it has, the
    program goes on, and writes there."""
    return [(first, ctypes.string_at(first, last - first), name) for first, last, name in _shared()]


def keep_to_itself(shared: "list[tuple[int, bytes, str]]") -> None:
    """In the child: what it shared with other processes or files (semaphores, arrays, mapped files) it has for itself, as it was."""
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long
    for first, held, name in shared:
        rights, kind = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _FIXED
        if library.mmap(first, len(held), rights, kind, -1, 0) != first:
            raise Unavailable(f"the program shares memory ({name})")
        ctypes.memmove(first, held, len(held))


def _shared() -> "Iterator[tuple[int, int, str]]":
    """(first address, last, name) of the memory that others see when it is written, firststep's own apart."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            addresses, rights, *_, name = line.split(None, 5)
            if rights[1] == "w" and rights[3] == "s" and not _is_ours(line):
                first, last = (int(address, 16) for address in addresses.split("-"))
                yield first, last, name.strip()


_own: "list" = []  # (first address, last address) of mappings that are firststep's own


def own(address: int, size: int) -> None:
    """Makes a shared mapping of our own known."""
    _own.append((address, address + size))


def disown(address: int) -> None:
    """A mapping of our own is gone."""
    _own[:] = [each for each in _own if each[0] != address]


def _is_ours(line: str) -> bool:
    first, _, last = line.split(None, 1)[0].partition("-")
    return any(begin <= int(first, 16) and int(last, 16) <= end + 65536 for begin, end in _own)


def close_all() -> None:
    """Standard streams on the null device, everything else closed. So also files that the program, or what tests it, has put in the
    place of the streams: what a trace prints there would be an error, and no proof came to a verdict."""
    null = os.open(os.devnull, os.O_RDWR)
    streams: set[Any] = {0, 1, 2, *map(_number, (sys.stdout, sys.stderr))} - {None}
    for number in streams:
        os.dup2(null, number)
    most = 1 + max(map(int, os.listdir("/proc/self/fd")))  # the limit may be lower by now than it was
    kept = sorted(streams)
    for before, number in zip(kept, (*kept[1:], most)):
        os.closerange(before + 1, number)


def _number(stream: "Any") -> "int | None":
    """The descriptor that a stream of Python's own class writes to, None where it has none."""
    if not kinds.is_a(stream, io.TextIOWrapper):
        return None
    try:
        return io.TextIOWrapper.fileno(stream)
    except (OSError, ValueError):  # io.UnsupportedOperation is both
        return None


def limit(more_bytes: int) -> None:
    """The lowest priority, no core files, and at most so many bytes of address space beyond what there is."""
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except OSError:
        os.nice(19)
    _be_ended_first()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/statm", encoding="utf-8") as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = now + more_bytes if hard < 0 else min(now + more_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _be_ended_first() -> None:
    """Where the machine or the container runs out of memory: a look at everything makes most of the program's memory one's own, and
    both look equally large to the kernel."""
    try:
        with open("/proc/self/oom_score_adj", "wb", buffering=0) as file:
            file.write(b"1000")
    except OSError:  # no such file system here
        pass


class End:
    """When the kernel ends this process, whatever it hangs in: neither a lock nor the program's code keeps it alive.

    Not by `faulthandler`: it would wait for the thread that bounds the program's own time, which is not in the child. Made before the
    sandbox, which allows no timer to be set.
    """

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)
        self._make, self._set = _TIMERS[platform.machine()]
        self._elapsed, self._used = self._timer(_MONOTONIC), self._timer(_PROCESSOR_TIME)

    def _timer(self, clock: int) -> int:
        event = ctypes.create_string_buffer(64)
        struct.pack_into("i", event, _SIGNAL_OF_EVENT, signal.SIGKILL)
        number = ctypes.c_int()
        self._call(self._make, clock, event, ctypes.byref(number))
        return number.value

    def be_after(self, used_s: float, elapsed_s: float) -> None:
        """After so many seconds more of processor time, or so many by the clock, and not when it was to be before."""
        for timer, seconds in (self._used, used_s), (self._elapsed, elapsed_s):
            whole = int(seconds)
            times = struct.pack("4l", 0, 0, whole, max(int((seconds - whole) * 1e9), 1))
            self._call(self._set, timer, 0, times, None)

    def _call(self, *arguments: "Any") -> None:
        if self._library.syscall(*arguments):
            raise Unavailable(f"the kernel gives no timer ({os.strerror(ctypes.get_errno())})")


class EndWith:
    """The end of a process when its parent has ended, which makes this before it forks: what is made for it is in both."""

    def __init__(self) -> None:
        self._library, self._parent = ctypes.CDLL(None), os.getpid()
        self._library.prctl(_SET_PARENT_DEATH_SIGNAL, 0, 0, 0, 0)  # none, as before: looked up

    def now(self) -> None:
        """In the child, from here on. Raises Unavailable where its parent has ended."""
        if self._library.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0) or os.getppid() != self._parent:
            raise Unavailable("the child that traces has ended")


def enter() -> None:
    """From here on no system call has an effect outside of this process. Raises Unavailable."""
    sys.dont_write_bytecode = True  # of a module that a trace is the first to import
    program = _program(*_MACHINES[platform.machine()])
    library = ctypes.CDLL(None, use_errno=True)

    class Filter(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]

    held = ctypes.create_string_buffer(program)
    described = Filter(len(program) // 8, ctypes.addressof(held))
    if library.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or library.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(described), 0, 0):
        raise Unavailable(f"the kernel gives no sandbox ({os.strerror(ctypes.get_errno())})")


def _program(architecture: int, openat: int, plain_open: "int | None", ioctl: int, allowed: "list[int]", changes: "list[int]") -> bytes:
    lines = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _REFUSE), (_LOAD, 0, 0, _NUMBER)]
    for number, argument in ((openat, 2), (plain_open, 1)):
        if number is not None:  # allowed for reading alone
            lines += [(_EQUAL, 0, 4, number), (_LOAD, 0, 0, 16 + 8 * argument), (_MASK, 0, 1, _WRITING),
                      (_RETURN, 0, 0, _END), (_RETURN, 0, 0, _ALLOW)]
    for number in changes:
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _END)]
    lines += [(_EQUAL, 0, 1, ioctl), (_RETURN, 0, 0, _NOT_A_TERMINAL)]
    for number in allowed:
        if number != openat:
            lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    lines.append((_RETURN, 0, 0, _REFUSE))
    return b"".join(struct.pack("HBBI", *line) for line in lines)
