"""Nobody takes a skipped test for a passed one, or an interpreter that is not there for one that was tried."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from programs import SUPPORTED, interpreters

TESTS = Path(__file__).parents[1]
SKIPS = "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_one(n):\n    pytest.skip('there is no such thing')\n"


def test_the_last_line_says_what_was_not_covered(tmp_path):
    (tmp_path / "test_skips.py").write_text(SKIPS)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider", str(tmp_path)], cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(TESTS)}, capture_output=True, text=True)
    last = done.stdout.splitlines()[-1]
    assert last.startswith("not covered: ") and "there is no such thing (2)" in last, done.stdout + done.stderr
    for version in SUPPORTED:
        assert (f"Python {version[0]}.{version[1]} (none is installed)" in last) == (version not in interpreters())


def test_interpreters_are_found_where_people_put_them(tmp_path):
    """Without a variable that names them."""
    places = {(3, 9): ".pyenv/versions/3.9.1/bin/python3.9", (3, 13): ".local/bin/python3.13"}
    for place in places.values():
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_text("")
    done = subprocess.run([sys.executable, "-c", "import programs; print(programs.interpreters())"], capture_output=True, text=True,
                          env={"HOME": str(tmp_path), "PATH": "/nowhere", "PYTHONPATH": str(TESTS)})
    found = ast.literal_eval(done.stdout)
    for version, place in places.items():
        assert found[version] == str(tmp_path / place) or not found[version].startswith(str(tmp_path)), done.stderr
