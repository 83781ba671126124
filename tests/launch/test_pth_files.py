"""What runs before us is named."""

import subprocess
import sys
from pathlib import Path

import pytest

from firststep.launch import pth_files


@pytest.fixture
def environment(tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "v"], check=True)
    (site_packages,) = (tmp_path / "v").glob("lib/python3*/site-packages")
    return tmp_path / "v/bin/python", Path(site_packages)


def test_the_costliest_comes_first(environment):
    python, site_packages = environment
    (site_packages / "slow.pth").write_text("import time; time.sleep(0.2); print('noise')\n")
    (site_packages / "quick.pth").write_text("import sys\n")
    seen = pth_files.measure(str(python), {})
    assert Path(seen[0][0]).name == "slow.pth"
    assert seen[0][1] >= 200_000_000
    assert {Path(path).name for path, _ in seen} >= {"slow.pth", "quick.pth"}


def test_what_one_wants_done_at_the_end_is_not_done(environment, tmp_path):
    """Coverage, started by one, would write its data over the program's."""
    python, site_packages = environment
    (site_packages / "late.pth").write_text(f"import atexit; atexit.register(lambda: open({str(tmp_path / 'data')!r}, 'w'))\n")
    assert any(path.endswith("late.pth") for path, _ in pth_files.measure(str(python), {}))
    assert not (tmp_path / "data").exists()


def test_an_interpreter_that_is_none_says_nothing():
    assert pth_files.measure("/bin/false", {}) == []
    assert pth_files.measure("/nowhere", {}) == []


def test_they_are_in_the_trace(environment, record):
    python, site_packages = environment
    (site_packages / "slow.pth").write_text("import time; time.sleep(0.3)\n")
    got = record([str(python), "-c", "pass"])
    assert any(path.endswith("slow.pth") for path, _ in got.trace.header["pth"])
