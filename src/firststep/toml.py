"""Reads a file of settings."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from firststep.errors import reason_of

LARGEST = 1 << 20  # bytes of a file


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The table of a TOML file; it may begin with the mark that some editors of Windows write. Raises ValueError, which says in words why
    there is none."""
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise ValueError(reason_of(error)) from error
    if len(data) > LARGEST:
        raise ValueError("it is larger than any settings are")
    try:
        table: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except ValueError as error:
        raise ValueError(f"it is not TOML: {error}") from error
    return table
