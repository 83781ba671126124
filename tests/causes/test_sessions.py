"""Causes that repeat themselves in a loop, most of them after the first step."""

from dataclasses import replace

from firststep.analyse.facts import Facts
from firststep.diagnose import diagnosis

from .kit import MS, S, check_found, check_silent, span, start

PLACE = "/home/me/train.py:7"


def rounds(kind, number, *, at=8.0, every=1.0, took=20 * MS, line=PLACE, **labels):
    """A loop's rounds, ready after the second."""
    return [span(kind, int((at + n * every) * S), int((at + n * every) * S) + took, line=line,
                 **{name: value(n) for name, value in labels.items()}) for n in range(number)]


def loop(*spans, ended=30):
    return start(*spans, ended=ended)


def models(number, **labels):
    """Compiled in a loop; the first was traced in 800 ms, before ready."""
    return [span("trace", int(8.1 * S), int(8.9 * S)), *rounds("model-compile", number, **labels)]


def test_repeated_initialisation():
    check_silent("repeated-initialisation", loop())
    check_silent("repeated-initialisation", loop(*rounds("initialisation", 2, variables=lambda n: 2)))
    elsewhere = [one for n in range(4) for one in rounds("initialisation", 1, at=8 + n, line=f"/a.py:{n}")]
    check_silent("repeated-initialisation", loop(*elsewhere))
    first = span("session-run-first", int(8.1 * S), int(8.3 * S), session=1)
    one = check_found("repeated-initialisation", loop(first, *rounds("initialisation", 10, variables=lambda n: 2 * n + 2)),
                      "10 initialisations", "2 to 20 variables", line=7, confidence="high", gain=(1000, 1200))
    assert one.after_ready and one.gain.low_ns == 9 * 20 * MS  # rounds of a second, most of which are steps
    grown = loop(first, *rounds("initialisation", 10, variables=lambda n: 2 * n + 2, nodes=lambda n: 100 + 100 * n, graph=lambda n: 1))
    assert check_found("repeated-initialisation", grown).gain.high_ns == round(0.95 * 9 * S)  # a tenth has ten times as many nodes


def test_graphs_of_their_own_that_differ_have_nothing_to_share():
    """As three sizes of a model, each in a graph of its own."""
    first = span("session-run-first", int(8.1 * S), int(8.3 * S), session=1)

    def folds(**labels):
        return loop(first, *rounds("initialisation", 5, graph=lambda n: n, **labels))

    alike = folds(nodes=lambda n: 50, variables=lambda n: 2, bytes=lambda n: 400)
    check_found("repeated-initialisation", alike, "if all are alike", confidence="low")
    check_silent("repeated-initialisation", folds(nodes=lambda n: 50, variables=lambda n: 2, bytes=lambda n: 400 + n))
    check_silent("repeated-initialisation", folds(nodes=lambda n: 50 + n))
    check_silent("repeated-initialisation", folds(variables=lambda n: 2 + n))


def test_growing_graph():
    check_silent("growing-graph", loop(*rounds("session-create", 6, nodes=lambda n: 100)))
    check_silent("growing-graph", loop(*rounds("session-create", 6, nodes=lambda n: (0, 100, 102, 104, 106, 108)[n])))
    check_found("growing-graph", loop(*rounds("initialisation", 6, nodes=lambda n: 100 + 300 * n)), "100 to 1,600 nodes in 6 rounds",
                "finalize", line=7)
    check_found("growing-graph", loop(*rounds("session-extend", 40, nodes=lambda n: 20 + 3 * n, graph=lambda n: 1)),
                "20 to 137 nodes in 40 rounds", line=7)
    other_graphs = loop(*rounds("session-create", 6, nodes=lambda n: 100 + 300 * n, graph=lambda n: n))
    check_silent("growing-graph", other_graphs)  # each round has one of its own


def test_a_loop_is_named_where_its_rounds_begin():
    """An initialisation in each round grows the graph that is then handed over, at the line of the run."""
    made = rounds("initialisation", 6, nodes=lambda n: 100 + 300 * n, graph=lambda n: 1)
    given = rounds("session-extend", 6, at=8.1, line="/home/me/train.py:8", nodes=lambda n: 102 + 300 * n, graph=lambda n: 1)
    check_found("growing-graph", loop(*made, *given), "100 to 1,600 nodes", line=7)


