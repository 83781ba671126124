"""Where the system gives little, the program runs all the same, and the tool says what it did without."""

import os
import resource
import subprocess

import comparisons
import pytest
from programs import FIRSTSTEP

from firststep.launch.session import Session
from firststep.model.plan import Plan

CHOSEN = ("no further process", "12 open files", "files of 0 bytes", "AS 4294967296")
LIMITED = [case for case in comparisons.limits() if case.name in CHOSEN]


@pytest.mark.parametrize("case", LIMITED, ids=lambda case: case.name)
def test_the_program_runs_as_it_does_plainly(case, target, tmp_path):
    assert comparisons.differences(case, target, tmp_path / "run") == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root is never short of processes")
@pytest.mark.parametrize("verb", ["boost", "record"])
def test_what_cannot_be_done_without_a_process_is_said(plain, target, tmp_path, verb):
    done = plain([*FIRSTSTEP, verb, "--", target, "-c", "print('ran')"], env=comparisons.environment(tmp_path),
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1, resource.getrlimit(resource.RLIMIT_NPROC)[1])))
    assert (done.returncode, done.stdout) == (0, b"ran\n")
    assert done.stderr.decode().startswith("firststep: " + {"boost": "the program runs plainly", "record": "nothing is recorded"}[verb])


def test_a_process_that_cannot_be_had_is_no_fault_of_the_programs_name(target, monkeypatch):
    def none_left(*arguments):
        raise BlockingIOError(11, os.strerror(11))

    monkeypatch.setattr(subprocess.Popen, "_execute_child", none_left)
    with pytest.raises(BlockingIOError):
        Session([target, "-c", "pass"], Plan()).run()
