"""The words that this process was started with: the interpreter, its options, the program, its arguments."""

import os
import sys


def command_line() -> "list[str]":
    """As Python has them from 3.10 on, and the kernel before."""
    words = getattr(sys, "orig_argv", None)
    if words is None:
        try:
            with open("/proc/self/cmdline", "rb") as file:
                words = [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]
        except OSError:  # no such file system is mounted: the program and its arguments
            words = sys.argv
    return words