def test_a_graph_that_grows_is_named_where_operations_are_made():
    given = rounds("session-extend", 6, line="/home/me/train.py:8", nodes=lambda n: 102 + 300 * n, graph=lambda n: 1)
    given[1:3] = [replace(one, labels={**one.labels, "made": PLACE}) for one in given[1:3]]
    check_found("growing-graph", loop(*given), "102 to 1,602 nodes", line=7)


def sessions(number, nodes, **labels):
    """Made in a loop, each handed its graph over; the first one's two first runs took 200 ms, before ready."""
    made = rounds("session-create", number, nodes=nodes, graph=lambda n: 1, **labels)
    handed = rounds("session-extend", number, at=8.1, line="/home/me/train.py:8", nodes=nodes, graph=lambda n: 1, first=lambda n: True)
    runs = [span("session-run-first", int((8.2 + n / 10) * S), int((8.3 + n / 10) * S), session=1) for n in range(2)]
    return loop(*made, *handed, *runs)


def test_session_churn():
    check_silent("session-churn", loop(*rounds("session-create", 2)))
    one = check_found("session-churn", sessions(8, lambda n: 100), "8 sessions", line=7, confidence="high")
    assert [round(ns / MS) for ns in one.gain] == [7 * (20 + 20 + 60), 7 * (20 + 20 + 200)]


def test_sessions_over_a_growing_graph_gain_what_making_them_costs():
    """One session in their place would take in a graph that grows as well: all else is the growing graph's time."""
    one = check_found("session-churn", sessions(8, lambda n: 100 + 300 * n), line=7)
    assert [round(ns / MS) for ns in one.gain] == [7 * 20] * 2


def test_causes_of_one_loop_gain_its_time_once():
    made = rounds("session-create", 8, at=7.9, took=100 * MS, nodes=lambda n: 100 + 300 * n, graph=lambda n: 1)
    again = rounds("initialisation", 8, nodes=lambda n: 100 + 300 * n, graph=lambda n: 1, variables=lambda n: 2 * n + 2)
    whole = loop(*made, *again)(diagnosis)
    gains = {one.id: one.gain for one in whole.findings if one.after_ready}
    assert {"session-churn", "growing-graph", "repeated-initialisation"} <= set(gains)
    assert max(one.high_ns for one in gains.values()) <= whole.later.high_ns <= 7.1 * S < sum(one.high_ns for one in gains.values())
    assert whole.edited.high_ns == 0


def test_model_made_in_loop():
    check_silent("model-made-in-loop", loop(*rounds("model-compile", 2)))
    one = check_found("model-made-in-loop", loop(*models(9)), "9 models compiled", "first weights again", line=7)
    assert [round(ns / MS) for ns in one.gain] == [8 * 20, 8 * 800]
    loaded = span("model-load", 6 * S, 7 * S)
    check_found("model-made-in-loop", loop(loaded, *models(9)), "9 models compiled", "load it once", line=7)
    check_found("model-made-in-loop", loop(loaded, *models(9, line="/home/me/train.py:9")), "build it once", line=9)  # another's load
    slow = check_found("model-made-in-loop", loop(*models(9, every=5), ended=60), "9 models compiled")
    assert [round(ns / MS) for ns in slow.gain] == [8 * 20, 8 * 820]  # rounds of five seconds, most of which are steps
    again = [replace(each, labels={**each.labels, "again": True}) for each in rounds("model-compile", 5)]
    check_silent("model-made-in-loop", loop(*models(1), *again[1:]))  # one model, compiled for each stage of its training


def built(number, *, at=8.0, every=1.0):
    return rounds("model-build", number, at=at, every=every, layers=lambda n: 3)


def test_models_that_are_made_and_used_without_being_compiled():
    """As `load_model` and `predict` in a loop: loading makes two graphs of layers for each model."""
    traces = rounds("trace", 10, at=8.2, line="/home/me/train.py:8")
    check_found("model-made-in-loop", loop(*built(10), *built(10, at=8.1), *traces), "10 models", line=7, confidence="medium")
    check_silent("model-made-in-loop", loop(*built(10, every=0.01), *rounds("trace", 10, at=9.0)))  # parts of one model, or models kept
    check_silent("model-made-in-loop", loop(*built(2), *traces))


