"""Which program an account of boosted starts is of."""

import subprocess
import sys

import pytest
from programs import FIRSTSTEP

from firststep.cache import savings


@pytest.mark.parametrize("command", [["program.py"], ["./program.py"], ["-m", "program"]], ids=["script", "dotted", "module"])
def test_programs_of_one_name_in_two_folders_are_two(command, tmp_path, monkeypatch):
    """The helper beside the program is in no folder of the user's."""
    state = {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}
    for name, value in state.items():
        monkeypatch.setenv(name, value)
    said = {}
    for folder, code in (("a", "import json, time; time.sleep(1)"), ("b", "import json")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "program.py").write_text(code)
        for _ in range(2):
            done = subprocess.run([*FIRSTSTEP, "boost", "--", sys.executable, *command], cwd=tmp_path / folder, capture_output=True,
                                  text=True, check=True)
            said.setdefault(folder, []).append(done.stderr)
    assert "times as fast" not in said["b"][0] and "learned (1." not in said["b"][1], said
    known = {account.program for account in savings.load_all(tmp_path / "cache")}
    if "-m" not in command:
        assert known == {str(tmp_path / folder / "program.py") for folder in "ab"}
