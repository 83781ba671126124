"""Programs run plainly and under `firststep record`, as a user would: what the fixtures give to tests."""

import os
import random
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from firststep.model.trace import Trace

TARGET = os.environ.get("FIRSTSTEP_TEST_PYTHON", sys.executable)
FIRSTSTEP = [str(Path(sys.executable).with_name("firststep"))]  # as it is installed


@cache
def tensorflow_version() -> tuple[int, ...]:
    """(2, 21): of the TensorFlow that the programs' interpreter has. With 2.15 and older comes Keras 2."""
    ask = ("import importlib.metadata as m; names = m.packages_distributions()['tensorflow'] if hasattr(m, "
           "'packages_distributions') else ['tensorflow-cpu']; print(m.version(names[0]))")
    said = subprocess.run([TARGET, "-c", ask], capture_output=True, text=True, check=True).stdout
    return tuple(int(part) for part in said.split(".")[:2])


def has_keras_2() -> bool:
    """Whether that TensorFlow's Keras is Keras 2."""
    return tensorflow_version() < (2, 16)


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
