"""What the program wrote is not run by those who look at its objects: every method that Python could call of one counts its calls."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import looked_at
import pytest
from replay_harness import lab  # noqa: F401

SOURCES = Path(__file__).parents[2] / "src"


@functools.lru_cache(maxsize=1)
def called():
    """{case: {method: calls}}, of one process."""
    ran = subprocess.run([sys.executable, looked_at.__file__], env={**os.environ, "PYTHONPATH": str(SOURCES)}, capture_output=True,
                         text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("name", [name for name, _ in looked_at.cases()])
def test_no_method_of_the_programs_is_called(name):
    assert called()[name] == {}


REPLACED = """
import builtins, os, sys, time
import tensorflow as tf

CALLED = set()


def counted(name, plain):
    def stands_in(*arguments, **options):
        frame = sys._getframe(1)
        while frame is not None and "/tensorflow/" not in frame.f_code.co_filename and frame.f_code.co_filename != __file__:
            if "/firststep_agent/" in frame.f_code.co_filename:
                CALLED.add(f"{name} by {frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno}")
            frame = frame.f_back
        return plain(*arguments, **options)
    return stands_in


for module in (os, os.path, time):
    for name, plain in list(vars(module).items()):
        if callable(plain) and not isinstance(plain, type) and name[0] != "_" and name not in ("fork", "forkpty", "register_at_fork"):
            setattr(module, name, counted(name, plain))
builtins.open = counted("open", open)

weight = tf.Variable(tf.ones([4, 3]))


@tf.function
def step(x):
    weight.assign_add(x)
    return tf.reduce_sum(weight)


print(float(step(tf.ones([4, 3]))), float(step(tf.ones([4, 3]))))
print(sorted(CALLED))
"""


def test_none_that_a_program_has_put_in_their_places_is_called(lab):  # noqa: F811
    laboratory = lab(REPLACED)
    plain = laboratory.plain()
    assert plain.out.endswith("[]\n")
    for _ in range(3):
        assert laboratory.boost().out == plain.out
