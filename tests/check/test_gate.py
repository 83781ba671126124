"""How often a gate is wrong, over 100 simulated ones with the noise of a small shared machine, and what it says of a known delay."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from prove.noise import QUIET, ROUGH, USUAL, experiments

from firststep.check.gate import Look, against_limit, against_sessions, drift_of, paired
from firststep.check.judge import Base, judge
from firststep.check.sample import MeasuredStart
from firststep.check.self_test import FALSE_ALARMS, FOUND, GATES, self_test
from firststep.check.settings import Budget
from firststep.check.verdict import GateVerdict
from firststep.model.facts import Identity
from firststep.prove.statistics import LOOKS

SEEDS = range(5)


def gates(seed, delay, noise):
    """The verdicts of GATES gates that look as real ones do. delay: share of the start."""
    found = []
    for row in experiments(seed, GATES, LOOKS[-1], 1 / (1 + delay), noise):
        verdict = GateVerdict.INCONCLUSIVE
        for look in LOOKS:
            verdict, _ = paired([1.0] * look, np.exp(-row[:look]), Look(None))
            if verdict is not GateVerdict.INCONCLUSIVE:
                break
        found.append(verdict)
    return found


@pytest.mark.parametrize("noise", [QUIET, USUAL, ROUGH], ids=["quiet", "usual", "rough"])
@pytest.mark.parametrize("seed", SEEDS)
def test_an_identical_control_is_seldom_called_regressed(seed, noise):
    verdicts = gates(seed, 0.0, noise)
    assert sum(verdict is GateVerdict.REGRESSED for verdict in verdicts) <= FALSE_ALARMS * GATES


@pytest.mark.parametrize("seed", SEEDS)
def test_a_delay_of_ten_percent_is_found(seed):
    verdicts = gates(10 + seed, 0.10, USUAL)
    assert sum(verdict is GateVerdict.REGRESSED for verdict in verdicts) >= FOUND * GATES
    assert GateVerdict.IMPROVED not in verdicts


def test_a_program_that_is_ten_percent_faster_has_improved():
    assert gates(3, 1 / 1.1 - 1, USUAL).count(GateVerdict.IMPROVED) >= FOUND * GATES


def recorded(seed, count=30, scatter=0.025, drift=0.1):
    """Seconds of runs of one program, as a machine would give them."""
    choose = random.Random(seed)
    slower, times = 0.0, []
    for number in range(count):
        slower = slower * 0.7 + (choose.random() < 0.05) * 0.2
        times.append(4.0 * math.exp(choose.gauss(0, scatter) + drift * number / count + slower))
    return times


@pytest.mark.parametrize("seed", SEEDS)
def test_the_self_test_draws_its_gates_from_measured_runs(seed):
    result = self_test(recorded(seed), seed=seed)
    assert result.identical <= FALSE_ALARMS * GATES and result.delayed >= FOUND * GATES
    assert result.kept and f"{result.delayed} one that is 10% slower" in result.words()


def test_the_self_test_says_where_a_machine_is_too_noisy():
    result = self_test(recorded(1, scatter=0.4))
    assert result.delayed < FOUND * GATES and not result.kept
    assert result.identical <= FALSE_ALARMS * GATES


def sessions(seed, count, spread, delay=0.0, scatter=0.025):
    """(times of sessions, times now, drift of the reference): each session has a speed of its own, which the reference shows."""
    choose = random.Random(seed)

    def one(slower):
        speed = choose.gauss(0, spread)
        return speed, [4.0 * math.exp(speed + choose.gauss(0, scatter)) * (1 + slower) for _ in range(15)]

    known, now = [one(0.0) for _ in range(count)], one(delay)
    drift = drift_of([math.exp(speed) for speed, _ in known], [math.exp(now[0])])
    return [times for _, times in known], now[1], drift


@pytest.mark.parametrize(("count", "spread"), [(1, 0.0), (1, 0.05), (1, 0.2), (2, 0.1), (3, 0.1), (5, 0.05), (10, 0.05)])
def test_a_stored_baseline_seldom_alarms_however_much_the_machine_changed(count, spread):
    verdicts = [against_sessions(*sessions(seed, count, spread), Look(15))[0] for seed in range(GATES)]
    assert verdicts.count(GateVerdict.REGRESSED) <= FALSE_ALARMS * GATES


@pytest.mark.parametrize(("count", "spread"), [(1, 0.005), (5, 0.005)])
def test_against_a_stored_baseline_on_a_steady_machine_ten_percent_is_found(count, spread):
    verdicts = [against_sessions(*sessions(seed, count, spread, delay=0.1), Look(15))[0] for seed in range(GATES)]
    assert verdicts.count(GateVerdict.REGRESSED) >= FOUND * GATES


def test_the_tolerance_is_the_noise_and_no_percentage():
    calm, wild = [4.0, 4.001, 3.999, 4.0, 4.002], [4.0, 5.5, 3.0, 4.4, 3.5]
    slower = 1.02
    assert paired(calm, [time * slower for time in reversed(calm)], Look(5))[0] is GateVerdict.REGRESSED
    assert paired(wild, [time * slower for time in reversed(wild)], Look(5))[0] is GateVerdict.INCONCLUSIVE


def test_a_limit_inside_the_noise_is_not_resolved():
    times = [3.9, 4.1, 4.0, 3.95, 4.05]
    verdicts = [against_limit(times, limit, Look(5))[0] for limit in (3.0, 4.0, 5.0)]
    assert verdicts == [GateVerdict.REGRESSED, GateVerdict.INCONCLUSIVE, GateVerdict.NEUTRAL]


@pytest.mark.parametrize("times", [[4.0], [4.0, 4.0]])
def test_fewer_than_three_runs_say_nothing(times):
    assert against_limit(times, 1.0, Look(len(times)))[0] is GateVerdict.INCONCLUSIVE


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("sessions", [[[1.0, 1.01, 1.02] * 5], [[1.0, 1.01, 1.02]] * 5])
def test_fewer_than_three_runs_say_nothing_against_a_stored_baseline(count, sessions):
    verdict, logs = against_sessions(sessions, [16.0] * count, 0.0, Look(count))
    assert verdict is GateVerdict.INCONCLUSIVE and math.isinf(logs.high) and logs.pairs == count


@pytest.mark.parametrize("stored", [[[1.0]], [[1.0, 1.01]], [[1.0], [1.0]]])
def test_fewer_than_three_stored_runs_say_nothing(stored):
    assert against_sessions(stored, nearly(16.0, 15), 0.0, Look(15))[0] is GateVerdict.INCONCLUSIVE


def test_judging_more_times_at_once_makes_each_more_careful():
    look = Look(10)
    assert replace(look, judged=4).alpha == pytest.approx(look.alpha / 4)


@pytest.mark.parametrize("count", [3, 4, 6])
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("stray", [1.0, 3.0, 6.0, 40.0])
def test_a_start_several_times_slower_is_told_however_one_run_of_the_base_behaves(count, place, stray):
    before, after = nearly(0.35, count), nearly(0.35 * 6, count)
    before[place] *= stray
    assert paired(before, after, Look(count))[0] is GateVerdict.REGRESSED
    assert paired(after, before, Look(count))[0] is GateVerdict.IMPROVED
    assert against_sessions([before], after, 0.0, Look(count))[0] is GateVerdict.REGRESSED
    assert against_sessions([[time] * count for time in before], after, 0.0, Look(count))[0] is GateVerdict.REGRESSED
    after[place] *= stray
    assert against_limit(after, 0.7, Look(count))[0] is GateVerdict.REGRESSED


@pytest.mark.parametrize("count", [3, 4, 6])
@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize("stray", [1.2, 3.0, 6.0, 40.0])
def test_an_equal_start_is_not_called_slower_however_one_run_behaves(count, side, stray):
    for place in range(count):
        sides = {"before": nearly(0.35, count), "after": nearly(0.35, count)}
        sides[side][place] *= stray
        assert paired(**sides, look=Look(count))[0] not in (GateVerdict.REGRESSED, GateVerdict.IMPROVED)
        assert against_sessions([sides["before"]], sides["after"], 0.0, Look(count))[0] is not GateVerdict.REGRESSED


def test_what_the_machine_itself_got_slower_by_is_no_slowdown_of_the_program():
    before, after = nearly(0.35, 3), nearly(0.35 * 6, 3)
    before[1] *= 6
    assert against_sessions([before], after, math.log(6), Look(3))[0] is GateVerdict.INCONCLUSIVE
    assert against_sessions([[time] * 3 for time in before], after, math.log(6), Look(3))[0] is GateVerdict.INCONCLUSIVE


def times_of(total, tracing):
    return MeasuredStart(Identity("a", (), "", {}, "", "", 0, (), "", (), ()), {"total": total, "tracing": tracing}, {}, {})


def test_a_time_that_neither_side_has_is_no_change():
    budget = Budget("a", ("a",), time={"total": None, "tracing": None})
    samples = [times_of(1 + number / 100, 1e-6) for number in range(6)]
    found = {one.name: one for one in judge(budget, samples, Base("the merge base", tuple(samples)), Look(6)).checks}
    assert found["tracing"].verdict is GateVerdict.NEUTRAL and found["tracing"].measured == "under 1 ms in every run"
    assert "%" in found["total"].measured


def test_what_is_told_of_sides_that_lie_apart_is_what_was_seen():
    _, logs = paired([1.0, 8.0, 1.0], [6.0, 6.0, 6.0], Look(3))
    assert [math.exp(value) for value in (logs.low, logs.mid, logs.high)] == pytest.approx([6.0, 6.0, 6.0])


@pytest.mark.parametrize("noise", [QUIET, USUAL, ROUGH], ids=["quiet", "usual", "rough"])
@pytest.mark.parametrize("count", [3, 4, 5])
def test_of_few_runs_an_identical_control_is_seldom_called_regressed(count, noise):
    rows = experiments(7, 400, count, 1.0, noise)
    verdicts = [paired([1.0] * count, np.exp(-row), Look(count))[0] for row in rows]
    assert verdicts.count(GateVerdict.REGRESSED) <= FALSE_ALARMS * len(verdicts)


@pytest.mark.parametrize("count", [3, 4])
def test_where_one_run_in_five_takes_six_times_as_long_an_identical_control_is_seldom_called_regressed(count):
    choose = random.Random(count)
    sides = [[[0.35 * (6 if choose.random() < 0.2 else 1) for _ in range(count)] for _ in range(2)] for _ in range(1000)]
    verdicts = [paired(before, after, Look(count))[0] for before, after in sides]
    assert verdicts.count(GateVerdict.REGRESSED) <= FALSE_ALARMS * len(verdicts)


def nearly(time, count):
    """Times of runs on a calm machine."""
    return [time * (1 + 0.02 * (number % 3)) for number in range(count)]
