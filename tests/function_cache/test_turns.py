"""Which of the children that prove answers works when, without a child."""

import mmap
import os
import signal
import threading
import time
from types import SimpleNamespace

import pytest

from firststep_agent.boost.cache_functions.proof import watch, work


def working(region, earlier):
    """An Event that is set when the child of `region` begins its work."""
    began = threading.Event()

    def wait():
        work._wait_for_turn(region, earlier)
        began.set()

    threading.Thread(target=wait, daemon=True).start()
    return began


def test_a_child_lets_the_program_go_first(monkeypatch):
    monkeypatch.setattr(work, "_HELD_S", 3600)
    region = bytearray(work.SIZE)
    began = working(region, [])
    assert not began.wait(0.1)
    work.let_go(region)
    assert began.wait(60)


def test_a_program_that_never_makes_a_step_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(work, "_HELD_S", 0.1)
    assert working(bytearray(work.SIZE), []).wait(60)


def test_two_children_work_at_once():
    earlier = [bytearray(work.SIZE) for _ in range(3)]
    region = bytearray(work.SIZE)
    work.let_go(region)
    work.say(earlier[1], work.EQUAL, "")
    began = working(region, earlier)
    assert not began.wait(0.1)
    work.say(earlier[0], work.FAILED, "why")
    assert began.wait(60)


def test_what_answers_for_comparison_ends_whatever_it_hangs_in():
    job = SimpleNamespace(bound_s=0.5, perform=lambda: time.sleep(3600))
    pid = os.fork()
    if not pid:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # as its parent has it, which is no test's
        work._answer(job, bytearray(8))
    until = time.monotonic() + 120
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            break
        time.sleep(0.01)
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        status = None
    assert status is not None and os.WTERMSIG(status) == signal.SIGALRM


@pytest.mark.parametrize("step, verdict", [(0.0, work.FAILED), (0.01, work.EQUAL)], ids=["hangs", "works"])
def test_a_child_that_does_nothing_is_not_waited_for(monkeypatch, step, verdict):
    monkeypatch.setattr(watch, "_STILL_S", 1.0)
    region, used = mmap.mmap(-1, work.SIZE), [0.0]

    def used_s():
        used[0] += step
        return used[0]

    said = []
    owner = SimpleNamespace(go=lambda: None, used_s=used_s, decided=lambda proof, text: said.append((proof.verdict, text)))
    proof = watch.ProofChild(owner, region, None, "replay", None, "f", 10**9, False, None)
    threading.Timer(3.0, work.say, (region, work.EQUAL, "")).start()
    proof.wait(3600)
    proof.give_up()
    assert said[0][0] == verdict and ("did nothing" in said[0][1]) is (verdict == work.FAILED)
