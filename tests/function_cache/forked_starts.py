"""Run by the interpreter of the programs: starts programs in forks of itself (forking.py), plainly or boosted, as often as it is asked to.

A start takes half the time of a process of its own, and does the same, or a test of what it prints fails.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import forking

del sys.path[0], sys.modules["forking"]  # none of the program's


def begin(job):
    """In the fork: makes it the process that was asked for."""
    forking.speak_into(job["out"], job["err"])
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.path[0] = os.path.dirname(job["words"][0])
    return forking.as_main(job["words"])


import tensorflow  # noqa: E402, F401

work = forking.serve(begin)
if work is not None:
    exec(*work)  # the program's end is the process's
