"""Imports and traces run in one chunk of the data stack, and look as they did."""

from __future__ import annotations

import sys

import pytest

PROGRAM = """
import sys, threading, traceback
import deep.m0
try:
    import deep.broken
except ZeroDivisionError:
    traceback.print_exc(file=sys.stdout)
try:
    import deep.missing
except ImportError as error:
    print(repr(error))
names = []
def elsewhere():
    import deep.m5
    names.append(deep.m5.VALUE)
thread = threading.Thread(target=elsewhere)
thread.start(); thread.join()
import deep.nested
print(names, deep.nested.depth)
"""
DEPTH = "import sys\ndepth = 0\nframe = sys._getframe()\nimport deep.m7\ndepth = deep.m7.VALUE\n"
THRASH = """
import resource

def leaf(a, b, c, d, e, f, g, h):
    return a

def down(depth):
    if depth:
        return down(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(3000):
        leaf(1, 2, 3, 4, 5, 6, 7, 8)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

worst = max(down(depth) for depth in range(200))
"""


def test_imports_and_their_errors_look_as_plainly(box):
    box.package("deep")
    box.write("deep/broken.py", "1 / 0\n")
    box.write("deep/nested.py", DEPTH)
    box.write("program.py", PROGRAM)
    ran = box.boost("program.py", options=("--only", "presize-data-stack"))
    assert ran.out == box.plain("program.py").out
    assert "presize-data-stack" in ran.said


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python has a data stack from 3.11 on")
def test_calls_within_an_import_map_no_memory(box):
    box.write("thrash.py", THRASH)
    box.write("program.py", "import thrash\nprint(thrash.worst)\n")
    plainly = int(box.plain("program.py").out)
    boosted = box.boost("program.py", options=("--only", "presize-data-stack"))
    assert boosted.live("presize-data-stack"), boosted.said
    assert int(boosted.out) * 10 < plainly


TRACED = """
import sys
import tensorflow as tf

@tf.function(autograph=False)
def traced():
    exec(open("thrash.py").read(), globals())
    print(worst, sys._getframe(1).f_code.co_name)

traced()
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("verb", [("boost", "--only", "presize-data-stack"), ("record",)])
def test_calls_within_a_trace_map_no_memory(box, tensorflow_python, verb):
    box.write("thrash.py", THRASH)
    box.write("program.py", TRACED)
    plainly, caller = box.plain("program.py", python=tensorflow_python).out.split()
    if int(plainly) < 1000:
        pytest.skip("this Python has no data stack")
    ran = box._run([sys.executable, "-m", "firststep.cli", *verb, "--", tensorflow_python, "program.py"])
    assert int(ran.out.split()[0]) * 10 < int(plainly)
    assert ran.out.split()[1] == caller
