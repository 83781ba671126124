"""The numbers that prove promises, by simulation: how often it is wrong, and how much it finds."""

import math

import numpy as np
import pytest

from firststep.prove.statistics import (
    ALPHA,
    LOOK_ALPHA,
    LOOKS,
    RESOLUTION,
    as_ratio,
    interval,
    log_ratios,
    next_resolution,
    pairs_needed,
    resolved,
    within,
)

from .noise import USUAL, experiments
from .simulated import EXPERIMENTS, KINDS, PAGE, alarms, differs, found, written

FALSE_ALARMS = 0.05
FOUND = 0.90


@pytest.mark.parametrize("kind", KINDS)
def test_a_against_a_seldom_alarms_at_a_fixed_number(kind):
    assert alarms(kind)[0] <= FALSE_ALARMS


@pytest.mark.parametrize("kind", ["usual", "twice the scatter"])
def test_a_against_a_seldom_alarms_at_any_look(kind):
    assert alarms(kind)[1] <= FALSE_ALARMS


@pytest.mark.parametrize("effect", [1.1, 1 / 1.1], ids=["faster", "slower"])
def test_ten_percent_is_found_within_fifteen_pairs(effect):
    assert min(found("usual", effect)) >= FOUND


def test_the_page_says_what_the_simulation_gives():
    """`cd tests; python -m prove.simulated` writes it anew."""
    text = PAGE.read_text()
    assert written(text) == text


def test_the_interval_holds_the_truth_as_often_as_it_says():
    rows = experiments(4, EXPERIMENTS, 15, effect=1.5)
    held = np.mean([logs.low <= math.log(1.5) <= logs.high for logs in (interval(row) for row in rows)])
    assert held >= 1 - FALSE_ALARMS


def test_the_looks_together_alarm_as_seldom_as_one():
    """By the joint normal distribution of the looks (Jennison and Turnbull, 2000, chapter 2)."""
    from scipy.stats import multivariate_normal, norm

    looks = np.array(LOOKS)
    correlation = np.sqrt(np.minimum.outer(looks, looks) / np.maximum.outer(looks, looks))
    bound = np.full(len(looks), norm.isf(LOOK_ALPHA / 2))
    silent = multivariate_normal(np.zeros(len(looks)), correlation).cdf(bound, lower_limit=-bound)
    assert 1 - silent == pytest.approx(ALPHA, abs=0.001)


def test_a_fifth_of_wild_pairs_moves_nothing():
    calm = [0.10 + 0.001 * number for number in range(15)]
    wild = [*calm[:12], 9.0, 9.0, 9.0]
    assert interval(wild).mid == pytest.approx(interval(calm).mid, abs=0.01)
    assert interval(wild).shows_more


@pytest.mark.parametrize("pairs", [0, 1, 2])
def test_too_few_pairs_show_nothing(pairs):
    logs = interval([1.0] * pairs)
    assert not differs(logs)
    assert not resolved(logs)
    assert pairs_needed(logs, 0.1) is None
    assert as_ratio(logs).high == math.inf


def test_ratios_are_plain_over_treated():
    ratio = as_ratio(interval(log_ratios([2.0, 2.2, 1.8, 2.0], [1.0, 1.1, 0.9, 1.0])))
    assert ratio.mid == pytest.approx(2.0)


def test_a_narrow_interval_round_one_is_resolved():
    logs = interval([0.001, -0.001, 0.002, -0.002, 0.0])
    assert within(logs)
    assert resolved(logs)
    assert next_resolution(logs) < RESOLUTION


@pytest.mark.parametrize("difference", [0.05, 0.10])
def test_the_foreseen_number_of_pairs_is_enough_nine_times_in_ten(difference):
    """From ten pairs each: the number foreseen, drawn anew with that difference, shows it."""
    enough = []
    for number, row in enumerate(experiments(5, 200, 10, noise=USUAL)):
        needed = pairs_needed(interval(row), difference)
        fresh = experiments(1000 + number, 1, needed, 1 + difference)
        enough.append(differs(interval(fresh[0])))
    assert np.mean(enough) >= 0.85
