"""A thread of ours is silent whatever its function raises; whoever asked for it is told."""

import threading

import pytest

from firststep_agent import threads


@pytest.fixture
def told(monkeypatch):
    errors = []
    monkeypatch.setattr(threads, "_told", [])
    threads.tell_errors_to(lambda where, error, function: errors.append((where, error, function)))
    return errors


@pytest.mark.parametrize("error", [OSError(9, "Bad file descriptor"), SystemExit(3), KeyboardInterrupt(), MemoryError()])
def test_what_a_thread_raises_is_told_to_us_and_not_to_the_program(told, capfd, monkeypatch, error):
    over, hooked = threading.Event(), []
    monkeypatch.setattr("sys.unraisablehook", hooked.append)

    def fails():
        over.set()
        raise error

    threads.start_thread(fails)
    assert over.wait(10)
    while not told:
        threading.Event().wait(0.01)
    threading.Event().wait(0.1)
    assert told == [("thread", error, fails)]
    assert capfd.readouterr() == ("", "") and not hooked


def test_where_nobody_is_told_it_is_silent_too(monkeypatch, capfd):
    monkeypatch.setattr(threads, "_told", [])
    over = threading.Event()

    def fails():
        over.set()
        raise ValueError

    threads.start_thread(fails)
    assert over.wait(10)
    threading.Event().wait(0.2)
    assert capfd.readouterr() == ("", "")
