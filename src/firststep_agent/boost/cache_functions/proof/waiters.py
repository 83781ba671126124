"""Whether a thread of the program's waits for any child, as a supervisor's does: it would be told of the process between (`fork`)."""

import platform

from firststep_agent.as_found import open, os
from firststep_agent.boost.traces import others
from firststep_agent.signals import is_theirs

_CALLS = {"x86_64": (61, 247), "aarch64": (260, 95)}  # wait4(pid, …), waitid(kind, …)
_ONE = 1  # P_PID, of waitid's kinds
_NEGATIVE = 1 << 31  # of a number of 32 bits


def wait_for_any() -> bool:
    """Asked of the kernel, which tells of each thread in which call it is."""
    return bool(others.threads()) and any(map(_waits, os.listdir("/proc/self/task")))


def _waits(thread: str) -> bool:
    try:
        with open(f"/proc/self/task/{thread}/syscall", encoding="utf-8") as file:
            number, *arguments = file.read().split()
    except (OSError, ValueError) as error:  # it has ended, or the kernel does not tell
        if is_theirs(error):
            raise
        return False
    wait4, waitid = _CALLS.get(platform.machine(), (None, None))
    if number == str(wait4):
        pid = int(arguments[0], 16) & 0xFFFFFFFF
        return pid == 0 or pid >= _NEGATIVE
    return number == str(waitid) and int(arguments[0], 16) != _ONE
