"""The order of the runs, and when it ends."""

from itertools import islice

import pytest

from firststep.prove.experiment import DETERMINISTIC, ONE_THREAD, Design, experiment
from firststep.prove.order import orders
from firststep.prove.run import Digest, Purpose, Side
from firststep.prove.statistics import LOOKS

from .fakes import LOSSES, Machine, wild


def carry_out(machine, runs=4, learns=False):
    return experiment(machine.run_once, Design(runs, learns), lambda evidence, run: None)


def test_pairs_are_counterbalanced_and_not_periodic():
    first = list(islice(orders(1), 40))
    assert sum(first) == 20
    assert all(first[number] != first[number + 1] for number in range(0, 40, 2))
    assert len(set(zip(first[0::2], first[1::2], strict=True))) == 2


def test_a_warm_up_of_each_side_is_not_counted():
    evidence = carry_out(Machine())
    assert [(run.side, run.purpose) for run in evidence.apart] == [
        (Side.PLAIN, Purpose.WARM_UP), (Side.TREATED, Purpose.WARM_UP)]
    assert len(evidence.pairs) == 4
    assert all(pair.plain.purpose is Purpose.COUNTED for pair in evidence.pairs)


def test_a_plan_learns_until_it_has_nothing_left_to_learn():
    machine = Machine(treated=lambda number, purpose, how: {"learned": ("import-image",) if number <= 2 else ()})
    evidence = carry_out(machine, learns=True)
    assert [run.purpose for run in evidence.apart] == [Purpose.WARM_UP, Purpose.LEARNING, Purpose.LEARNING]


def test_a_plan_that_never_stops_learning_is_compared_all_the_same():
    evidence = carry_out(Machine(treated={"learned": ("import-image",)}), learns=True)
    assert [run.purpose for run in evidence.apart].count(Purpose.LEARNING) == 3
    assert len(evidence.pairs) == 4


def test_where_runs_are_stopped_the_results_of_those_that_learn_are_not_compared():
    """They go on to the end."""
    stopped = {"stopped": True, "exit_code": 143, "results": ()}

    def treated(number, purpose, how):
        return {"results": (LOSSES,), "learned": ("import-image",) if number <= 2 else ()} if purpose is Purpose.LEARNING else stopped

    evidence = carry_out(Machine(plain=stopped, treated=treated), learns=True)
    assert Purpose.LEARNING in [run.purpose for run in evidence.apart] and not evidence.comparison.different


def test_a_large_difference_ends_at_the_first_look():
    assert len(carry_out(Machine(plain={"ready": 3.0}), runs=None).pairs) == LOOKS[0]


def test_what_cannot_be_resolved_ends_at_the_last_look():
    assert len(carry_out(Machine(plain=wild), runs=None).pairs) == LOOKS[-1]


@pytest.mark.parametrize(("fields", "kind"), [
    ({"exit_code": 3}, "failed"),
    ({"timed_out": True, "exit_code": 143, "ready": None}, "hung"),
    ({"ready": None}, "never-ready"),
])
def test_a_problem_ends_it_at_once_and_the_other_side_is_asked(fields, kind):
    machine = Machine(plain=fields)
    evidence = carry_out(machine)
    assert evidence.problem.kind == kind
    assert [run.side for run in evidence.problem.runs] == [Side.PLAIN]
    assert [side for side, _, _ in machine.made] == [Side.PLAIN, Side.TREATED]


def test_a_problem_of_both_sides_is_known_as_one():
    evidence = carry_out(Machine(plain={"exit_code": 3}, treated={"exit_code": 3}))
    assert [run.side for run in evidence.problem.runs] == [Side.PLAIN, Side.TREATED]
    assert evidence.apart == list(evidence.problem.runs)  # both are shown


def test_two_problems_are_not_told_as_one():
    evidence = carry_out(Machine(plain={"exit_code": 3}, treated={"exit_code": 4}))
    assert [run.side for run in evidence.problem.runs] == [Side.PLAIN]
    assert [run.exit_code for run in evidence.apart] == [3, 4]


def test_pairs_before_a_failure_are_kept():
    machine = Machine(treated=lambda number, purpose, how: {"exit_code": 1 if number > 7 else 0})
    evidence = carry_out(machine)
    assert evidence.problem.kind == "failed"
    assert len(evidence.pairs) >= 2


def test_a_side_that_is_ready_by_something_else_is_no_comparison():
    evidence = carry_out(Machine(treated={"ready_by": "exit"}))
    assert evidence.problem.kind == "ready-otherwise"


def unequal(number, purpose, how):
    results = (LOSSES,) if how else (Digest("history", "fit", f"d{number}"),)
    return {"results": results}


def test_a_program_unequal_to_itself_is_compared_again_under_determinism():
    evidence = carry_out(Machine(plain=unequal, treated={"results": (LOSSES,)}))
    assert not evidence.comparison.reproducible
    assert evidence.careful.how == DETERMINISTIC
    assert evidence.careful.comparison.reproducible
    assert not evidence.careful.comparison.different


def test_one_thread_alone_where_determinism_is_refused():
    def plain(number, purpose, how):
        return {**unequal(number, purpose, how), "exit_code": 1 if how == DETERMINISTIC else 0}

    assert carry_out(Machine(plain=plain)).careful.how == ONE_THREAD
