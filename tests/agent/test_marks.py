"""The marks API: it works where the program is watched, and does nothing elsewhere, firststep installed there or not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import supported_interpreters

import firststep
from firststep.analyse.facts import Facts
from firststep.analyse.marks import marks

PROGRAM = """
import firststep

@firststep.phase("build")
def build(n):
    "builds"
    return n and build(n - 1)

with firststep.phase("load"):
    with firststep.phase("inner"):
        build(2)
try:
    with firststep.phase("load"):
        raise KeyError("mine")
except KeyError:
    pass
import asyncio

@firststep.phase("asynchronous")
async def later():
    await asyncio.sleep(0)
    return 7

assert asyncio.run(later()) == 7 and build.__doc__ == "builds"
firststep.mark("loaded")
firststep.result("answer", [1.5])
print("ran")
"""


def test_phases_and_marks_are_in_the_report(record, target, write, tmp_path):
    got = record([target, write("prog.py", PROGRAM)], "--json", str(tmp_path / "a.json"))
    assert got.out == b"ran\n"
    found = Facts(got.trace)(marks)
    assert {one.name: one.times for one in found.phases} == {"build": 3, "load": 2, "inner": 1, "asynchronous": 1}
    assert [one.name for one in found.moments] == ["loaded"] and found.moments[0].after_ns > 0
    assert "named by your program: " in got.err.decode()
    assert json.loads((tmp_path / "a.json").read_text())["marks"]["moments"][0]["name"] == "loaded"


def test_a_mark_is_ready(record, target, write):
    got = record([target, write("prog.py", PROGRAM)], "--until", "mark:loaded")
    assert (got.trace.ready.kind, got.trace.ready.label) == ("mark", "loaded")


def test_without_the_agent_nothing_happens(target, write, plain):
    for environment in (None, {"FIRSTSTEP": "off"}):
        done = plain([target, write("prog.py", PROGRAM)], env=environment)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"ran\n", b"")


@pytest.mark.parametrize("version", supported_interpreters(), ids=lambda version: ".".join(map(str, version)))
def test_where_firststep_is_not_installed_the_agent_offers_it(version, write, record, plain):
    python = supported_interpreters()[version]
    alone = plain([python, "-I", "-c", "import firststep"])
    if alone.returncode == 0:
        pytest.skip(f"{python} has firststep installed")
    got = record([python, write("prog.py", PROGRAM)])
    assert (got.code, got.out) == (0, b"ran\n"), got.err
    assert {one.name for one in Facts(got.trace)(marks).phases} == {"build", "load", "inner", "asynchronous"}


def test_a_module_of_the_programs_own_comes_first(record, target, write):
    write("firststep.py", "OWN = 7")
    got = record([target, write("prog.py", "import firststep; print(firststep.OWN)")])
    assert got.out == b"7\n"


def test_a_program_that_guards_its_import_runs_anywhere(write, record, plain):
    """As docs/marks.md shows it."""
    guarded = ("try:\n    import firststep\nexcept ImportError:\n    firststep = None\n"
               "if firststep:\n    firststep.mark('here')\nprint(firststep is None)")
    path = write("prog.py", guarded)
    for python in supported_interpreters().values():
        if plain([python, "-I", "-c", "import firststep"]).returncode == 0:
            continue
        assert plain([python, path]).stdout == b"True\n"
        got = record([python, path])
        assert got.out == b"False\n" and [one.name for one in Facts(got.trace)(marks).moments] == ["here"]
        break
    else:
        pytest.skip("every interpreter has firststep installed")


def test_the_phases_of_a_child_are_its_own(record, target, write):
    text = "import os, firststep\nwith firststep.phase('outer'):\n    if os.fork() == 0:\n        os._exit(0)\n    os.wait()\n"
    got = record([target, write("prog.py", text)])
    assert [(one.name, one.times) for one in Facts(got.trace)(marks).phases] == [("outer", 1)]


@pytest.mark.tensorflow
def test_the_keras_callback_marks_the_first_epoch_and_adds_no_hook_for_batches(record, target, write):
    text = """
import numpy, keras, firststep
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = numpy.zeros((8, 2), "float32")
mine = firststep.keras_callback()
assert isinstance(mine, keras.callbacks.Callback)
base = keras.callbacks.Callback
assert all(getattr(type(mine), name) is getattr(base, name) for name in dir(base) if "batch" in name)
model.fit(x, x[:, :1], epochs=3, validation_data=(x, x[:, :1]), verbose=0, callbacks=[mine])
print("trained")
"""
    path = write("prog.py", text)
    got = record([target, path], "--until", "exit")
    assert got.out == b"trained\n", got.err
    assert [one.name for one in Facts(got.trace)(marks).moments] == [
        "keras train begin", "keras epoch begin", "keras test begin", "keras test end", "keras epoch end", "keras train end"]
    installed = {**os.environ, "PYTHONPATH": str(Path(firststep.__file__).parents[1])}  # whatever the target's environment has
    alone = subprocess.run([target, path], capture_output=True, env=installed)
    assert alone.stdout == b"trained\n", alone.stderr


def test_firststep_imports_nothing_but_the_marks():
    """A program that imports it for its marks waits for nothing else."""
    text = ("import sys; before = set(sys.modules); import firststep\n"
            "print(sorted(name for name in set(sys.modules) - before if 'firststep' in name))")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.stdout.strip() == str(["firststep", "firststep.marks", "firststep_agent", "firststep_agent.marks"])
