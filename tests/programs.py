"""Programs run plainly and under `firststep record`, as a user would: what the fixtures give to tests."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from firststep.model.trace import Trace

TARGET = os.environ.get("FIRSTSTEP_TEST_PYTHON", sys.executable)
FIRSTSTEP = [sys.executable, "-m", "firststep.cli"]


@dataclass(frozen=True)
class Recorded:
    """A program's run under `record`: what a user sees of it, and the trace."""

    code: int
    out: bytes
    err: bytes
    trace: Trace | None
    path: Path
