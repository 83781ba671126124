"""Each verdict, its words, its exit code."""

import pytest

from firststep import exit_codes
from firststep.prove.experiment import Design, experiment
from firststep.prove.judge import Question, judge
from firststep.prove.run import Digest
from firststep.prove.verdict import EXIT_CODES, ProofVerdict

from .fakes import LOSSES, PYTHON, WEIGHTS, Machine, uneven, wild

BOOST = Question(("plain", "boost"), remedies=True)


def verdict(plain=None, treated=None, runs=8, question=BOOST):
    evidence = experiment(Machine(plain, treated).run_once, Design(runs, False), lambda evidence, run: None)
    return judge(evidence, question)


def test_faster():
    told = verdict(plain={"ready": 3.0})
    assert told.verdict is ProofVerdict.FASTER
    assert told.exit_code == exit_codes.OK
    assert [saving.state for saving in told.savings] == ["kept", "kept"]
    assert told.effects[0].ratio.low < 3.0 < told.effects[0].ratio.high


def test_slower():
    told = verdict(treated={"ready": 1.5})
    assert (told.verdict, told.exit_code) == (ProofVerdict.SLOWER, exit_codes.SLOWER)


def test_a_saving_gone_by_step_20_is_deferred():
    told = verdict(plain={"ready": 3.0, "later": 1.0}, treated={"ready": 1.0, "later": 3.0})
    assert (told.verdict, told.exit_code) == (ProofVerdict.DEFERRED, exit_codes.DEFERRED)
    assert any("deferred" in reason and "step 20" in reason for reason in told.reasons)


def test_a_saving_gone_only_by_exit_is_deferred():
    told = verdict(plain={"ready": 3.0}, treated={"ready": 1.0, "exit": 5.0})
    assert told.verdict is ProofVerdict.DEFERRED


def test_a_program_too_short_for_step_20_is_held_to_its_exit():
    told = verdict(plain={"ready": 3.0, "step20": None}, treated={"step20": None})
    assert told.verdict is ProofVerdict.FASTER
    assert [saving.at for saving in told.savings] == ["exit"]


def test_no_difference_of_five_percent_is_a_clear_answer():
    told = verdict()
    assert told.verdict is ProofVerdict.NO_DIFFERENCE
    assert "ruled out" in told.reasons[0]
    assert verdict(question=Question(("plain", "boost"), True, strict=True)).exit_code == exit_codes.OK


@pytest.mark.parametrize(("strict", "code"), [(False, exit_codes.OK), (True, exit_codes.NO_DIFFERENCE_SHOWN)])
def test_it_says_what_it_cannot_conclude(strict, code):
    told = verdict(plain=uneven, question=Question(("plain", "boost"), True, strict=strict))
    assert told.verdict is ProofVerdict.NO_DIFFERENCE
    assert "cannot conclude in 8 runs" in told.reasons[0]
    assert "more would resolve 10%" in told.reasons[0]
    assert told.exit_code == code


def test_where_times_say_nothing_more_runs_are_no_advice():
    assert "a quieter machine" in verdict(plain=wild).reasons[0]


def test_two_runs_conclude_nothing():
    told = verdict(plain={"ready": 9.0}, runs=2)
    assert told.verdict is ProofVerdict.NO_DIFFERENCE
    assert "cannot conclude in 2 runs" in told.reasons[0]


@pytest.mark.parametrize(("results", "words"), [
    ((Digest("history", "fit", "x", 2, values=((0, {"loss": 2.5}), (1, {"loss": 2.0}))), WEIGHTS, PYTHON),
     "losses and metrics: epoch 1: loss 2.25 against 2.0"),
    ((LOSSES, Digest("weights", "variables", "x", 2, values=(("kernel:0", "", "x"), WEIGHTS.values[1])), PYTHON),
     "variables: 1 of 2 differ, the first is kernel:0"),
    ((LOSSES, WEIGHTS), "random stream of Python: only in one of the runs"),
    ((LOSSES, WEIGHTS, Digest("stream", "Python", "x", position=624)), "random stream of Python: not the same"),
])
def test_results_that_differ_outweigh_any_speed(results, words):
    told = verdict(plain={"ready": 9.0}, treated={"results": results})
    assert (told.verdict, told.exit_code) == (ProofVerdict.RESULTS_DIFFER, exit_codes.RESULTS_DIFFER)
    assert words in told.reasons


