"""Runs small programs under `firststep boost` with a cache of the test's own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import pytest


@dataclass
class Ran:
    """One run: what the program printed, what the tool said, and the exit code."""

    out: str
    said: str
    code: int

    def live(self, remedy: str) -> bool:
        """Whether the explanation says that it was."""
        told = self.said.partition(f"\n  {remedy}: ")[2].splitlines()[1:]
        return any(line.lstrip().startswith(("live", "reused")) for line in takewhile(lambda line: line.startswith("      "), told))


class Box:
    """A folder with programs, a cache, and ways to run them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.environment = {**os.environ, "FIRSTSTEP_CACHE": str(self.cache), "TF_CPP_MIN_LOG_LEVEL": "3",
                            "XDG_STATE_HOME": str(folder / "state")}

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def package(self, name: str, modules: int = 12) -> None:
        """A package `name` of small modules m0, m1, ... each with VALUE, old enough to be trusted."""
        self.write(f"{name}/__init__.py", "")
        for number in range(modules):
            self.write(f"{name}/m{number}.py", f"VALUE = {number}\ndef where():\n    return __file__\n")

    def plain(self, *words: str, python: str = sys.executable) -> Ran:
        return self._run([python, *words])

    def boost(self, *words: str, options: tuple[str, ...] = (), python: str = sys.executable) -> Ran:
        return self._run([sys.executable, "-m", "firststep.cli", "boost", "--explain", *options, "--", python, *words])

    def _run(self, command: list[str]) -> Ran:
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True,
                              timeout=600, check=False)
        return Ran(done.stdout, done.stderr, done.returncode)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.fixture
def tensorflow_python() -> str:
    """An interpreter that has TensorFlow."""
    return os.environ.get("FIRSTSTEP_TEST_PYTHON", sys.executable)
