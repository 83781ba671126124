"""The filter over all of the program's own state: which parts are another, and what is said of them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from replay_harness import lab  # noqa: F401

from firststep_agent.boost.cache_functions.reads import whole

PARTS = """
import json, sys
sys.path[:0] = sys.argv[1:3]
import library_of_sets
from firststep_agent.boost.cache_functions.reads import whole
print(json.dumps(whole.Whole(lambda x: x).parts))
"""
LIBRARY = """
import types
NAMES = list({"one", "two", "three", "four", "five", b"six"})
BY_NAME = {name: 1 for name in {"one", "two", "three", "four", "five"}}
options = types.SimpleNamespace(depth=tuple({"one", "two", "three", "four"}))
LARGE = dict.fromkeys(range(4000))
def function(): pass
thing = 1
CHANGE
"""


def parts(folder, seed, change=""):
    """Of a program that imports a library with these texts in it, where `change` comes last."""
    (folder / "site-packages").mkdir(exist_ok=True)
    (folder / "site-packages" / "library_of_sets.py").write_text(LIBRARY.replace("CHANGE", change))
    done = subprocess.run([sys.executable, "-c", PARTS, str(folder / "site-packages"), str(Path(__file__).parents[2] / "src")],
                          capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": str(seed)}, cwd=folder)
    return {name: token for name, token in json.loads(done.stdout).items() if name.startswith("__main__")}


def test_what_a_library_made_of_a_set_is_the_same_in_each_start(tmp_path):
    assert len({json.dumps(parts(tmp_path, seed)) for seed in range(4)}) == 1


@pytest.mark.parametrize("change", ["thing = 2", "options.value = 1", "function.value = 1", "LARGE[0] = 1", "LARGE[5000] = 1"])
def test_what_else_stands_in_a_library_counts(tmp_path, change):
    assert parts(tmp_path, 1) != parts(tmp_path, 1, change)


LOCKS = """
import json, sys, threading
sys.path.insert(0, sys.argv[1])
from firststep_agent.boost.cache_functions.reads import whole
LOCK, AGAIN = threading.Lock(), threading.RLock()
exec(sys.argv[2])
print(json.dumps(whole.Whole(lambda x: x).parts))
"""


def test_what_autograph_notes_on_a_librarys_function_does_not_count(tmp_path):
    """A trace leaves it there, and an answer does not: `evaluate` with the loss of a `fit` that was answered."""
    assert parts(tmp_path, 1) == parts(tmp_path, 1, "function.autograph_info__ = None")


def test_a_lock_counts_by_whether_it_is_held_and_how_often():
    """What nothing else of the program's tells: a thread that works, or has ended."""
    def parts(change):
        done = subprocess.run([sys.executable, "-c", LOCKS, str(Path(__file__).parents[2] / "src"), change], capture_output=True, text=True,
                              check=True)
        return [(name, token) for name, token in json.loads(done.stdout).items() if name.endswith(("LOCK", "AGAIN"))]

    states = ["pass", "LOCK.acquire()", "AGAIN.acquire()", "AGAIN.acquire(), AGAIN.acquire()"]
    assert len({str(parts(state)) for state in states for _ in range(2)}) == len(states)


def test_an_exception_that_is_handled_counts():
    found = set()
    for error in (None, ValueError(3), ValueError(4), KeyError(3)):
        try:
            if error is not None:
                raise error
            found.add(str(dict(whole.process())["the exception that is handled"]))
        except (ValueError, KeyError):
            found.add(str(dict(whole.process())["the exception that is handled"]))
    assert len(found) == 4


VARIES = """
import os
import tensorflow as tf
PART = os.path.exists("changed")

@tf.function
def step(x): return x * 2.0

print(float(step(tf.constant(3.0))))
"""


@pytest.mark.tensorflow
@pytest.mark.suite
def test_why_a_start_traces_once_more_is_said(lab):  # noqa: F811
    laboratory = lab(VARIES)
    assert laboratory.learned().reasons("confirmed") == [None]
    (laboratory.program.parent / "changed").touch()
    assert laboratory.boost().reasons("confirmed") == ["traced once more, since PART is another than in the starts before"]
    assert laboratory.boost().functions("live") == ["step"]