def weights(*variables):
    return Digest("weights", "variables", repr(variables), len(variables), values=variables)


KERNELS = ("dense/kernel:0", "(3, 3)", "a"), ("dense_1/kernel:0", "(3, 3)", "b")
COUNT = ("accuracy/count:0", "()", "c")


@pytest.mark.parametrize(("plain", "treated", "different", "renamed"), [
    ((*KERNELS, COUNT), (*KERNELS, ("accuracy_1/count:0", "()", "c")), (),
     ("accuracy/count:0 is called accuracy_1/count:0",)),
    ((*KERNELS, COUNT), (*KERNELS, ("accuracy_1/count:0", "()", "x")),
     ("variables: 1 of 3 differ, the first is accuracy/count:0",), ()),
    (KERNELS, (("dense/kernel:0", "(3, 3)", "b"), ("dense_1/kernel:0", "(3, 3)", "a")),
     ("variables: 2 of 2 differ, the first is dense/kernel:0",), ()),
    ((*KERNELS, COUNT, ("accuracy_1/count:0", "()", "c")), (*KERNELS, COUNT, COUNT), (),
     ("accuracy_1/count:0 is called accuracy/count:0",)),
    ((("adam_1_1/bias:0", "()", "m"), COUNT), (("adam_1/bias:0", "()", "m"), COUNT), (),
     ("adam_1_1/bias:0 is called adam_1/bias:0",)),
    ((COUNT, COUNT), (COUNT, ("loss/count:0", "()", "c")),
     ("variables: 1 of 2 differ, the first is accuracy/count:0",), ()),
    ((COUNT,), (COUNT, COUNT), ("variables: 1 against 2",), ()),
])
def test_a_variable_may_have_another_number_in_its_name_but_no_other_value(plain, treated, different, renamed):
    evidence = experiment(Machine({"results": (weights(*plain),)}, {"results": (weights(*treated),)}).run_once,
                          Design(2, False), lambda evidence, run: None)
    assert evidence.comparison.different == different
    assert evidence.comparison.renamed == renamed


def unseeded(position):
    return lambda number, purpose, how: {
        "results": (LOSSES, WEIGHTS, Digest("stream", "Python", f"seed {number}", position=position))}


def test_an_unseeded_stream_counts_by_how_far_it_has_gone():
    assert verdict(plain=unseeded(4), treated=unseeded(4)).verdict is ProofVerdict.NO_DIFFERENCE
    told = verdict(plain=unseeded(4), treated=unseeded(8))
    assert told.verdict is ProofVerdict.RESULTS_DIFFER
    assert "random stream of Python: has gone 4 against 8" in told.reasons


def test_a_number_that_is_drawn_takes_more_words_of_an_unseeded_stream_by_chance():
    """`random.randint(1, 10**9)`, by which Keras draws its seed, takes another word once in fourteen times."""
    def now_and_then(number, purpose, how):
        return unseeded(5 if number == 2 else 3)(number, purpose, how)

    assert verdict(plain=unseeded(3), treated=now_and_then).verdict is ProofVerdict.NO_DIFFERENCE
    evidence = experiment(Machine(unseeded(3), now_and_then).run_once, Design(3, False), lambda evidence, run: None)
    assert evidence.comparison.compared[-1] == "how far the unseeded random streams of Python have gone"


def jumpy(number, purpose, how):
    return {"ready": 3.0, "results": (LOSSES if how else Digest("history", "fit", f"d{number}"),)}


