"""`prove` and `check` make run after run: who asks for the end of one, by whatever signal, means all of them."""

import os
import signal
import subprocess
import sys
import time

import comparisons
import pytest
from programs import FIRSTSTEP

TIDY = """
import os, signal, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda *arguments: sys.exit(0))
open("begun", "a").write("run\\n")
time.sleep(2)
"""
PLAIN = TIDY[:TIDY.index("for number")] + TIDY[TIDY.index("open("):]
BUDGETS = "\n".join(f'[programs.{name}]\ncommand = ["{sys.executable}", "program.py"]\nruns = 2\ntime = {{ total = "9 s" }}'
                    for name in ("one", "two"))


def until_begun(folder, process):
    """Waits until the program has said so: a file that is there may be empty still."""
    said = folder / "begun"
    deadline = time.monotonic() + comparisons.PATIENCE
    while not (said.exists() and said.read_text()):
        assert time.monotonic() < deadline and process.poll() is None, process.communicate()
        time.sleep(0.02)


@pytest.fixture
def begin(tmp_path):
    """begin(verb, program): a process that has begun its first run."""
    def begin(verb, program):
        (tmp_path / "program.py").write_text(program)
        (tmp_path / "firststep.toml").write_text(BUDGETS)
        words = {"prove": ["prove", "--runs", "2", "--", sys.executable, "program.py"], "check": ["check"]}[verb]
        process = subprocess.Popen([*FIRSTSTEP, *words], cwd=tmp_path, env=comparisons.environment(tmp_path), stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, start_new_session=True)
        until_begun(tmp_path, process)
        return process

    return begin


@pytest.mark.parametrize("program", [TIDY, PLAIN], ids=["tidy", "plain"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("verb", ["prove", "check"])
@pytest.mark.parametrize("whom", ["tool", "group"])
def test_they_end_by_the_signal_and_make_no_further_run(begin, verb, number, program, whom, tmp_path):
    process = begin(verb, program)
    (os.kill if whom == "tool" else os.killpg)(process.pid, number)
    said, _ = process.communicate(timeout=comparisons.PATIENCE)
    assert process.returncode == -number, said
    assert (tmp_path / "begun").read_text() == "run\n"
    assert "Traceback" not in said


def git(folder, *words):
    return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True, capture_output=True,
                          text=True).stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_checkout_of_the_merge_base_is_taken_away_at_the_latest_by_the_next_check(begin, number, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "program.py").write_text(PLAIN)
    (tmp_path / "firststep.toml").write_text(BUDGETS.replace('"9 s"', '"baseline"').partition("[programs.two]")[0])
    (tmp_path / ".gitignore").write_text("begun\ntemporary\n")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    environment = {**comparisons.environment(tmp_path), "TMPDIR": str(temporary)}
    words = [*FIRSTSTEP, "check", "--merge-base", "main"]
    process = subprocess.Popen(words, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True)
    until_begun(tmp_path, process)
    process.send_signal(number)
    said, _ = process.communicate(timeout=comparisons.PATIENCE)
    assert process.returncode == -number, said
    if number == signal.SIGKILL:
        assert len(git(tmp_path, "worktree", "list").splitlines()) == 2
        for folder in temporary.iterdir():
            os.utime(folder, (time.time() - 7200,) * 2)
        subprocess.run([*words, "--runs", "1"], cwd=tmp_path, env=environment, capture_output=True, timeout=comparisons.PATIENCE)
    assert len(git(tmp_path, "worktree", "list").splitlines()) == 1
    assert not [each for each in temporary.iterdir() if each.name.startswith("firststep-base-")]
