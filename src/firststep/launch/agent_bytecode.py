"""Bytecode of the agent for the program's interpreter: a program that writes none must not compile us at every start."""

from __future__ import annotations

import subprocess
from pathlib import Path

import firststep_agent

FOLDER = Path(firststep_agent.__file__).parent
TIMEOUT_S = 60.0


def ensure(executable: str, tag: str) -> None:
    """Compiles the agent with `executable` unless every module has bytecode of `tag` (`cpython-311`) that is newer.

    Where the folder cannot be written, nothing is done: the agent then costs its compilation each time.
    """
    if all(_compiled(source, tag) for source in FOLDER.rglob("*.py")):
        return
    command = [executable, "-I", "-m", "compileall", "-q", str(FOLDER)]
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT_S)
    except (OSError, subprocess.SubprocessError):
        pass


def _compiled(source: Path, tag: str) -> bool:
    bytecode = source.parent / "__pycache__" / f"{source.stem}.{tag}.pyc"
    try:
        return bytecode.stat().st_mtime >= source.stat().st_mtime
    except OSError:
        return False
