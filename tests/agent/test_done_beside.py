"""Works beside the program: in pieces, completed before anything that must come after them, never the program's error."""

import _thread
import os
import signal
import time

import pytest

from firststep_agent import beside
from firststep_agent.beside import Beside


def work(told, pieces=3, name=""):
    for number in range(pieces):
        told.append(f"{name}{number}")
        yield


@pytest.fixture
def errors():
    return []


@pytest.fixture
def works(errors):
    return Beside(errors.append)


def wait_until(true, seconds=10.0):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.001)


def test_nothing_is_done_before_it_begins_and_all_of_it_then(works):
    told, threads = [], _thread._count()
    works.add(work(told, name="a"))
    works.add(work(told, name="b"))
    time.sleep(0.01)
    assert told == []
    works.begin()
    works.begin()
    wait_until(lambda: len(told) == 6)
    assert told == ["a0", "a1", "a2", "b0", "b1", "b2"]
    wait_until(lambda: _thread._count() <= threads)


def test_the_program_runs_between_two_pieces(works):
    """A piece that is not followed by a pause would have the next one begin before the program has Python's lock again."""
    told = []
    works.add(work(told, pieces=50))
    works.begin()
    turns = 0
    while len(told) < 50:
        before = len(told)
        time.sleep(0.0001)
        turns += len(told) <= before + 2
    assert turns >= 25


def test_what_is_completed_leaves_no_thread(works):
    told, threads = [], _thread._count()
    works.add(work(told, pieces=1000))
    works.begin()
    wait_until(lambda: told)
    works.complete()
    assert len(told) == 1000
    wait_until(lambda: _thread._count() <= threads, seconds=1.0)
    works.add(work(told, pieces=2))
    works.begin()
    wait_until(lambda: len(told) == 1002)


def test_a_work_that_fails_ends_alone(works, errors):
    told = []

    def fails():
        yield
        raise ValueError("no")

    works.add(fails())
    works.add(work(told))
    works.complete()
    assert len(told) == 3 and [str(error) for error in errors] == ["no"]


def test_it_is_done_at_once_where_there_is_no_thread_to_be_had(works, monkeypatch):
    told = []

    def none(*arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(beside, "start_thread", none)
    works.add(work(told))
    works.begin()
    assert len(told) == 3


def test_a_handler_may_raise_or_end_the_program_in_the_middle_of_a_piece(works, errors):
    """It must not wait for itself, and what it raises is the program's."""
    told = []

    def interrupted(which):
        os.kill(os.getpid(), which)
        yield

    class Mine(Exception):
        pass

    def ends(number, frame):
        works.add(work(told))
        works.begin()
        works.complete()  # as os._exit does

    def raises(number, frame):
        raise Mine

    plain = signal.signal(signal.SIGUSR1, ends), signal.signal(signal.SIGUSR2, raises)
    try:
        works.add(interrupted(signal.SIGUSR1))
        works.complete()
        assert len(told) == 3
        works.add(interrupted(signal.SIGUSR2))
        works.add(work(told))
        with pytest.raises(Mine):
            works.complete()
        works.complete()
        assert len(told) == 6 and not errors
    finally:
        signal.signal(signal.SIGUSR1, plain[0])
        signal.signal(signal.SIGUSR2, plain[1])


def test_a_forked_child_has_none_of_it(works):
    told = []
    works.add(work(told))
    works.after_fork()
    works.begin()
    works.complete()
    assert told == []
