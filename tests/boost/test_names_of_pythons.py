"""A program's own modules that are named like Python's win, or lose, exactly as they do plainly; and run when it imports them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from programs import FIRSTSTEP, supported_interpreters

OF_OTHER_VERSIONS = {"_sha256", "_sha2", "_sha512", "asynchat", "distutils", "imp", "smtpd"}
NAMES = sorted({*sys.stdlib_module_names, *OF_OTHER_VERSIONS} - {"site", "sitecustomize"})
READY = """
import sys
agent = sys.modules.get("firststep_agent.run")
if agent:
    from time import monotonic_ns
    agent.active().reach_ready(monotonic_ns(), "mark", "x")
"""
IMPORTS = """
import sys
for name in NAMES:
    try:
        module = __import__(name)
        print(name, getattr(module, "__file__", "built in"), hasattr(module, 'OWN'))
    except BaseException as error:
        print(name, type(error).__name__, error)
"""
ALONE = ["array", "binascii", "collections", "ctypes", "functools", "hashlib", "keyword", "types", "weakref"]  # Python's own use these


@pytest.mark.parametrize("python", list(supported_interpreters().values()) or [sys.executable])
@pytest.mark.parametrize("where", ["beside the script", "on PYTHONPATH"])
@pytest.mark.parametrize("begins", ["", READY], ids=["while it starts", "after ready"])
def test_every_name(box, python, where, begins):
    at_start = subprocess.run([python, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True).stdout.split()
    folder = "" if where == "beside the script" else "path/"
    for name in NAMES:
        if not folder or name not in at_start:
            box.write(f"{folder}{name}.py", f"OWN = print('own {name}')\n")
    if folder:
        box.environment["PYTHONPATH"] = str(box.folder / folder)
    box.write("program.py", begins + f"NAMES = {NAMES}\n" + IMPORTS)
    check_same(box, python)


@pytest.mark.parametrize("name", ALONE)
def test_one_name_among_pythons_own(box, name):
    box.write(f"{name}.py", f"OWN = print('own {name}')\n")
    others = [other for other in ("re", "inspect", "socket", "dataclasses", "logging", "subprocess") if other != name]
    box.write("program.py", f"NAMES = {[*others, name]}\n" + IMPORTS)
    check_same(box, sys.executable)


def check_same(box, python):
    plain = box.plain("program.py", python=python)
    recorded = box._run([*FIRSTSTEP, "record", "-o", str(box.folder / "a.trace"), "--", python, "program.py"])
    assert recorded.out.startswith(plain.out)
    for _ in range(3):
        ran = box._run([*FIRSTSTEP, "boost", "--", python, "program.py"])
        assert (ran.out.splitlines(), ran.code) == (plain.out.splitlines(), plain.code)
