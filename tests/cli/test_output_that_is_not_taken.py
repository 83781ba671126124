"""Standard output that is full, closed or read no further, and a working folder that is gone: none of them a fault of firststep's."""

import os
import subprocess

import pytest
from programs import FIRSTSTEP

from firststep.cli._guard import guarded, of_the_machine

VERBS = (["--help"], ["--version"], ["explain"], ["explain", "gc-during-startup"], ["lint", "program.py"], ["cache", "list"])


@pytest.fixture
def run(tmp_path):
    (tmp_path / "program.py").write_text("import tensorflow as tf\nfor i in range(9):\n    f = tf.function(lambda x: x)\n")
    state = {"FIRSTSTEP_CACHE": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}

    def run(words, redirection):
        line = " ".join([*FIRSTSTEP, *words]) + redirection
        return subprocess.run(["bash", "-c", line], cwd=tmp_path, env={**os.environ, **state}, capture_output=True, text=True)

    return run


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_a_full_one_is_said_with_its_exit_code(run, words):
    done = run(words, " > /dev/full")
    assert done.returncode == 74
    assert done.stderr.count("standard output cannot be written") == 1 and "fault of firststep" not in done.stderr


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_a_closed_one_is_nothing_to_speak_of(run, words):
    done = run(words, " >&-")
    assert done.stderr == run(words, " > /dev/null").stderr
    assert done.returncode == run(words, "").returncode


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_one_that_nobody_reads_changes_no_exit_code(run, words):
    done = run(words, " | true; exit ${PIPESTATUS[0]}")
    assert done.returncode == run(words, "").returncode and "Traceback" not in done.stderr


def test_a_place_of_another_user_is_no_fault_of_ours():
    def act():
        raise PermissionError(13, "Permission denied", "/home/another/.local/state/firststep")

    assert guarded(act) == 65
    told = of_the_machine(PermissionError(13, "Permission denied", "/home/another/x")).message()
    assert "/home/another/x cannot be used" in told and "Permission denied" in told and "XDG_STATE_HOME" in told


@pytest.mark.parametrize(("words", "code"), [(["lint", "."], 2), (["check"], 2)], ids=["lint", "check"])
def test_a_working_folder_that_is_gone_is_said(tmp_path, words, code):
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(["bash", "-c", "rmdir $PWD; " + " ".join([*FIRSTSTEP, *words])], cwd=gone, capture_output=True, text=True)
    assert done.returncode == code and "the working folder is gone" in done.stderr, done.stderr


def test_a_number_of_runs_beyond_all_bounds_is_a_wrong_command_line(run):
    done = run(["history", "-n", "9" * 20], "")
    assert done.returncode == 2 and "fault" not in done.stderr
