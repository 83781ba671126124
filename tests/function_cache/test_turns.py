"""Which of the children that prove answers works when, without a child."""

import os
import signal
import threading
import time
from types import SimpleNamespace

from firststep_agent.boost.cache_functions.proof import work


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


def test_what_answers_for_comparison_ends_whatever_it_hangs_in(monkeypatch):
    monkeypatch.setattr(work.sandbox, "enter", lambda: None)
    job = SimpleNamespace(bound_s=0.5, undo=lambda: time.sleep(3600))
    pid = os.fork()
    if not pid:
        work._answer(job, bytearray(8), ())
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
