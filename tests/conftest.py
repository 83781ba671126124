"""What tests share: programs run plainly and under `firststep record`, as a user would."""

import gc
import os
import subprocess
import sys
from collections import Counter

import pytest
from programs import FIRSTSTEP, SUPPORTED, TARGET, Recorded, interpreters

from firststep.model.read_trace import parse_trace

os.environ["FIRSTSTEP_HISTORY"] = "off"  # the developer's own history is no place for tests
PATIENCE = 900  # seconds after which a program counts as hanging, on however busy a machine


def pytest_unconfigure(config):
    """The last line says what was not covered, so that nobody takes a skipped test for a passed one."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or config.option.collectonly:
        return
    missing = [f"Python {version[0]}.{version[1]} (none is installed)" for version in SUPPORTED if version not in interpreters()]
    skipped = [str(report.longrepr[2]).removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else str(report.longrepr)
               for report in reporter.stats.get("skipped", [])]
    missing += [f"{reason} ({times})" if times > 1 else reason for reason, times in Counter(skipped).items()]
    reporter.write_line("not covered: " + ("; ".join(missing) or "nothing"))


@pytest.fixture(autouse=True, scope="module")
def no_framework_here():
    """A process with TensorFlow starts others unlike a shell does: memory and threads are taken over."""
    yield
    assert "tensorflow" not in sys.modules


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """What a program writes beside itself is none of the repository's."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def without_the_collector():
    """As in a proof's child: what other tests have left would go meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def target():
    """The interpreter that runs the programs."""
    return TARGET


@pytest.fixture
def plain(tmp_path):
    def run(command, **options):
        return subprocess.run(command, capture_output=True, cwd=options.pop("cwd", tmp_path), timeout=PATIENCE, **options)

    return run


@pytest.fixture
def record(tmp_path):
    """record(command, *options) -> Recorded."""

    def run(command, *options, **process):
        path = tmp_path / "a.trace"
        done = subprocess.run(
            [*FIRSTSTEP, "record", "-o", str(path), *options, "--", *command],
            capture_output=True, cwd=process.pop("cwd", tmp_path), timeout=PATIENCE, **process,
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
