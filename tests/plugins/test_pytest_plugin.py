"""The fixture, as a user's own test suite has it."""

import os
import subprocess
import sys

import pytest

from firststep.pytest_plugin import Start

TESTS = """
import pytest

def test_within(firststep_start):
    start = firststep_start("prog.py", "--small")
    assert start.exit_code == 0 and start.stdout == "--small\\n"
    assert start.seconds < 600 and start.phases["imports"] > 0 and start.ready == ""
    assert start.counts["modules"] > 0 and start.counts["traces"] == 0 and start.findings.keys() is not None
    start.keeps(total=600, phases={"imports": 600}, counts={"modules": 100_000, "traces": 0})
    assert firststep_start("prog.py").trace != start.trace

def test_over(firststep_start):
    firststep_start("prog.py").keeps(total=0.001, counts={"modules": 1})

def test_unknown(firststep_start):
    with pytest.raises(KeyError, match="module is none of"):
        firststep_start("prog.py").keeps(counts={"module": 1})

def test_marks(firststep_start):
    start = firststep_start("marks.py", until="mark:here")
    assert start.ready == "mark"

def test_switched_off(firststep_start):
    firststep_start("prog.py", env={"FIRSTSTEP": "off"})

def test_not_there(firststep_start):
    firststep_start("no-such-program-here")

def test_crashes(firststep_start):
    firststep_start("crashes.py")

def test_takes_too_long(firststep_start):
    firststep_start("marks.py", until="mark:never", timeout=3)

def test_never_comes_to_its_mark(firststep_start):
    firststep_start("prog.py", until="mark:here")

def test_ends_as_it_should(firststep_start):
    assert firststep_start("crashes.py", exit_code=3).exit_code == firststep_start("crashes.py", exit_code=None).exit_code == 3
"""


def test_a_users_tests(tmp_path):
    (tmp_path / "test_start.py").write_text(TESTS)
    (tmp_path / "prog.py").write_text("import json, sys; print(*sys.argv[1:])")
    (tmp_path / "marks.py").write_text("import firststep, time\nfirststep.mark('here')\ntime.sleep(1000)")
    (tmp_path / "crashes.py").write_text("import sys\nprint('no such data', file=sys.stderr)\nsys.exit(3)")
    options = ["-p", "no:cacheprovider"]
    listed = subprocess.run([sys.executable, "-m", "pytest", "--fixtures", *options], cwd=tmp_path, capture_output=True, text=True)
    if "firststep_start" not in listed.stdout:  # an environment that was made before the entry point
        options += ["-p", "firststep.pytest_plugin"]
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *options], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTEST_ADDOPTS": ""})
    assert "5 failed, 4 passed, 1 skipped" in done.stdout, done.stdout
    assert "prog.py ended before mark:here" in done.stdout
    assert "total " in done.stdout and "at most 0.001; modules" in done.stdout
    assert "marks.py took more than 3 s" in done.stdout and "Traceback" not in done.stdout
    assert "crashes.py ended with exit code 3" in done.stdout and "no such data" in done.stdout
    assert "no-such-program-here was not recorded" in done.stdout and "next:" in done.stdout


def test_what_is_within_says_nothing(tmp_path):
    start = Start(1.0, "train", {"imports": 0.5}, {"modules": 5}, {}, 0, "", tmp_path)
    start.keeps()
    start.keeps(total=1.0, phases={"imports": 0.5}, counts={"modules": 5})
    with pytest.raises(AssertionError, match="imports 0.5, at most 0.4"):
        start.keeps(phases={"imports": 0.4})


def test_pytest_starts_without_the_rest_of_firststep():
    text = "import sys, firststep.pytest_plugin; print([n for n in sys.modules if n.startswith(('firststep.analyse', 'rich', 'click'))])"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True).stdout == "[]\n"
