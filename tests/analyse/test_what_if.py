"""A start run again without some of its stretches."""

import random

from firststep.analyse.facts import Facts
from firststep.analyse.what_if import saved
from firststep.model.findings import Cut

from .traces import USER, process, sample, span, trace

MS = 1_000_000
FUTEX = 202


def start(*spans, samples=()):
    return Facts(trace(process(spans, samples or [sample(1000 * MS, USER)], ready=1000 * MS), ended=1000 * MS))


def test_what_is_taken_out_is_gained():
    assert saved(start(), [Cut(100 * MS, 300 * MS)]) == (200 * MS, 200 * MS)


def test_nothing_is_counted_twice():
    assert saved(start(), [Cut(100, 300), Cut(200, 400), Cut(250, 260)]) == (300, 300)


def test_of_two_shares_the_larger_counts():
    assert saved(start(), [Cut(100, 300, 0.5, 0.5), Cut(200, 400, 1, 1)]) == (250, 250)


def test_what_lies_outside_the_start_gains_nothing():
    assert saved(start(), [Cut(900 * MS, 5000 * MS)]) == (100 * MS, 100 * MS)
    assert saved(start(), [Cut(2000 * MS, 5000 * MS)]) == (0, 0)


def waiting(*others):
    """The main thread waits from 500 to 800 ms for another one."""
    samples = [sample(at * 100 * MS, USER, call=FUTEX if 5 < at <= 8 else -1) for at in range(1, 11)]
    return start(*others, samples=samples)


def test_a_wait_for_work_that_began_before_stays():
    facts = waiting(span("network", 50 * MS, 800 * MS, thread=2))
    assert saved(facts, [Cut(100 * MS, 300 * MS)]).low_ns == 0


def test_a_wait_for_work_that_began_later_moves_with_it():
    facts = waiting(span("network", 500 * MS, 800 * MS, thread=2))
    assert saved(facts, [Cut(100 * MS, 300 * MS)]).low_ns == 200 * MS


def test_what_is_taken_out_after_a_wait_is_gained():
    facts = waiting(span("network", 50 * MS, 800 * MS, thread=2))
    assert saved(facts, [Cut(100 * MS, 300 * MS), Cut(850 * MS, 950 * MS)]).low_ns == 100 * MS


def test_a_wait_for_nobody_known_moves():
    assert saved(waiting(), [Cut(100 * MS, 300 * MS)]).low_ns == 200 * MS


def test_cuts_of_one_share_and_of_several_are_walked_alike():
    choose = random.Random(1)
    facts = waiting(span("network", 50 * MS, 800 * MS, thread=2))
    for _ in range(200):
        begins = [choose.randrange(-100, 1100) * MS for _ in range(choose.randrange(1, 8))]
        cuts = [Cut(at, at + choose.randrange(-20, 300) * MS, 0.4, 0.6) for at in begins]
        assert saved(facts, cuts) == saved(facts, [*cuts, Cut(2000 * MS, 3000 * MS, 0.1, 0.2)])  # outside: it gains nothing
