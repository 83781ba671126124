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


@pytest.mark.parametrize("verb", [["record"], ["boost"], ["record", "--until", "line:ran"]], ids=" ".join)
def test_descriptors_beyond_those_that_select_takes_end_nothing(plain, target, tmp_path, verb):
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most < 2000:
        pytest.skip("no more than that can be open here")

    begin = ("import os, resource, sys\nresource.setrlimit(resource.RLIMIT_NOFILE, (2000, int(sys.argv[1])))\n"
             "for _ in range(1100):\n    os.set_inheritable(os.dup(2), True)\nos.execv(sys.argv[2], sys.argv[2:])")
    done = plain([target, "-c", begin, str(most), *FIRSTSTEP, "-q", *verb, "--", target, "-c", "print('ran')"],
                 env=comparisons.environment(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"ran\n", b"")
