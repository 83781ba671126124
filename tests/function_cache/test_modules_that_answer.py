"""Modules with a `__getattr__` of their own (PEP 562): AutoGraph asks each that a function's globals hold for its `__module__`."""

import textwrap

import pytest
from replay_harness import check_same, lab  # noqa: F401

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


@pytest.mark.parametrize("within, asks", [
    pytest.param(".", "getattr(late, 'la' + 'te')", marks=pytest.mark.suite), ("site-packages", "late.late")])
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
