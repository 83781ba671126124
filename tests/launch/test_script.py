"""The script that starts the tool's Python: what it does for whichever shell stands in for `sh`."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import comparisons
import pytest
from programs import FIRSTSTEP

from firststep.launch.become import SET_ON_THE_WAY

SCRIPT = Path(__file__).parents[2] / "scripts/firststep"
SHELLS = [shell for shell in (["dash"], ["bash", "--posix"], ["busybox", "sh"], ["mksh"], ["ksh"], ["yash"]) if shutil.which(shell[0])]
NAMES = (*SET_ON_THE_WAY, "MAIL", "HISTSIZE", "version", "name", "PYTHONEXECUTABLE", "a.b", "0")
OWN = {**dict.fromkeys(NAMES, "theirs"), **dict.fromkeys(("PPID", "OPTIND", "LINENO", "RANDOM", "SECONDS", "UID"), "7"),
       "SHELLOPTS": "braceexpand", "BASHOPTS": "cmdhist"}


@pytest.mark.parametrize("more", [{}, {"LONG": "x" * 100_000}], ids=["small", "large"])
@pytest.mark.parametrize("shell", SHELLS, ids=lambda shell: shell[0])
def test_no_variable_of_the_programs_is_changed(shell, more, target, tmp_path):
    """With all of them there, and with none of them. They stand in the order in which they stood."""
    shows = "import os, sys; sys.stdout.buffer.write(b'\\0'.join(b'='.join(pair) for pair in os.environb.items()))"
    for given in (OWN, {}):
        folders = {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path)}
        environment = {**folders, "PATH": os.environ["PATH"], **given, **more}
        plain = subprocess.run([target, "-c", shows], env=environment, capture_output=True, timeout=comparisons.PATIENCE)
        done = subprocess.run([shutil.which(shell[0]), *shell[1:], FIRSTSTEP[0], "boost", "--", target, "-c", shows], env=environment,
                              capture_output=True, timeout=comparisons.PATIENCE)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split(b"\0") == plain.stdout.split(b"\0")


def test_of_a_variable_that_is_there_twice_python_takes_the_first(target, tmp_path):
    twice = f"""
import ctypes, sys
def strings(words): return (ctypes.c_char_p * (len(words) + 1))(*words, None)
words = [word.encode() for word in sys.argv[1:]]
ctypes.CDLL(None).execve(words[0], strings(words), strings([b"TWICE=1", b"A=2", b"TWICE=3", b"FIRSTSTEP_CACHE={tmp_path}"]))
"""
    for prefix in ([], [FIRSTSTEP[0], "boost", "--"]):
        command = [target, "-c", twice, *prefix, target, "-c", "import os; print(os.environ['TWICE'])"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=comparisons.PATIENCE)
        assert done.stdout == "1\n", done.stderr


def test_its_pattern_and_what_is_put_back_name_the_same():
    pattern = re.search(r"firststep_changed='\^\(([^)]*)\)", SCRIPT.read_text())[1]
    assert set(SET_ON_THE_WAY) <= set(pattern.split("|"))
