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
    """With all of them there, and with none of them."""
    shows = "import os, sys; sys.stdout.buffer.write(b'\\0'.join(sorted(b'='.join(pair) for pair in os.environb.items())))"
    for given in (OWN, {}):
        folders = {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path)}
        environment = {**folders, "PATH": os.environ["PATH"], **given, **more}
        plain = subprocess.run([target, "-c", shows], env=environment, capture_output=True, timeout=comparisons.PATIENCE)
        done = subprocess.run([shutil.which(shell[0]), *shell[1:], FIRSTSTEP[0], "boost", "--", target, "-c", shows], env=environment,
                              capture_output=True, timeout=comparisons.PATIENCE)
        assert done.returncode == 0, done.stderr
        assert set(done.stdout.split(b"\0")) ^ set(plain.stdout.split(b"\0")) == set()


def test_its_pattern_and_what_is_put_back_name_the_same():
    pattern = re.search(r"firststep_changed='\^\(([^)]*)\)", SCRIPT.read_text())[1]
    assert set(SET_ON_THE_WAY) <= set(pattern.split("|"))
