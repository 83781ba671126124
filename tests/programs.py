"""Programs run plainly and under `firststep record`, as a user would: what the fixtures give to tests."""

import glob
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from firststep.model.trace import Trace

TARGET = os.environ.get("FIRSTSTEP_TEST_PYTHON", sys.executable)
FIRSTSTEP = [str(Path(sys.executable).with_name("firststep"))]  # as it is installed


SUPPORTED = [(3, minor) for minor in range(9, 14)]  # versions of Python that the agent works in
PLACES = ["/usr/bin", "/usr/local/bin", "/opt/*/bin", "~/.pyenv/versions/*/bin", "~/.local/share/uv/python/*/bin", "~/.local/bin"]


@cache
def interpreters() -> dict[tuple[int, ...], str]:
    """{(3, 11): path}: one interpreter of each version that this machine has, by what its file is called."""
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if folder and "shims" not in folder]
    for pattern in PLACES:
        folders += sorted(glob.glob(os.path.expanduser(pattern)))
    found: dict[tuple[int, ...], str] = {}
    for folder in folders:
        for path in sorted(glob.glob(f"{glob.escape(folder)}/python[23]*")):
            named = re.fullmatch(r"python(\d)\.(\d+)", os.path.basename(os.path.realpath(path)))
            if named and not os.path.exists(os.path.join(os.path.dirname(folder), "pyvenv.cfg")):
                found.setdefault((int(named[1]), int(named[2])), path)
    return dict(sorted(found.items()))


def supported_interpreters() -> dict[tuple[int, ...], str]:
    """Those that the agent works in."""
    return {version: path for version, path in interpreters().items() if version in SUPPORTED}


def tensorflow_version() -> tuple[int, ...]:
    """(2, 21): of the TensorFlow that the programs' interpreter has. With 2.15 and older comes Keras 2."""
    ask = ("import importlib.metadata as m; names = m.packages_distributions()['tensorflow'] if hasattr(m, "
           "'packages_distributions') else ['tensorflow-cpu']; print(m.version(names[0]))")
    said = subprocess.run([TARGET, "-c", ask], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in said.split(".")[:2])


def has_keras_2() -> bool:
    """Whether that TensorFlow's Keras is Keras 2."""
    return tensorflow_version() < (2, 16)


def can_import(name: str) -> bool:
    """Whether the programs' interpreter has this library."""
    ask = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({name!r}) is None)"
    return subprocess.run([TARGET, "-c", ask], check=False).returncode == 0


@dataclass(frozen=True)
class Recorded:
    """A program's run under `record`: what a user sees of it, and the trace."""

    code: int
    out: bytes
    err: bytes
    trace: Trace | None
    path: Path


def damaged(data: bytes, choose: random.Random) -> bytes:
    """The bytes cut short at, or with a bit turned at, some place."""
    if not data:
        return b"\0"
    position = choose.randrange(len(data))
    if choose.random() < 0.3:
        return data[:position]
    changed = bytearray(data)
    changed[position] ^= 1 << choose.randrange(8)
    return bytes(changed)
