"""What the CUDA driver compiled in this start: it keeps machine code that it made from PTX in a folder. Looked at in the tool, after
the program is ready."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

FOLDER = "~/.nv/ComputeCache"  # the driver's default; CUDA C++ Programming Guide, "CUDA Environment Variables"
SETTING, SWITCHED_OFF = "CUDA_CACHE_PATH", "CUDA_CACHE_DISABLE"
INDEX = "index"  # beside the kernels; it changes when they are only read
ROW = '["gpu",'


def kept_since(parts: Iterable[str], since_ns: int) -> int | None:
    """Bytes in files that were written since then (`time.time_ns()`), by the settings that the parts of a trace tell; None where
    nothing is kept."""
    environment = _environment(parts)
    folder = Path(environment.get(SETTING) or os.path.expanduser(FOLDER))
    if environment.get(SWITCHED_OFF, "0").strip() not in ("", "0") or not folder.is_dir():
        return None
    return sum(_written(Path(place, name), since_ns) for place, _, names in os.walk(folder) for name in names if name != INDEX)


def _written(file: Path, since_ns: int) -> int:
    try:
        known = file.stat()
    except OSError:  # dropped by another program's driver
        return 0
    return known.st_size if known.st_mtime_ns >= since_ns else 0


def _environment(parts: Iterable[str]) -> dict[str, str]:
    """As the program had it, in its last process that used a framework."""
    found: dict[str, str] = {}
    for line in (line for part in parts for line in part.splitlines() if line.startswith(ROW)):
        try:
            found = {str(name): str(value) for name, value in json.loads(line)[1]["environment"].items()}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue  # torn, or the program wrote it
    return found
