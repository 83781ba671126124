"""Modules with a `__getattr__` of their own (PEP 562): AutoGraph asks each that a function's globals hold for its `__module__`."""

import textwrap

import pytest
from programs import has_keras_2
from replay_harness import check_replayed, check_same, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

LATE = """
LEVEL = 2.

def __getattr__(name):
    if name == "late":
        return LEVEL * [1. for _ in "a"][0]
    raise AttributeError(name)
"""
CACHED = """
import functools
size = 3.

@functools.lru_cache(None)
def __getattr__(name):
    raise AttributeError(name)
"""
PROGRAM = """
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "site-packages"))
import late
import plots
import tensorflow as tf

@tf.function
def unasked(x):
    return x * plots.size

@tf.function
def asked(x):
    return x * late.late

print(unasked(tf.ones(2)).numpy(), asked(tf.ones(2)).numpy())
"""


@pytest.mark.suite
@pytest.mark.parametrize("within, asks", [
    (".", "getattr(late, 'la' + 'te')"), ("site-packages", "late.late")])
def test_what_a_module_answers_is_read_and_hinders_no_answer(lab, tmp_path, within, asks):  # noqa: F811
    folder = tmp_path / within
    folder.mkdir(exist_ok=True)
    (folder / "late.py").write_text(LATE)
    (folder / "plots.py").write_text(CACHED)
    laboratory = lab(textwrap.dedent(PROGRAM).replace("late.late", asks))
    check_same(laboratory, ["unasked", "asked"])
    (folder / "late.py").write_text(LATE.replace("2.", "5."))
    ran = laboratory.boost()
    assert ran.out == laboratory.plain().out == "[3. 3.] [5. 5.]\n"
    assert "asked" not in ran.functions("live")


UNASKED = """
import sys, types
import tensorflow as tf

asked = []


def of_any_name(name):
    asked.append(name)
    {answers}


for name in ("by_hand", "0" * 40, "tensorflow_settings", "by.hand"):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__getattr__ = of_any_name


class Stub:
    def __getattr__(self, name):
        return of_any_name(name)


sys.modules["stub"] = Stub()


@tf.function(autograph=False)
def step(x):
    return x * 2.


print(step(tf.ones(2)).numpy(), asked)
"""


@pytest.mark.parametrize("answers", ["raise RuntimeError(name)", "return 2.0", "raise AttributeError(name)"])
def test_a_module_that_was_made_by_hand_is_asked_no_more_than_plainly(lab, answers):  # noqa: F811
    laboratory = lab(UNASKED.replace("{answers}", answers))
    assert laboratory.plain().out.startswith("[2. 2.] [")  # whom TensorFlow asks; nobody else does
    check_same(laboratory, ["step"])


STANDS_IN = """
import keras
import tensorflow as tf

w = tf.Variable(2.0)


@tf.function
def softmax(x):
    return tf.reduce_sum(keras.ops.softmax(x) * w)


print(softmax(tf.ones((2,))).numpy(), type(vars(tf)["keras"]).__name__)
"""


@pytest.mark.skipif(has_keras_2(), reason="with Keras 2 nothing stands in for it")
def test_what_stands_for_a_module_that_nobody_has_asked_for_is_not_asked(lab):  # noqa: F811
    """TensorFlow's `tf.keras` loads itself when it is asked for anything: that is neither the learning start's to do, nor a proof's."""
    check_replayed(lab(STANDS_IN), functions=["softmax"])
