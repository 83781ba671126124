"""Which program an account of boosted starts is of."""

import re
import subprocess
import sys

import pytest
from programs import FIRSTSTEP

from firststep.boost.outcome import command_of
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
    named = "-m program in {}" if "-m" in command else "{}/program.py"
    assert known == {named.format(tmp_path / folder) for folder in "ab"}


def test_a_tool_of_the_environment_does_another_thing_in_another_folder():
    words = ["/v/bin/python", "/v/bin/pytest", "-q"]
    assert command_of("/v/bin/pytest", "/v", "/a", words) != command_of("/v/bin/pytest", "/v", "/b", words)
    assert command_of("/vs/train.py", "/v", "/a", words) == command_of("/vs/train.py", "/v", "/b", words)


def compared_with(said):
    """The seconds of the start that a line compares with; 0 where it does not."""
    found = re.search(r"(?:when it learned|of this code) \(([0-9.]+) s", said)
    return float(found[1]) if found else 0


def boosted(folder, *words):
    done = subprocess.run([*FIRSTSTEP, "boost", "--", sys.executable, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stderr


@pytest.mark.parametrize("edited", ["program.py", "part.py"])
def test_a_start_of_edited_code_is_not_compared_with_one_of_the_old(edited, tmp_path, monkeypatch):
    """Nor are the starts after it."""
    for name, value in {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    texts = {"program.py": "import json, part\nslow = 3\n", "part.py": "import csv, time\nslow = 3\n"}
    texts[edited] += "import time; time.sleep(slow)\n"
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    boosted(tmp_path, "program.py")
    first = boosted(tmp_path, "program.py")
    assert compared_with(first) >= 3, first
    (tmp_path / edited).write_text(texts[edited].replace("slow = 3", "slow = 0"))
    for said in (boosted(tmp_path, "program.py"), boosted(tmp_path, "program.py")):
        assert compared_with(said) < 3, said


def test_code_that_is_in_no_file_is_compared_with_nothing(tmp_path, monkeypatch):
    for name, value in {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    for code in ("import json, time; time.sleep(3)", "import json", "import json"):
        done = subprocess.run([*FIRSTSTEP, "boost", "--", sys.executable, "-"], input=code, cwd=tmp_path, capture_output=True, text=True)
        assert compared_with(done.stderr) == 0, done.stderr


def test_a_start_that_was_killed_is_compared_with_nothing_nor_anything_with_it(tmp_path, monkeypatch):
    for name, value in {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "program.py").write_text("import csv, os, time\nif 'kill' in os.listdir(): os.kill(os.getpid(), 9)\n"
                                         "import json; time.sleep(2)\n")

    def start():
        command = [*FIRSTSTEP, "boost", "--", sys.executable, "program.py"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    (tmp_path / "kill").touch()
    assert "it was gone before" in start().stderr and not savings.load_all(tmp_path / "cache")
    (tmp_path / "kill").unlink()
    assert "it has learned" in start().stderr
    (account,) = savings.load_all(tmp_path / "cache")
    (tmp_path / "kill").touch()
    killed = start()
    assert killed.returncode == -9 and "times as fast" not in killed.stderr and "was live" not in killed.stderr, killed.stderr
    assert savings.load_all(tmp_path / "cache") == [account]


@pytest.mark.parametrize("fails", ["raise LookupError('here')", "def (", "import nowhere_to_be_found",
                                   "class Odd(type):\n    __name__ = 'no'\nclass Bad(ValueError, metaclass=Odd): pass\nraise Bad",
                                   "import sys\nsys.excepthook = lambda *error: None\nraise KeyError(1)"])
def test_a_start_that_failed_is_compared_with_nothing_and_promises_nothing(tmp_path, monkeypatch, fails):
    for name, value in {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    program, whole = tmp_path / "program.py", "import csv, json, time\ntime.sleep(1)\n"

    def start(text):
        program.write_text(text)
        command = [*FIRSTSTEP, "boost", "--", sys.executable, "program.py"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    for failed in (start(fails), start(fails)):
        assert failed.returncode == 1 and "the next start will be faster" not in failed.stderr, failed.stderr
        assert "was ended by " in failed.stderr and not savings.load_all(tmp_path / "cache")
    start(whole)
    (account,) = savings.load_all(tmp_path / "cache")
    failed = start(fails).stderr
    assert "times as fast" not in failed and "not faster" not in failed
    assert savings.load_all(tmp_path / "cache") == [account]


CAUGHT = {
    "and goes on": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass\n",
    "in a thread": "import threading\none = threading.Thread(target=lambda: 1 / 0)\none.start()\none.join()\n",
    "and keeps it as a test's runner does": "def run():\n    try:\n        1 / 0\n    except ZeroDivisionError as error:\n"
        "        sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__\nrun()\n",
    "and keeps it, outermost": "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n"
        "    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__\n",
    "and prints it": "import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()\n",
}


@pytest.mark.parametrize("how", CAUGHT)
def test_a_program_that_catches_its_errors_has_not_failed(tmp_path, monkeypatch, how):
    for name, value in {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "program.py").write_text(f"import csv, json, sys\n{CAUGHT[how]}sys.exit(1)\n")
    command = [*FIRSTSTEP, "boost", "--", sys.executable, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "it has learned" in done.stderr and "ended by" not in done.stderr, done.stderr
