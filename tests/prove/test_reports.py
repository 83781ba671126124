"""The reports of a comparison."""

import io
import json
import re
from dataclasses import replace

import pytest
from rich.console import Console

from firststep.exit_codes import NOTHING_COMPARABLE
from firststep.prove.as_json import as_json
from firststep.prove.as_markdown import as_markdown
from firststep.prove.as_text import print_proof
from firststep.prove.experiment import Design, experiment
from firststep.prove.judge import Question, judge
from firststep.prove.page_cache import Emptied
from firststep.prove.proof import USELESS, Proof, headline, rows, verdict_words

from .fakes import LOSSES, PYTHON, Machine, wild

BOOST = Question(("plain", "boost"), remedies=True)


@pytest.fixture
def proof():
    def make(plain=None, treated=None, runs=6, question=BOOST):
        evidence = experiment(Machine(plain, treated).run_once, Design(runs, False), lambda evidence, run: None)
        cold = Emptied("evicted", 100, 2_000_000_000, 20_000_000)
        return Proof("python train.py", None, question, evidence, judge(evidence, question), cold)

    return make


def text_of(proof, width=80):
    into = io.StringIO()
    print_proof(proof, Console(file=into, width=width))
    return into.getvalue()


def test_the_terminal_report_fits_80_columns_and_has_no_colour_when_piped(proof):
    text = text_of(proof(plain={"ready": 3.0}))
    assert re.match(r"(2.99|3.00) → 1.00 s, CPU 4.00 → 2.00 s, the same results; [23].\d+ times as fast", text)
    assert "\nfaster\n" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    for words in ("time at step 20", "peak memory", "losses and metrics of 2 epochs", "import-image: live in 6 of 6",
                  "1.0% stayed resident"):
        assert words in " ".join(text.split())


def test_what_the_program_said_last_is_shown_as_it_was(proof):
    said = {"exit_code": 1, "printed_last": "Traceback\nKeyError: [bold]'x'|<b>"}
    broken = proof(treated=lambda number, *_: said if number > 7 else {})
    assert "boost: KeyError: [bold]'x'|<b>" in text_of(broken)
    assert "- boost: KeyError: [bold]'x'\\|&lt;b>" in as_markdown(broken)
    assert "| time at ready |" in as_markdown(broken)


def test_json_holds_no_infinity_and_every_run(proof):
    document = as_json(proof(plain={"ready": 3.0}, runs=2))
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["metrics"][0]["high"] is None
    assert len(document["runs"]) == 6
    assert document["runs"][0]["results"][0]["digest"] == "d1"


def test_random_streams_alone_are_no_results_that_are_the_same(proof):
    only = {"results": (PYTHON,)}
    assert "no results compared; " in text_of(proof(plain=only, treated=only)) and "same results" not in text_of(proof(only, only))
    moved = {"results": (replace(PYTHON, digest="p2"),)}
    assert "other results; " in text_of(proof(plain=only, treated=moved))


def test_a_loss_that_is_no_number_on_both_sides_is_not_what_differs(proof):
    def losses(digest, last):
        return {"results": (replace(LOSSES, digest=digest, values=((0, {"loss": float("nan")}), (1, {"loss": last}))),)}

    text = text_of(proof(plain=losses("d1", 2.0), treated=losses("d2", 3.0)), width=200)
    assert "epoch 1: loss 2.0 against 3.0" in text and "nan" not in text


def test_remedies_that_refused_for_one_reason_are_one_sentence(proof):
    text = text_of(proof(treated={"refused": {"a": "no room", "b": "too old", "c": "no room"}}), width=200)
    assert [line.strip() for line in text.splitlines() if "refused" in line] == ["a, c refused: no room", "b refused: too old"]


def test_what_few_pairs_leave_open_is_not_called_no_difference(proof):
    text = " ".join(text_of(proof(plain={"ready": 15.1}, treated={"ready": 4.7}, runs=2)).split())
    assert text.startswith("15.1 → 4.7 s, CPU 16.1 → 5.7 s, the same results; 2 pairs are too few for an interval not resolved")
    assert "no difference" not in text
    assert as_markdown(proof(plain={"ready": 15.1}, runs=2)).startswith("### firststep prove: not resolved")


def test_an_interval_in_the_table_is_in_the_headline(proof):
    """Three pairs have one, however wide."""
    few, more = proof(plain=wild, treated=wild, runs=3), proof(plain=wild, treated=wild, runs=8)
    for made, says in ((few, "3 pairs are too few to say"), (more, "the runs of 8 pairs differ too much to say")):
        told = re.search(r"; (.+) \(([\d.]+ to [\d.]+) times as fast\)$", headline(made))
        assert told and told[1] == says
        assert f"({told[2]})" in rows(made)[0][3] and verdict_words(made) == "not resolved"


def test_a_wide_interval_that_shows_a_difference_is_told_as_one(proof):
    def scattered(number, *_):
        return {"ready": (7.0, 10.0, 13.0)[number % 3]}

    made = proof(plain=scattered, runs=3)
    ready = made.judgement.effects[0].ratio
    assert ready.high > USELESS * ready.low
    assert verdict_words(made) == "faster" and re.search(r"times as fast \([\d.]+ to [\d.]+, 3 pairs\)$", headline(made))


def test_one_run_is_one(proof):
    assert "cannot conclude in 1 run of each side" in text_of(proof(runs=1))


def test_strict_says_that_nothing_was_compared(proof):
    only = {"results": (PYTHON,)}
    made = proof(plain=only, treated=only, question=replace(BOOST, strict=True))
    document = as_json(made)
    assert (document["verdict"], document["exit_code"]) == ("nothing comparable", NOTHING_COMPARABLE)
    assert document["reasons"][0].startswith("--strict: no result was found to compare")
    assert "\nnothing comparable\n" in text_of(made) and as_markdown(made).startswith("### firststep prove: nothing comparable")


def test_a_difference_that_is_ruled_out_is_called_so(proof):
    assert "no difference shown" in text_of(proof(runs=8))