def test_models_that_may_all_be_kept_are_not_surely_in_vain():
    """As in an ensemble; what was seen to be thrown away is no longer needed."""
    kept = loop(*models(5, gone=lambda n: 0))
    check_found("model-made-in-loop", kept, "5 models compiled", confidence="medium")
    thrown = loop(*models(5, gone=lambda n: max(0, n - 3)))
    check_found("model-made-in-loop", thrown, "5 models compiled", confidence="high")


def test_models_that_differ_or_that_the_program_clears_are_no_models_to_build_once():
    """A search over sizes needs another model in each round; Keras counts from one again after `clear_session`."""
    def searched(name, size, settings=lambda n: 1):
        made = rounds("model-build", 5, at=7.9, layers=lambda n: 3, weights=size, settings=settings, line="/home/me/train.py:6")
        traced, *compiled = models(5)
        return loop(*made, traced, *(replace(one, name=name(n)) for n, one in enumerate(compiled)))

    numbered, same = lambda n: f"sequential_{n}" if n else "sequential", lambda n: "sequential"
    check_silent("model-made-in-loop", searched(numbered, lambda n: 8 << n))
    check_silent("model-made-in-loop", searched(same, lambda n: 8 << n))
    check_silent("model-made-in-loop", searched(numbered, lambda n: 8, lambda n: n % 2))  # other activations, other rates
    check_found("model-made-in-loop", searched(numbered, lambda n: 8), "build it once", confidence="medium")
    check_found("model-made-in-loop", searched(lambda n: "my_model", lambda n: 8), "build it once", confidence="medium")
    cleared = check_found("model-made-in-loop", searched(same, lambda n: 8), "if all are alike", confidence="low")
    assert "clear_session" not in cleared.do


def made_three_times(*others, captures=4, variables=4, at=(2, 3.5, 5), how="exit", widths=(8, 8, 8)):
    """Models of four variables, each made in a second and a half; the last is traced."""
    made = [span("variable", int((one - 1.4 + n * 0.3) * S), int((one - 1.3 + n * 0.3) * S), "kernel", shape=[width])
            for one, width in zip(at, widths) for n in range(variables)]
    built = [span("model-build", int(one * S), int((one + 0.01) * S), "Functional", layers=5, line=PLACE) for one in at]
    traced = span("trace", 6 * S, 7 * S, "one_step_on_data", captures=captures, ops=200, source="/keras/trainer.py:9")
    whole = start(*made, *built, traced, *others, ended=30)
    return Facts(replace(whole.trace, processes=(replace(whole.trace.processes[0], end=(30 * S, how)),)))


def test_models_that_nothing_uses():
    one = check_found("model-made-in-loop", made_three_times(), "3 models, 2 in vain", "keep it", line=7, confidence="medium",
                      gain=(600, 1000))
    assert not one.after_ready
    check_found("model-made-in-loop", made_three_times(captures=8), "3 models, 1 in vain", gain=(300, 500))
    check_found("model-made-in-loop", made_three_times(widths=(2, 4, 8)), "3 models, 2 in vain", "that are used", confidence="low",
                gain=(0, 1000))
    check_silent("model-made-in-loop", made_three_times(captures=12))  # all are used, as in an ensemble
    check_silent("model-made-in-loop", made_three_times(captures=0))  # not by functions
    later = [span("trace", at * S, (at + 1) * S, "one_step_on_data", captures=4, source="/keras/trainer.py:9") for at in (11, 13)]
    check_silent("model-made-in-loop", made_three_times(*later))  # each of the others after the first step
    check_silent("model-made-in-loop", made_three_times(how="ready"))  # which may come yet
    check_silent("model-made-in-loop", made_three_times(at=(2, 3.5)))
    check_silent("model-made-in-loop", made_three_times(span("weights-set", int(5.1 * S), int(5.2 * S), "set_weights")))
    check_silent("model-made-in-loop", made_three_times(span("first-execution", int(5.1 * S), int(5.2 * S), "resnet")))  # eagerly


def test_memory_growing_between_initialisations():
    def sessions(*megabytes):
        return loop(*rounds("session-create", len(megabytes), resident=lambda n: megabytes[n] * 1_000_000))

    check_silent("memory-growing-between-initialisations", sessions(500, 501, 502, 502, 503, 503))
    check_silent("memory-growing-between-initialisations", sessions(3, 500, 500))
    check_found("memory-growing-between-initialisations", sessions(500, 550, 600, 650, 700, 750, 800, 850), "550 MB to 850 MB", line=7,
                confidence="medium")
