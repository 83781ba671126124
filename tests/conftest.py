"""What tests share: programs run plainly and under `firststep record`, as a user would."""

import subprocess

import pytest
from programs import FIRSTSTEP, TARGET, Recorded

from firststep.model.read_trace import parse_trace


@pytest.fixture
def target():
    """The interpreter that runs the programs."""
    return TARGET


@pytest.fixture
def plain(tmp_path):
    def run(command, **options):
        return subprocess.run(command, capture_output=True, cwd=options.pop("cwd", tmp_path), timeout=120, **options)

    return run


@pytest.fixture
def record(tmp_path):
    """record(command, *options) -> Recorded."""

    def run(command, *options, **process):
        path = tmp_path / "a.trace"
        done = subprocess.run(
            [*FIRSTSTEP, "record", "-o", str(path), *options, "--", *command],
            capture_output=True, cwd=process.pop("cwd", tmp_path), timeout=120, **process,
        )
        trace = parse_trace(path.read_text()) if path.exists() else None
        return Recorded(done.returncode, done.stdout, done.stderr, trace, path)

    return run


@pytest.fixture
def write(tmp_path):
    """write(name, text) -> path of a program."""

    def make(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    return make
