"""Bytecode of the agent for the program's interpreter: a program that writes none must not compile us at every start.

Made once per interpreter, by a process of its own that nobody waits for: the program has ended, and its user goes on.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import firststep_agent
from firststep.launch.merge import first_part

FOLDER = Path(firststep_agent.__file__).parent


def ensure_for(trace: str) -> None:
    """For the interpreter of the process that a merged trace names first."""
    if first := first_part(trace):
        ensure(str(first["executable"]), str(first["tag"]))


def ensure(executable: str, tag: str) -> None:
    """Has `executable` compile the agent unless every module has bytecode of `tag` (`cpython-311`) that is newer.

    Where the folder cannot be written, nothing is done: the agent then costs its compilation each time.
    """
    if all(_compiled(source, tag) for source in FOLDER.rglob("*.py")):
        return
    command = [executable, "-I", "-S", "-m", "compileall", "-q", str(FOLDER)]  # no `.pth` file: coverage's would write its data
    nowhere = subprocess.DEVNULL
    try:
        subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True)
    except OSError:
        pass


def _compiled(source: Path, tag: str) -> bool:
    bytecode = source.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"
    try:
        return bytecode.stat().st_mtime >= source.stat().st_mtime
    except OSError:
        return False
