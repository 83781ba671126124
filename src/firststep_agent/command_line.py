"""The words that this process was started with: the interpreter, its options, the program, its arguments."""

import sys

from firststep_agent.as_found import open, os

_known: "list[list[str]]" = []  # asked for once: a forked child has them from its parent


def command_line() -> "list[str]":
    """As Python has them from 3.10 on, and the kernel before."""
    if not _known:
        _known.append(getattr(sys, "orig_argv", None) or _of_the_kernel())
    return _known[0]


def _of_the_kernel() -> "list[str]":
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
    except OSError:  # no such file system is mounted: the program and its arguments
        return sys.argv
