"""Objects behind which there is a whole library: to look through them takes longer than a trace, and they are refused at once."""

from pathlib import Path

import pytest
from replay_harness import lab  # noqa: F401

from firststep_agent.boost.cache_functions.reads import snapshot, trace_reads
from firststep_agent.boost.traces import libraries, unchanged

LARGE = """
import sys
import numpy as np, tensorflow as tf
sys.path.insert(0, {folder!r})
import large_library

table = large_library.Table()
w = tf.Variable(np.eye(3, dtype="f4"))

@tf.function
def step(x):
    for number in range(20):
        x = tf.tanh(x @ w * table.first())
    return tf.reduce_sum(x)

@tf.function
def other(x):
    for number in range(20):
        x = tf.sin(x @ w)
    return tf.reduce_sum(x)

print(float(step(tf.ones([3, 3]))), float(other(tf.ones([3, 3]))))
"""


def library(functions):
    methods = [f"    def m{number}(self):\n        return {number}\n" for number in range(functions)]
    return "class Table:\n    def first(self):\n        return 1.5\n" + "".join(methods)


@pytest.mark.tensorflow
def test_it_is_refused_at_once_and_named(lab, tmp_path_factory):  # noqa: F811
    folder = tmp_path_factory.mktemp("library")
    Path(folder, "large_library.py").write_text(library(trace_reads.MOST_FUNCTIONS + 10))
    laboratory = lab(LARGE.format(folder=str(folder)))
    plain = laboratory.plain()
    for answered in ([], [], ["other"]):
        ran = laboratory.boost()
        (reason,) = ran.reasons("refused")
        assert "it can reach more than 5,000 functions, most of them of `large_library`" in reason
        assert ran.out == plain.out and ran.functions("live") == answered, ran.notes


class Holds:
    def __init__(self, held):
        self.held = held


def table(functions):
    space = {}
    exec(compile(library(functions), __file__, "exec"), space)
    return space["Table"]()


def test_frameworks_do_not_count():
    import numpy

    roots = [("self", Holds(table(20))), ("numpy", numpy)]
    assert snapshot.Snapshot(roots, 30).walk.objects
    with pytest.raises(snapshot.TooMuch):
        snapshot.Snapshot(roots, 10)


def test_a_look_ends_at_the_first_doubt(monkeypatch):
    """And goes not first through all that lies behind it."""
    asked, plain = [], libraries.why_not
    monkeypatch.setattr(libraries, "why_not", lambda code, scope: asked.append(code) or plain(code, scope))
    held = table(500)

    def asks():
        return open, held

    assert "names `open`" in unchanged.Reach([asks]).doubt
    assert len(asked) < 10
