"""Modules of the program's that have the name of one of Python's own, which the agent needs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from programs import TARGET, supported_interpreters

FOUND = supported_interpreters() or {sys.version_info[:2]: sys.executable}
SOURCE = Path(__file__).parents[2] / "src"
ASKED_FOR = ("mmap", "resource", "_lsprof")  # what TensorFlow itself does not import

LOADED = f"""
import json, os, sys
sys.path.insert(1, {str(SOURCE)!r})
from firststep_agent.pythons_own import pythons_own
names = {ASKED_FOR!r}
found = [pythons_own(name) for name in names]
again = all(pythons_own(name) is module for name, module in zip(names, found))
print(json.dumps([hasattr(found[0], "mmap"), hasattr(found[1], "getrusage"), hasattr(found[2], "Profiler"), again,
                  [name for name in names if name in sys.modules and name not in sys.builtin_module_names]]))
import mmap
print(mmap.__name__)
"""


def shadowed(folder):
    """The folder, with a module of the program's for each of the names."""
    for name in ASKED_FOR:
        folder.joinpath(f"{name}.py").write_text(f"print('the program has its own {name}')\n")
    return folder


@pytest.mark.parametrize("python", FOUND.values(), ids=[f"{major}.{minor}" for major, minor in FOUND])
def test_pythons_own_are_found_and_the_programs_are_left_to_it(tmp_path, python):
    (shadowed(tmp_path) / "program.py").write_text(LOADED)
    first, *rest = subprocess.run([python, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.splitlines()
    assert json.loads(first) == [True, True, True, True, []]
    assert rest[-1] == "mmap"


@pytest.mark.suite
@pytest.mark.tensorflow
def test_a_boosted_program_keeps_its_modules_of_such_names(tmp_path, monkeypatch):
    monkeypatch.setenv("FIRSTSTEP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "program").mkdir()
    program = shadowed(tmp_path / "program") / "program.py"
    program.write_text("import tensorflow as tf\n@tf.function\ndef f(x):\n    return x * 2.\nprint(float(f(tf.constant(1.))))\n"
                       + "".join(f"import {name}\n" for name in ASKED_FOR))
    plain = subprocess.run([TARGET, program], capture_output=True, text=True, check=True).stdout
    boost = [sys.executable, "-m", "firststep.cli", "boost", "--proof", "wait", "--set", "cache-functions.replay_over_ms=0",
             "--explain", "--"]
    starts = [subprocess.run([*boost, TARGET, program], capture_output=True, text=True, check=True) for _ in range(3)]
    assert [start.stdout for start in starts] == [plain] * 3 and "has its own resource" in plain
    assert "live (function f" in starts[2].stderr
