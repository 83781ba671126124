"""The sampling thread meets the program where it is, also where that lets go of Python's lock all the time."""

import textwrap
from types import SimpleNamespace

import pytest
from programs import supported_interpreters

from firststep.launch.session import Session
from firststep.model.plan import Plan, Until
from firststep.model.read_trace import parse_trace
from firststep_agent.observe import turns

READS = """
    import os, time
    path = os.path.abspath(__file__)
    def work(data):
        total = 0
        for place in range(4000):
            total += place
        return total
    def load():
        took = [0.0, 0.0]
        end = time.perf_counter() + 2
        while took[1] == 0.0 or time.perf_counter() < end:
            began = time.perf_counter()
            with open(path, "rb", buffering=0) as file:
                data = file.read(300)
            read = time.perf_counter()
            work(data)
            took[0] += read - began
            took[1] += time.perf_counter() - read
        return took
    print(*load())
"""
MINE = [(compile("1", "/home/someone/program.py", "exec"), 0)]
NOBODYS = [(compile("1", "/usr/lib/python3/site-packages/tensorflow/python/one.py", "exec"), 0)]
ASKS, LATE, AT_ONCE = (0.0051, 0.00002), (0.0200, 0.00008), (0.0003, 0.00002)  # seconds that it is late, and of CPU
STARVED = (0.0800, 0.0040)


@pytest.mark.parametrize("python", supported_interpreters().values())
def test_a_loop_that_reads_and_works_is_seen_at_its_work(python, tmp_path):
    program = tmp_path / "reads.py"
    program.write_text(textwrap.dedent(READS))
    ended = Session([python, str(program)], Plan(until=Until("exit"), observe=("samples",)), timeout_s=120).run()
    samples = parse_trace(ended.trace).processes[0].samples
    seen = {"work": 0, "load": 0}
    for before, after in zip(samples, samples[1:]):
        function = after.stack[-1].function if after.stack else ""
        if function in seen:
            seen[function] += after.at - before.at
    assert seen["work"] > seen["load"] > 0 or not seen["load"], seen


@pytest.fixture
def interval(monkeypatch):
    """The switch interval, of a thread that is alone."""
    now = SimpleNamespace(s=0.005)
    monkeypatch.setattr(turns, "getswitchinterval", lambda: now.s)
    monkeypatch.setattr(turns, "setswitchinterval", lambda s: setattr(now, "s", s))
    monkeypatch.setattr(turns, "threads", lambda: [1, 2])
    return now


def twice(one, *sample):
    """Whether the second of two samples in a row was missed; of the first it cannot be told."""
    assert not one.missed(*sample)
    return one.missed(*sample)


def test_who_gets_the_lock_before_it_asks_looks_again_and_asks_sooner(interval):
    one = turns.Turns()
    assert not one.missed(*ASKS, MINE) and interval.s == 0.005
    assert twice(one, *AT_ONCE, MINE) and interval.s == turns.SHORT_S
    assert not one.missed(*AT_ONCE, MINE) and interval.s == turns.SHORT_S
    one.end()
    assert interval.s == 0.005


def test_who_wakes_again_and_again_for_nothing_asks_sooner(interval):
    one = turns.Turns()
    assert not one.missed(*LATE, MINE) and interval.s == 0.005
    assert twice(one, *STARVED, MINE) and interval.s == turns.SHORT_S


@pytest.mark.parametrize("late, stack, threads", [(LATE, MINE, 2), (AT_ONCE, NOBODYS, 2), (AT_ONCE, [], 2), (AT_ONCE, MINE, 3)])
def test_the_interval_is_the_programs_where_short_turns_help_nothing_or_cost(interval, monkeypatch, late, stack, threads):
    one = turns.Turns()
    assert twice(one, *AT_ONCE, MINE)
    monkeypatch.setattr(turns, "threads", lambda: [*range(threads)])
    assert not one.missed(*late, stack) and interval.s == 0.005
    assert not one.missed(*late, stack) and interval.s == 0.005


def test_where_the_lock_was_free_the_program_is_seen_where_it_is(interval):
    """A large file is read, and then worked on by one call, in which each short turn would wake the sampling thread for nothing."""
    one = turns.Turns()
    assert not any(one.missed(late, late - 0.00001, MINE) for late in (0.00002, 0.0001, 0.001) * 5) and interval.s == 0.005


def test_an_interval_that_the_program_sets_meanwhile_stays(interval):
    one = turns.Turns()
    assert twice(one, *AT_ONCE, MINE)
    interval.s = 0.1
    one.end()
    assert interval.s == 0.1


def test_calls_that_hold_the_lock_for_long_are_waited_for_with_short_turns_ever_less_often(interval):
    """Who sleeps and calls them in turn: the sampling thread would wake fifty thousand times a second in half of them."""
    one, short = turns.Turns(), 0
    for _ in range(700):
        short += one.missed(*AT_ONCE, MINE) or one.missed(*AT_ONCE, MINE)
        short += one.missed(*LATE, MINE)
    assert 5 < short < 2000 / turns.LONGEST_REST
