"""Python's data stack: a chunk large enough for the frames of all that a function calls.

From 3.11 on, Python keeps the frames of Python functions in chunks of 16 KiB, which it maps when a call needs the next
one and unmaps when that call returns. Where a loop of calls happens to run across the end of a chunk, each call maps
and unmaps one. A frame that says that it needs much is given a chunk that holds much, and all that is called from it
uses the rest.
"""

import sys

EXISTS = sys.version_info >= (3, 11)
SLOTS = 33_000  # 258 KiB: more than half of the chunk that CPython makes for it (512 KiB, of which only used pages count)


def presize(run, function):
    """Until ready, all that `function` calls has its frames in a chunk of its own."""
    if not EXISTS:
        return
    plain = function.__code__
    replacement = function.__code__ = large(plain)

    def restore():
        if function.__code__ is replacement:
            function.__code__ = plain

    run.on_ready(restore)


def large(code):
    """The code, of a frame that says that it needs much."""
    return code.replace(co_stacksize=SLOTS)
