"""What says something when it goes at the program's end says it: no class that we have looked at keeps its module's names."""

import pytest

PROGRAM = """
import os, sys
import tensorflow as tf

class Says:
    def __del__(self):
        os.write(1, b"gone\\n")

class Slotted:
    __slots__ = ("w",)

    def __init__(self):
        self.w = tf.Variable(2.0)

kept, slotted = Says(), Slotted()

@tf.function
def double(x):
    return x * slotted.w

print(double(tf.constant(3.0)).numpy(), flush=True)
"""


@pytest.mark.tensorflow
def test_an_object_of_the_program_that_says_so(box, tensorflow_python):
    box.write("program.py", PROGRAM)
    plain = box.plain("program.py", python=tensorflow_python)
    assert plain.out.endswith("gone\n")
    options = ("--proof", "wait", "--set", "cache-functions.replay_over_ms=0")
    for _ in ("learned", "confirmed", "answered"):
        boosted = box.boost("program.py", options=options, python=tensorflow_python)
        assert (boosted.code, boosted.out) == (0, plain.out), boosted.said
    assert boosted.live("cache-functions"), boosted.said
