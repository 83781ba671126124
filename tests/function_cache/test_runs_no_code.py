"""What the program wrote is not run by those who look at its objects: every method that Python could call of one counts its calls."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import looked_at
import pytest

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
