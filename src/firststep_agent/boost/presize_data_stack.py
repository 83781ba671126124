"""Imports run in one large chunk of Python's data stack.

From 3.11 on, Python keeps the frames of Python functions in chunks of 16 KiB, which it maps when a call needs the next
one and unmaps when that call returns. Where a loop of calls happens to run across the end of a chunk, each call maps
and unmaps one. A frame that says that it needs much is given a chunk that holds much, and all that is called from it
uses the rest: the outermost import of each thread runs in such a frame.
"""

import _frozen_importlib
import sys
from _thread import get_ident

from firststep_agent.imports import disguised

ID = "presize-data-stack"
SLOTS = 33_000  # 258 KiB: more than half of the chunk that CPython makes for it (512 KiB, of which only used pages count)


def start(run, settings):
    if sys.version_info < (3, 11):
        run.note(ID, "refused", reason="Python has a data stack from 3.11 on")
        return
    original, within = _frozen_importlib._find_and_load, set()

    def in_large_frame(name, import_):
        return original(name, import_)

    in_large_frame = disguised(in_large_frame, co_stacksize=SLOTS)
    outermost = [0]

    def _find_and_load(name, import_):
        thread = get_ident()
        if thread in within:
            return original(name, import_)
        within.add(thread)
        outermost[0] += 1
        try:
            return in_large_frame(name, import_)
        finally:
            within.discard(thread)

    def report():
        if outermost[0]:
            run.note(ID, "live", imports=outermost[0])
            outermost[0] = 0

    run.replace(_frozen_importlib, "_find_and_load", disguised(_find_and_load))
    run.on_ready(report)
    run.on_exit(report)
