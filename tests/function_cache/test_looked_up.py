"""A name is no effect where it is looked up on TensorFlow's modules, or is a layer or a method of the object's own; in doubt it is one."""

import functools
import json
import os
import subprocess
from pathlib import Path

import lines_looked_up
import pytest
from programs import TARGET

SOURCES = Path(__file__).parents[2] / "src"
pytestmark = [pytest.mark.tensorflow]


@functools.lru_cache(maxsize=1)
def told():
    """[{line: whether it is an effect}, [what is told of NumPy's random functions]], of one process."""
    ran = subprocess.run([TARGET, lines_looked_up.__file__], env={**os.environ, "PYTHONPATH": str(SOURCES)}, capture_output=True, text=True,
                         check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("line", lines_looked_up.NO_EFFECT.strip().splitlines())
def test_what_changes_nothing_is_no_effect(line):
    assert told()[0][line] is False


@pytest.mark.parametrize("line", lines_looked_up.EFFECT.strip().splitlines())
def test_what_may_change_something_is_an_effect(line):
    assert told()[0][line] is True


def test_what_cython_compiled_can_be_told():
    """NumPy's random functions, from 2.4 on: who says `tf.random` and uses NumPy names `np.random.random`, too."""
    assert told()[1] and not [head for head in told()[1] if head[:1] == "!"]
