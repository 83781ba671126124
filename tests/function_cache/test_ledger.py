"""What is answered, learned and confirmed, by what its proof costs the end of the program."""

import textwrap
from types import SimpleNamespace

import pytest
from firststep_agent.boost.cache_functions.proof import ledger as ledgers
from replay_harness import lab  # noqa: F401


@pytest.fixture
def seconds(monkeypatch):
    """[the time]"""
    now = [100.0]
    monkeypatch.setattr(ledgers.clock, "now", lambda: int(now[0] * 1e9))
    return now


def proof(worth_s=1.0, used_s=0.0, verdict=0):
    return SimpleNamespace(worth_s=worth_s, used_s=lambda: used_s, verdict=verdict)


def made(begun, counts=True):
    return ledgers.Ledger(counts, lambda: begun)


def test_the_first_step_is_worth_a_proof_where_it_comes_noticeably_sooner(seconds):
    ledger = made([])
    seconds[0] += 10
    assert ledger.ask() and ledger.affords_trace(0.4)
    assert ledger.affords_answer(1.0, 0.2)
    assert not ledger.affords_answer(0.6, 0.2)  # 0.4 s of 10


def test_of_many_functions_before_the_first_step_the_first_are(seconds):
    begun = [proof() for _ in range(ledgers.FREE - 1)]
    ledger = made(begun)
    assert ledger.ask() and ledger.affords_answer(1.0, 0.1)
    begun.append(proof())
    assert not ledger.ask() and not ledger.affords_answer(1.0, 0.1) and not ledger.affords_trace(0.4)


def test_cheap_functions_are_watched_for_a_while(seconds):
    """To watch one takes several times its trace, and a program may have dozens of them: the others are only timed."""
    ledger, unbounded = made([]), made([], counts=False)
    for each in (ledger, unbounded):
        each.watched(ledgers.WATCHED_S / 2)
        assert each.may_watch()
        each.watched(ledgers.WATCHED_S / 2)
    assert not ledger.may_watch() and unbounded.may_watch()
    assert ledger.ask()  # what is known is answered


def test_after_it_no_more_is_owed_than_was_saved(seconds):
    begun = []
    ledger = made(begun)
    ledger.ready()
    assert not ledger.ask()
    ledger.answered(9.0)
    begun.append(proof(worth_s=2.0))
    assert ledger.affords_answer(3.0, 0.5)  # owed: 2 + looks, 3 + looks; saved: 9 and 2.5 more
    begun.append(proof(worth_s=3.0))
    assert not ledger.affords_answer(3.0, 0.5)
    begun[:] = [proof(verdict=1), proof(worth_s=3.0, used_s=5.5)]  # one is over, the other nearly
    assert ledger.affords_answer(3.0, 0.5)


def test_a_long_program_learns_and_answers_what_comes_late(seconds):
    ledger = made([])
    ledger.ready()
    assert not ledger.affords_trace(1.0) and not ledger.ask()
    seconds[0] += 60
    assert ledger.ask() and ledger.affords_trace(1.0) and ledger.affords_answer(1.0, 0.1)


def test_who_waits_for_proofs_has_them_all(seconds):
    ledger = made([proof() for _ in range(9)], counts=False)
    ledger.ready()
    assert ledger.ask() and ledger.affords_trace(0.0) and ledger.affords_answer(0.001, 5.0)


PROGRAM = """
    import tensorflow as tf

    def made(times):
        @tf.function(autograph=False)
        def function(x):
            for _ in range(times):
                x = tf.sin(x) + 1.0
            return x
        return function

    x = tf.constant(1.0)
    print([float(made(times)(x)) for times in (1000, 1001, 1002, 1003, 3)])
"""


@pytest.mark.tensorflow
def test_a_costly_trace_that_is_not_worth_a_proof_is_told(lab):  # noqa: F811
    """And one that costs nothing is not spoken of."""
    run = lab(textwrap.dedent(PROGRAM))
    started = run.boost({"replay_over_ms": 300, "proof": "after"})
    assert started.out == run.plain().out
    assert started.reasons("refused") == [ledgers.NOT_WORTH_IT]