@pytest.mark.parametrize(("strict", "code"), [(False, exit_codes.OK), (True, exit_codes.NOT_REPRODUCIBLE)])
def test_a_program_unequal_to_itself(strict, code):
    question = Question(("plain", "boost"), True, strict=strict)
    told = verdict(plain=jumpy, treated={"results": (LOSSES,)}, question=question)
    assert told.verdict is ProofVerdict.NOT_REPRODUCIBLE
    assert told.timing.verdict is ProofVerdict.FASTER
    assert any("both sides computed the same" in reason for reason in told.reasons)
    assert told.exit_code == code


def test_a_difference_that_only_determinism_shows():
    told = verdict(plain=jumpy, treated=lambda number, purpose, how: {"results": (Digest("history", "fit", "other"),)})
    assert told.verdict is ProofVerdict.RESULTS_DIFFER


def test_a_treated_run_with_nothing_live_is_no_evidence():
    told = verdict(plain={"ready": 9.0}, treated={"live": (), "refused": {"import-image": "no room"}})
    assert (told.verdict, told.exit_code) == (ProofVerdict.NOTHING_LIVE, exit_codes.NOTHING_LIVE)
    assert "import-image refused: no room" in told.reasons


def test_pairs_in_which_nothing_was_live_are_left_out():
    told = verdict(plain={"ready": 9.0}, treated=lambda number, *_: {"live": ("import-image",) if number > 8 else ()})
    assert told.verdict is ProofVerdict.FASTER
    assert told.effects[0].pairs < 8
    assert any("no evidence" in reason for reason in told.reasons)


def test_a_self_check_that_shows_a_difference_is_a_false_alarm():
    question = Question(("A", "A again"), remedies=False, self_check=True)
    told = verdict(plain={"ready": 3.0}, question=question)
    assert (told.verdict, told.exit_code) == (ProofVerdict.FALSE_ALARM, exit_codes.FALSE_ALARM)
    assert verdict(question=question).exit_code == exit_codes.OK


def test_output_to_compare_that_was_never_printed():
    told = verdict(question=Question(("plain", "boost"), True, compare_output=True))
    assert (told.verdict, told.exit_code) == (ProofVerdict.NOTHING_COMPARABLE, exit_codes.NOTHING_COMPARABLE)


def test_strict_wants_results():
    streams_only = {"results": (PYTHON,), "ready": 3.0}
    question = Question(("plain", "boost"), True, strict=True)
    told = verdict(plain=streams_only, treated={"results": (PYTHON,)}, question=question)
    assert told.exit_code == exit_codes.NOTHING_COMPARABLE
    assert verdict(plain=streams_only, treated={"results": (PYTHON,)}).exit_code == exit_codes.OK


@pytest.mark.parametrize(("fields", "expected", "words"), [
    ({"exit_code": 3}, ProofVerdict.FAILED, "exit code 3 under boost"),
    ({"timed_out": True, "exit_code": 143}, ProofVerdict.HUNG, "ready after 1.0 s, 20 steps seen"),
    ({"ready": None}, ProofVerdict.NEVER_READY, "before it was ready"),
    ({"ready": None, "watched": False}, ProofVerdict.NEVER_READY, "could not get in"),
    ({"ready_by": "exit"}, ProofVerdict.NEVER_READY, "ready by exit under boost, but by train before"),
])
def test_what_stands_in_the_way_has_words_and_a_code_and_keeps_the_table(fields, expected, words):
    told = verdict(treated=lambda number, *_: fields if number > 7 else {})
    assert told.verdict is expected
    assert told.exit_code == EXIT_CODES[expected]
    assert words in told.reasons[0]
    assert told.effects


def test_every_verdict_has_a_code_and_only_faster_is_fine():
    assert set(EXIT_CODES) == set(ProofVerdict)
    assert [verdict for verdict, code in EXIT_CODES.items() if code == exit_codes.OK] == [ProofVerdict.FASTER]
