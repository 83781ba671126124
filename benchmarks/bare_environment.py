"""A virtual environment without any bytecode that nobody can write to, as in a container's read-only layer.

The copy is made of hard links, `__pycache__` left out. Root writes through permissions: for root the copy is mounted over
itself read-only (a bind mount); for anybody else its folders lose their write bits. The standard library lies
outside the environment and keeps its bytecode.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from harness import PYTHON


@contextlib.contextmanager
def bare_environment():
    """Yields the interpreter of the copy. Raises RuntimeError where PYTHON is of no virtual environment."""
    original = Path(PYTHON).absolute().parents[1]
    if not (original / "pyvenv.cfg").exists():
        raise RuntimeError(f"{PYTHON} is not of a virtual environment: there is nothing that could be copied")
    with tempfile.TemporaryDirectory(dir=original.parent, prefix=f"{original.name}-bare-") as folder:
        copy = Path(folder) / original.name
        shutil.copytree(original, copy, symlinks=True, copy_function=os.link, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        with _read_only(copy):
            _check(copy)
            yield str(copy / "bin" / Path(PYTHON).name)


def _read_only(folder):
    return _mounted(folder) if os.geteuid() == 0 else _without_write_bits(folder)


@contextlib.contextmanager
def _mounted(folder):
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


@contextlib.contextmanager
def _without_write_bits(folder):
    """Of folders alone: files share their permissions with the original."""
    folders = [folder, *(Path(path) for path, *_ in os.walk(folder))]
    for each in folders:
        each.chmod(0o555)
    try:
        yield
    finally:
        for each in folders:
            each.chmod(0o755)


def _check(folder):
    try:
        (folder / "written").touch()
    except OSError:
        return
    raise RuntimeError(f"{folder} could be written to")
