"""Imports within imports take from the program's stack what they take plainly: as many frames, by the same names, of the same modules.

What looks for the last module and reads it may take a few frames more: one module less, at most, of 140.
"""

from __future__ import annotations

import sys
import time

import pytest
from programs import FIRSTSTEP, supported_interpreters

MODULES = 200  # more than Python's recursion limit lets any version nest
PROGRAM = """
import builtins, importlib, sys
builtins.stacks = []
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "deep.m3":
            exec(STACK)
sys.meta_path.insert(0, Finder())
for first in ("deep_m0", "deep.m0", "other.m0", "deeper"):
    builtins.deepest = -1
    try:
        importlib.import_module(first)
    except RecursionError:
        pass
    print(first, deepest)
print(stacks)
"""
STACK = """
frame, names = sys._getframe(), []
while frame:
    names.append((frame.f_code.co_name, frame.f_code.co_filename.rpartition("/")[2], frame.f_globals["__name__"]))
    frame = frame.f_back
stacks.append(names)
"""


@pytest.mark.parametrize("python", list(supported_interpreters().values()) or [sys.executable])
def test_modules_nest_as_deep_as_plainly(box, python):
    for number in range(MODULES):
        shows = STACK if number == 5 else ""
        box.write(f"deep_m{number}.py", f"import builtins, sys\nbuiltins.deepest = {number}\n{shows}\nimport deep_m{number + 1}\n")
        box.write(f"deep/m{number}.py", f"import builtins, sys\nbuiltins.deepest = {number}\n{shows}\nfrom . import m{number + 1}\n")
        box.write(f"other/m{number}.py", f"import builtins, sys, importlib\nbuiltins.deepest = {number}\n{shows}\n"
                                         f"importlib.import_module('other.m{number + 1}')\n")
        packages = "/".join(f"p{level}" for level in range(number % 3))
        box.write(f"nested{number}/{packages}/__init__.py" if packages else f"nested{number}/__init__.py",
                  f"import builtins, sys\nbuiltins.deepest = {number}\n{shows}\n"
                  f"import nested{number + 1}{''.join(f'.p{level}' for level in range((number + 1) % 3))}\n")
    box.write("deep/__init__.py", "")
    box.write("deeper.py", "import nested0\n")
    box.write("program.py", f"STACK = {STACK!r}\n{PROGRAM}")
    box.plain("program.py", python=python)
    time.sleep(0.3)  # what changed a moment ago is not trusted
    plain = box.plain("program.py", python=python).out
    assert "deep.m0 " in plain and "RecursionError" not in plain
    recorded = box._run([*FIRSTSTEP, "record", "-o", str(box.folder / "a.trace"), "--", python, "program.py"]).out
    assert recorded.startswith(plain)  # the report follows
    for _ in range(3):  # without an image, with one, with one that was learned with another
        ran = box.boost("program.py", python=python)
        (depths, stacks), (plain_depths, plain_stacks) = (_told(out) for out in (ran.out, plain))
        assert stacks == plain_stacks
        assert all(plainly - 1 <= depth <= plainly for depth, plainly in zip(depths, plain_depths, strict=True))
    assert ran.live("import-image") or ran.live("compile-bytecode"), ran.said


def _told(out):
    *depths, stacks = out.splitlines()
    return [int(line.split()[1]) for line in depths], stacks
