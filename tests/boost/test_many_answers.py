"""Several answers of one start are proved, each by a process of its own."""

from __future__ import annotations

import re

import pytest
from programs import TARGET

PROGRAM = """
import tensorflow as tf
for name in "abcdef":
    exec(f"def {name}(x): return x + {ord(name)}")
    print(tf.function(globals()[name], autograph=False)(tf.ones([])))
"""
OPTIONS = ("--set", "cache-functions.replay_over_ms=0", "--proof", "wait")


@pytest.mark.suite
@pytest.mark.tensorflow
def test_what_ends_one_proof_leaves_the_others_alone(box):
    box.write("program.py", PROGRAM)
    plain = box.plain("program.py", python=TARGET)
    for _ in range(2):
        box.boost("program.py", options=OPTIONS, python=TARGET)
    ran = box.boost("program.py", options=OPTIONS, python=TARGET)
    assert ran.out == plain.out
    for told in ("proved", "live"):
        assert re.findall(rf"^      {told} \(function (\w+)", ran.said, re.M) == list("abcdef"), ran.said
