"""Causes that make graphs slow."""

import io
from dataclasses import replace

import pytest
from analyse.traces import SITE, USER

from firststep.analyse.facts import Facts
from firststep.analyse.graph_building import graph_building
from firststep.analyse.partition import partition
from firststep.causes import _replayed
from firststep.model.trace import Frame, Note
from firststep.remedies import cache_functions
from firststep.report.details import detail
from firststep.report.tables import traces
from firststep.report.terminal import print_report
from firststep_agent.boost.cache_functions import hooks
from firststep_agent.boost.cache_functions.answer import by_content
from firststep_agent.boost.cache_functions.keep import pending

from .kit import MS, S, check_found, check_silent, sample, span, start

STEP = {"source": "/home/me/train.py:3"}
PLACE = "/home/me/train.py:7"


def trace(begin, end, why="first trace", name="step", **labels):
    return span("trace", int(begin * S), int(end * S), name, why=why, line=PLACE, **{**STEP, "ops": 900, **labels})


SECOND = "variables were made in the first trace"


def test_double_trace():
    check_silent("double-trace", start(trace(1, 3)))
    check_silent("double-trace", start(trace(1, 3), trace(4, 5, "x: shape (2,) -> (3,)")))
    check_found("double-trace", start(trace(1, 4), span("initialiser", 4 * S, 5 * S, lifted=True), trace(5, 7, SECOND)),
                "step twice", "make its variables", line=7, gain=(2400, 3800), confidence="high")
    lifted = span("initialiser", int(1.2 * S), int(1.25 * S), lifted=True)
    short = check_found("double-trace", start(trace(1, 1.2), lifted, trace(1.25, 1.4, SECOND)))
    assert short.remedies == ("prebuild-variables",)  # the function cache leaves a trace as short as this to TensorFlow


def test_the_advice_on_a_double_trace_is_about_whose_variables_they_are():
    def advised(*inside, seconds=1.0, **labels):
        return check_found("double-trace", start(trace(1, 1 + seconds, **labels), *inside, trace(3, 4, SECOND, **labels)), "step twice")

    def made(kind, **labels):
        return span(kind, int(1.01 * S), int(1.1 * S)), span("variable", int(1.05 * S), int(1.06 * S), **labels)

    optimizers = advised(*made("optimizer-build", initialiser="Zeros"))
    assert optimizers.do == "boost makes them first; else optimizer.build(variables)" and "prebuild-variables" in optimizers.remedies
    models = advised(*made("model-build"))
    assert models.do == "boost keeps it; else model(one batch)" and models.remedies == ("cache-functions",)
    short = advised(*made("model-build"), seconds=0.2)
    assert short.do == "model(one batch) before its first call" and not short.remedies
    metric = span("variable", int(1.05 * S), int(1.06 * S), initialiser="Zeros")
    assert "prebuild-variables" in advised(metric).remedies
    own = span("variable", int(1.05 * S), int(1.06 * S))
    assert advised(own, seconds=0.2).do == "make its variables before its first call"
    assert "prebuild-variables" in advised(own, source=f"{SITE}/keras/src/engine/training.py:1310").remedies  # a metric of Keras 2


def test_an_optimizer_that_is_built_helps_no_metric_that_has_its_variables_to_make():
    """In Keras's own step: one variable that is left is enough for the second trace."""
    keras = {"source": f"{SITE}/keras/src/backend/tensorflow/trainer.py:131"}
    built = span("optimizer-build", S // 2, int(0.9 * S)), span("variable", int(0.6 * S), int(0.7 * S), initialiser="Zeros")
    metric = span("variable", int(1.5 * S), int(1.6 * S), initialiser="Zeros")
    slots = span("optimizer-build", int(1.1 * S), int(1.3 * S)), span("variable", int(1.2 * S), int(1.25 * S), initialiser="Zeros")
    layers = span("model-build", int(1.7 * S), int(1.9 * S)), span("variable", int(1.75 * S), int(1.8 * S), initialiser="Zeros")

    def advised(*inside):
        return check_found("double-trace", start(trace(1, 2, **keras), *inside, trace(3, 4, SECOND, **keras)), "step twice")

    alone = advised(*built, metric)
    assert alone.do == "boost makes them first; else metrics given as objects, not by name" and "prebuild-variables" in alone.remedies
    assert advised(*slots, metric).do == "boost makes them first; else optimizer.build(variables), metrics as objects"
    assert advised(*layers, metric).do == "boost keeps it; else model(one batch), metrics as objects"
    assert advised(*slots, metric, *layers).do == "boost keeps it; else make all its variables"
    with_metrics, without = (span("model-compile", 1, 2, "model", metrics=given) for given in (True, False))
    assert advised(*built, metric, with_metrics).do == alone.do
    assert advised(*built, metric, without).do == "boost makes them first; else nothing by hand: Keras keeps each output's loss"
    assert advised(*slots, metric, without).do == "boost makes them first; else optimizer.build(variables)"


def test_initial_values_are_computed_whether_a_function_is_traced_twice_or_not():
    values = span("initialiser", int(1.5 * S), int(3.5 * S), "Orthogonal", bytes=4_000_000)
    check_found("double-trace", start(trace(1, 4), values, trace(5, 7, SECOND)),
                "step twice, 1.0 s the first time", gain=(600, 900))
    filled = [span("initialiser", 4 * S, 7 * S, lifted=True, variables=2), span("trace", 4 * S, int(4.5 * S), "initialize_variables"),
              span("first-call", int(4.5 * S), 7 * S, "__inference_initialize_variables_7")]
    check_found("double-trace", start(trace(1, 2), *filled, trace(7, 8, SECOND)), "step twice, 1.5 s the first time",
                gain=(900, 1350))


def test_function_retracing():
    check_silent("function-retracing", start(trace(1, 3)))
    check_silent("function-retracing", start(trace(1, 3), trace(4, 5, SECOND)))
    check_silent("function-retracing", start(trace(1, 3), trace(4, 5, "x: shape (32, 4) -> (7, 4)")))  # the last, shorter batch
    check_silent("function-retracing", start(trace(1, 2), trace(2, 3, "new function with the same code (made in a loop)"),
                                             trace(3, 4, "new function with the same code (made in a loop)")))
    again = [trace(2 + n / 2, 2.5 + n / 2, f"n: Python value {n} -> {n + 1}") for n in range(4)]
    check_found("function-retracing", start(trace(1, 2), *again), "step 4 traces", "Python value", line=3, gain=(1800, 2000))


def test_what_is_meant_to_be_traced_again_is_no_retracing():
    """The last batch of training and that of an evaluation, shapes left open, a flag with two values."""
    last = "x: shape (32, 28) -> (7, 28)"
    check_silent("function-retracing", start(trace(1, 3), trace(4, 5, last), trace(5, 6, "first trace", "test_step"),
                                             trace(7, 8, last, "test_step")))
    check_silent("function-retracing", start(trace(1, 3), *(trace(n, n + 1, "x: shape (32, 28) -> (None, 28); y: shape (32,) -> (None,)")
                                                            for n in range(4, 8))))
    check_found("function-retracing", start(trace(1, 3), *(trace(n, n + 1, f"x: shape (32, None) -> ({n}, None)") for n in range(4, 8))))
    flag = trace(4, 5, "training: Python value True -> False")
    check_silent("function-retracing", start(trace(1, 3), flag, trace(5, 6, last), trace(6, 7, last)))
    check_silent("function-retracing", start(trace(1, 3), *(trace(n, n + 1, f"mode: Python value 'a' -> '{n}'") for n in range(4, 7))))
    check_found("function-retracing", start(trace(1, 3), *(trace(n, n + 1, "a: Python value True -> False; b: dtype int32 -> int64")
                                                           for n in range(4, 7))))


def test_reasons_of_one_kind_are_one_after_ready():
    """A first call after ready, and one for each of twenty lengths: neither hides the other."""
    late = [trace(11, 12, "first trace", "evaluate"), *(trace(12 + n / 2, 12.4 + n / 2, f"x: shape (8, {n}) -> (8, {n + 1})", "evaluate")
                                                        for n in range(20))]
    check_found("function-retracing", start(trace(1, 2), *late, ended=30), "evaluate 20 traces in 8.0 s, after the first step")


def test_function_retracing_after_ready():
    late = [trace(11 + n, 11.5 + n, f"n: Python value {n} -> {n + 1}") for n in range(6)]
    one = check_found("function-retracing", start(trace(1, 2), *late, ended=20), "6 traces in 3.0 s, after the first step", line=3)
    assert one.after_ready
    early = [trace(2 + n / 2, 2.4 + n / 2, f"n: Python value {n} -> {n + 1}", "evaluate") for n in range(4)]
    check_found("function-retracing", start(trace(1, 2), *early, *late, ended=20),
                "6 traces in 3.0 s, after the first step, 1.6 s before it")


def test_the_advice_on_retracing_is_about_what_differs():
    shapes = [trace(2 + n / 2, 2.5 + n / 2, f"x: shape (8, {n}) -> (8, {n + 1})") for n in range(4)]
    assert "Python" not in check_found("function-retracing", start(trace(1, 2), *shapes), "x has another shape", "reduce_retracing").do
    types = [trace(2 + n / 2, 2.5 + n / 2, "x: dtype float32 -> float64") for n in range(4)]
    assert "Python" not in check_found("function-retracing", start(trace(1, 2), *types), "x has another dtype", "same types").do
    modes = [trace(2 + n / 2, 2.5 + n / 2, "mode: Python value 'a' -> 'b'") for n in range(5)]
    check_found("function-retracing", start(trace(1, 2), *modes), "mode is a Python value", "fewer values")
    given = [trace(2 + n / 2, 2.5 + n / 2, "mask: given this time") for n in range(4)]
    check_found("function-retracing", start(trace(1, 2), *given), "new types of arguments", "same types")


def test_what_differs_is_on_the_screen_however_long_the_evidence():
    late = [trace(11 + n, 11.5 + n, f"step: Python value {n} -> {n + 1}", "train_step_of_the_generator") for n in range(6)]
    one = start(trace(1, 2), *late, ended=20)
    file = io.StringIO()
    print_report(one.trace, file)
    found = file.getvalue().partition("function-retracing: ")[2].split("\n")
    assert found[0].startswith("step is a Python number ") and "…" not in found[1], found[:2]


def test_what_a_strategy_traces_is_told_by_its_replicas_and_nothing_of_it_is_boosts():
    """Boost keeps no such function, and makes none of its variables before."""
    one = start(trace(1, 4, replicas=2), span("optimizer-build", int(1.1 * S), int(1.4 * S)))
    found_one = check_found("slow-graph-construction", one, "900 operations for 2 replicas", "fewer replicas", gain=(500, 1400))
    assert found_one.remedies == ()
    slots = check_found("slow-optimizer-setup", one, "as SGD")
    assert slots.remedies == ()
    again = check_found("double-trace", start(trace(1, 4, replicas=2), trace(5, 7, SECOND, replicas=2)), "step twice")
    assert again.remedies == () and "boost" not in again.do
    inside = start(trace(1, 4, name="multi_step_on_iterator"), trace(1.5, 3.5, name="one_step_on_data", replicas=2))
    assert check_found("slow-graph-construction", inside, "for 2 replicas").remedies == ()  # as `fit` has it
    alone = check_found("slow-graph-construction", start(trace(1, 4, replicas=1)), "900 operations", "fewer and smaller functions")
    assert alone.remedies == () and "replica" not in alone.evidence.words


def called(at, name, optimised, executed):
    """The first call of a function that was traced."""
    end = at + optimised + executed
    return (span("first-call", int(at * S), int(end * S), name), span("graph-optimise", int(at * S), int((at + optimised) * S), name))


def test_what_is_traced_anew_is_optimised_and_run_for_a_first_time_as_well():
    new = "new function with the same code (made in a loop)"
    first = [trace(1, 2, function="a"), *called(2, "a", 0.5, 0.1)]
    again = [one for n in range(3, 7) for one in (trace(n, n + 0.4, new, function=f"f{n}"), *called(n + 0.4, f"f{n}", 0.3, 0.1))]
    check_found("function-made-in-loop", start(*first, *again), "4 traces in 1.6 s", gain=(2700, 3200))
    late = [trace(11 + n, 11.5 + n, f"n: Python value {n} -> {n + 1}") for n in range(6)]
    other = [trace(7, 9, name="init", function="i"), *called(9, "i", 0.5, 0.4)]
    check_found("function-retracing", start(*first, *other, *late, ended=20), "6 traces in 3.0 s", gain=(4300, 4600))
    check_found("function-retracing", start(*other, *late, ended=20), "6 traces in 3.0 s", gain=(3600, 4100))


def test_function_made_in_loop():
    new = "new function with the same code (made in a loop)"
    check_silent("function-made-in-loop", start(trace(1, 2), trace(2, 3, "x: shape (2,) -> (3,)")))
    check_found("function-made-in-loop", start(trace(1, 2), trace(2, 3, new), trace(3, 4, new)), "2 traces", "outside of the loop",
                line=3, gain=(1800, 2000))


def test_functions_made_in_loops_are_counted_each_by_itself():
    new = "new function with the same code (made in a loop)"
    loss = [trace(1 + n, 2 + n, new, "loss") for n in range(3)]
    others = [trace(5 + n / 2, 5.4 + n / 2, new, "<lambda>", source="/home/me/train.py:9") for n in range(2)]
    check_found("function-made-in-loop", start(*loss, *others), "loss 3 traces in 3.0 s, 2 of <lambda> at line 9", line=3,
                gain=(3400, 3800))
    third = [trace(7 + n / 2, 7.1 + n / 2, new, "loss", source="/home/me/other.py:3") for n in range(2)]
    check_found("function-made-in-loop", start(*loss, *others, *third), "2 of <lambda> at line 9, 2 of 1 more function")
    late = [trace(11 + n, 13 + n, new, "<lambda>", source="/home/me/train.py:9") for n in range(0, 6, 2)]
    check_found("function-made-in-loop", start(*loss, *late, ended=20),
                "<lambda> 3 traces in 6.0 s, after the first step, 3.0 s before it, 3 of loss", line=9)


def test_slow_graph_construction():
    check_silent("slow-graph-construction", start())
    check_silent("slow-graph-construction", start(trace(1, 1.02)))
    one = check_found("slow-graph-construction", start(trace(1, 4)), "1 trace in 3.0 s", "900 operations", gain=(1800, 2900))
    assert one.remedies == ("cache-functions",)
    short = check_found("slow-graph-construction", start(*(trace(n / 4, n / 4 + 0.2) for n in range(4, 16))), "12 traces")
    assert short.remedies == () and "boost" not in short.do  # each is traced in less than a look-up is worth


def test_a_trace_in_which_the_program_was_killed_leaves_nothing_to_keep():
    cut = replace(trace(1, 4, ops=0), ended=False)
    one = check_found("slow-graph-construction", start(cut), "1 trace in 3.0 s, most in", "cut off")
    assert one.remedies == () and "operations" not in one.evidence.words and "boost" not in one.do


def test_what_is_of_a_pipeline_is_traced_however_long_it_takes():
    assert hooks._OWN == _replayed.OWN
    of_map = {"source": f"{SITE}/tensorflow/python/data/ops/structured_function.py:230", "name": "Dataset_map_load"}
    for cause, *inside in (("slow-graph-construction",), ("slow-autograph", span("autograph", S, 3 * S, "load"))):
        left = check_found(cause, start(trace(0.9, 4, **of_map), *inside))
        assert not left.boosted and "boost" not in left.do and "layers" not in left.do


def test_what_is_traced_in_less_is_traced():
    assert cache_functions.SETTINGS["replay_over_ms"] * 10**6 == _replayed.OVER_NS


def test_embedded_constant():
    def of(size, *more, function="f_1"):
        return start(trace(1, 3, constants=[size, PLACE], function=function), span("graph-optimise", 3 * S, 5 * S, "f_1"), *more)

    check_silent("embedded-constant", of(4_000_000))
    check_silent("embedded-constant", start(trace(1, 4)))
    check_found("embedded-constant", of(80_000_000), "80 MB in a graph", "traced and optimised in 4.0 s", "outside of the function",
                gain=(3700, 3800), confidence="high")
    check_found("embedded-constant", of(80_000_000, function="g_2"), "in 2.0 s", gain=(1800, 1900))  # another's optimisation
    check_found("embedded-constant", of(12_000_000), gain=(1500, 2600))  # so few bytes do not take all of it


def test_unrolled_python_loop():
    check_silent("unrolled-python-loop", start(trace(1, 4)))
    check_silent("unrolled-python-loop", start(trace(1, 4, repeated=["AddV2", 60, PLACE], ops=2000)))  # a few of many operations
    check_silent("unrolled-python-loop", start(trace(1, 4, repeated=["AddV2", 600, PLACE, 0.03])))
    check_silent("unrolled-python-loop", start(trace(1, 4, repeated=["AddV2", 600, ""])))  # nobody's line: a library's
    own = f"{SITE}/tensorflow/python/eager/polymorphic_function/polymorphic_function.py:1084"
    check_silent("unrolled-python-loop", start(trace(1, 4, repeated=["AssignVariableOp", 400, PLACE], source=own)))
    check_found("unrolled-python-loop", start(trace(1, 4, repeated=["Tanh", 400, PLACE])), "Tanh 400 times", "tf.range", line=7,
                gain=(1500, 2900))
    check_found("unrolled-python-loop", start(trace(1, 4, repeated=["Tanh", 400, PLACE, 0.4])), "Tanh 400 times", gain=(600, 1180))
    with_gradients = start(trace(1, 4, repeated=["MatMul", 400, PLACE], ops=3225))  # three operations a round, and those of their gradients
    check_found("unrolled-python-loop", with_gradients, "MatMul 400 times")
    sums = start(trace(1, 4, repeated=["AddN", 79, PLACE], ops=2499))  # of gradients, one for each variable that is used twice
    check_silent("unrolled-python-loop", sums)


def register(at, name, ops):
    return span("function-register", int(at * S), int(at * S) + 50 * MS, name, ops=ops)


def test_an_unrolled_loop_costs_its_gradients_and_the_first_runs_of_its_graphs():
    unrolled = trace(1, 2, name="run", function="__inference_run_7", repeated=["Tanh", 400, PLACE])
    another = span("gradients", int(2.1 * S), int(2.4 * S), "_GradientsHelper", xs=1)
    built = span("gradients", int(2.5 * S), int(4.5 * S), "_GradientsHelper", xs=1)
    graphs = (register(4.6, "__inference___backward_run_8_20", 2000), register(4.7, "__forward_run_19", 900))
    forward = span("first-call", 5 * S, 6 * S, "__forward_run_19"), span("graph-optimise", 5 * S, int(5.9 * S), "__forward_run_19")
    backward = (span("first-execution", int(6.1 * S), 8 * S, "GradientTape.gradient", xs=1),
                span("first-call", int(6.2 * S), 8 * S, "__inference___backward_run_8_20"),
                span("graph-optimise", int(6.2 * S), int(7.9 * S), "__inference___backward_run_8_20"))
    of_others = span("graph-optimise", int(8.5 * S), int(9.5 * S), "__inference_run_of_others_30")
    one = check_found("unrolled-python-loop", start(unrolled, another, built, *graphs, *forward, *backward, of_others))
    assert abs(one.gain.low_ns - 0.5 * 5.7 * S) < 0.1 * S  # trace, gradients, two optimisations; a first run may stay as it is
    assert abs(one.gain.high_ns - (0.98 * 5.7 + 0.8 * 0.2) * S) < 0.1 * S
    alone = check_found("unrolled-python-loop", start(unrolled, another, built, *forward, *backward))  # nobody says whose they are
    assert abs(alone.gain.high_ns - 0.98 * S) < 0.1 * S


def test_an_unrolled_loop_is_a_part_of_the_graph_that_calls_it():
    inner = trace(2, 3, name="run", function="__inference_run_7", repeated=["Tanh", 400, PLACE], ops=1500)
    outer = trace(1, 4, source="/home/me/train.py:9", function="__inference_step_9", ops=500)
    optimised = span("graph-optimise", 4 * S, 8 * S, "__inference_step_9")
    check_found("unrolled-python-loop", start(inner, outer, optimised), gain=(2800, 3000))  # of three quarters
    check_found("unrolled-python-loop", start(inner, replace(outer, start=int(2.5 * S)), optimised), gain=(650, 800))
    of_data = span("data-function", int(1.9 * S), int(3.1 * S), "map")
    check_found("unrolled-python-loop", start(inner, of_data, outer, optimised), gain=(650, 800))  # which runs in no graph of the step's


def test_a_constant_is_optimised_in_the_graph_that_calls_its_function():
    inner = trace(2, 3, name="lookup", function="__inference_lookup_7", constants=[100_000_000, PLACE])
    outer = trace(1, 4, source="/home/me/train.py:9", function="__inference_step_9")
    optimised = span("graph-optimise", 4 * S, 9 * S, "__inference_step_9")
    one = check_found("embedded-constant", start(inner, outer, optimised), "lookup, inlined into step, traced", "in 8.0 s")
    assert abs(one.gain.low_ns - (0.95 + 0.3 + 4.0) * S) < 0.1 * S  # the trace around it copies the bytes, and does more
    assert abs(one.gain.high_ns - (0.95 + 1.2 + 4.75) * S) < 0.1 * S
    again = (trace(5, 6, SECOND, source="/home/me/train.py:9", function="__inference_step_30"),
             span("graph-optimise", 6 * S, 9 * S, "__inference_step_30"))  # the inner function is traced already
    check_found("embedded-constant", start(inner, outer, *again), gain=(4500, 6000))


def test_a_function_that_was_traced_before_is_a_part_of_what_calls_it():
    inner = trace(1, 2, name="lookup", function="__inference_lookup_7", constants=[100_000_000, PLACE])
    made = register(2.5, "__forward_lookup_9", 900)
    step = trace(2.2, 3, source="/home/me/train.py:9", function="__inference_step_9", calls=["__forward_lookup_9"])
    whole = trace(3, 4, name="loop", source="/home/me/train.py:20", function="__inference_loop_12", calls=["__inference_step_9"])
    optimised = span("graph-optimise", 4 * S, 9 * S, "__inference_loop_12")
    check_found("embedded-constant", start(inner, made, step, whole, optimised), "in 7.8 s", gain=(5900, 6600))
    check_found("embedded-constant", start(inner, made, whole, optimised), "in 1.0 s", gain=(900, 1000))  # nobody that calls it


def test_slow_autograph():
    check_silent("slow-autograph", start(span("autograph", S, S + 20 * MS, "step", **STEP)))
    inner = span("autograph", int(1.2 * S), int(1.5 * S))
    check_found("slow-autograph", start(trace(0.9, 4), span("autograph", S, 2 * S, "step", **STEP), inner),
                "1 conversion in 1.0 s", "longest step", line=3)
    library = {"source": "/opt/python/lib/python3.11/argparse.py:1875"}
    check_found("slow-autograph", start(span("autograph", S, 2 * S, "parse", **library)), "longest parse", line=7)
    conversions = [span("autograph", int(at * S), int((at + 0.2) * S), "step", **STEP) for at in (0.5, 1)]
    assert check_found("slow-autograph", start(trace(0.9, 4), *conversions), "400 ms", "boost").gain.high_ns <= 200 * MS


def test_only_what_needs_no_autograph_is_told_to_go_without():
    """An `if` over a tensor fails without it."""
    converted = span("autograph", S, int(1.15 * S), "step", **STEP)

    def advised(*traces):
        return check_found("slow-autograph", start(*traces, converted))

    plain = advised(trace(0.9, 1.19, autograph=False))
    assert plain.do == "tf.function(autograph=False)" and plain.confidence == "high"
    for needs in ((trace(0.9, 1.19, autograph=True),), (trace(0.9, 1.19),), (),  # a trace that does not tell; none that was ended
                  (trace(0.95, 1.2, autograph=True), trace(0.97, 1.19, autograph=False))):
        one = advised(*needs)
        assert one.do == "less code in it" and one.confidence == "medium"
    kept = advised(trace(0.9, 4, autograph=True))
    assert kept.do == "boost keeps the traced function; else less code in it" and kept.confidence == "high"
    elsewhere = advised(trace(0.9, 1.19, autograph=False), trace(2, 3, autograph=True))
    assert elsewhere.do == "tf.function(autograph=False)"
    of_keras = trace(0.9, 1.19, autograph=False, source=f"{SITE}/keras/src/backend/tensorflow/trainer.py:131")
    assert "do_not_convert" in advised(of_keras).do  # whose `tf.function` is not the program's
    of_map = span("data-function", int(0.8 * S), 3 * S, "load"), trace(0.9, 1.19, autograph=False)
    assert "do_not_convert" in advised(*of_map).do and "tf.function" not in advised(*of_map).do


def test_slow_gradient_construction():
    check_silent("slow-gradient-construction", start(span("gradients", S, S + 50 * MS, xs=3)))
    check_found("slow-gradient-construction", start(trace(0.9, 4), span("gradients", S, 3 * S, xs=70)), "70 variables", gain=(1200, 1900))
    check_found("slow-gradient-construction", start(trace(0.9, 4), span("gradients", S, 3 * S, xs=1)), "1 variable")
    short = [one for at in range(1, 4) for one in (trace(at, at + 0.25), span("gradients", at * S, int((at + 0.2) * S), xs=9))]
    left = check_found("slow-gradient-construction", start(*short), "600 ms", "fewer operations")
    assert not left.remedies  # each is traced in less than a look-up is worth
    both = check_found("slow-gradient-construction", start(*short, trace(5, 6), span("gradients", 5 * S, 6 * S, xs=9)), "1.6 s", "boost")
    assert both.gain.high_ns <= S  # and no more than what is kept


def test_slow_graph_optimisation():
    check_silent("slow-graph-optimisation", start(span("graph-optimise", S, S + 10 * MS, "__inference_step_4")))
    check_found("slow-graph-optimisation", start(span("graph-optimise", S, 3 * S, "__inference_step_4")),
                "1 function in 2.0 s, step", gain=(1000, 1900))
    check_found("slow-graph-optimisation", start(span("graph-optimise", S, 3 * S, "a"), span("graph-optimise", 3 * S, 4 * S, "b")),
                "2 functions in 3.0 s, a 2.0 s")
    again = [span("graph-optimise", at * S, (at + 1) * S, f"__inference_step_{at}") for at in range(1, 5)]
    check_found("slow-graph-optimisation", start(*again, span("graph-optimise", 5 * S, 6 * S, "b")),
                "5 functions in 5.0 s, step 4.0 s in 4")
    beside = [span("graph-optimise", S, 3 * S, f"__inference_step_{thread}", thread=thread) for thread in (7, 8)]
    check_found("slow-graph-optimisation", start(span("graph-optimise", S, 3 * S, "b"), *beside), "3 functions in 2.0 s, most in")


def test_boost_promises_nothing_of_a_graph_whose_constants_are_too_large_to_keep():
    """Its entry would be larger than the function cache keeps: boost says so once it has run, and the report before."""
    assert pending._LARGEST == _replayed.LARGEST

    def of(size, *more):
        held = trace(1, 3, constants=[size, PLACE], function="__inference_lookup_4", name="lookup")
        rewritten = span("autograph", int(1.1 * S), int(1.6 * S), "lookup", **STEP)
        gradients = span("gradients", int(1.7 * S), int(2.2 * S))
        return start(held, rewritten, gradients, span("graph-optimise", 3 * S, 6 * S, "__inference_lookup_4"), *more)

    causes = ("slow-graph-construction", "slow-graph-optimisation", "slow-autograph", "slow-gradient-construction")
    for cause in causes:
        assert check_found(cause, of(100 << 20)).boosted, cause
        left = check_found(cause, of(160 << 20))
        assert not left.boosted and "boost keeps" not in left.do.replace("boost keeps none", ""), cause
    kept = of(160 << 20, span("graph-optimise", 6 * S, 7 * S, "__inference_step_9"))
    assert check_found("slow-graph-optimisation", kept, "2 functions in 4.0 s", gain=(500, 950)).boosted


def test_boost_promises_nothing_of_graphs_whose_optimisation_is_over_at_once():
    """A function that is traced anew for each of thirty numbers."""
    assert by_content._WORTH_NS == _replayed.WORTH_NS
    small = [span("graph-optimise", S + at * 100 * MS, S + at * 100 * MS + 15 * MS, f"__inference_f_{at}") for at in range(30)]
    left = check_found("slow-graph-optimisation", start(*small), "30 functions in 450 ms", "boost keeps none")
    assert not left.boosted
    kept = check_found("slow-graph-optimisation", start(*small, span("graph-optimise", 5 * S, 6 * S, "__inference_step_9")),
                       "31 functions in 1.4 s", "boost keeps the optimised graph", gain=(500, 950))
    assert kept.boosted


def test_boost_promises_nothing_of_what_it_has_refused():
    def of(*notes):
        step, other = trace(1, 3), trace(4, 5, name="other")
        return start(step, other, span("graph-optimise", 3 * S, 4 * S, "__inference_step_4"), notes=notes)

    refused = Note(2 * S, "cache-functions", "refused", {"function": "step", "reason": "tracing it twice gives two results"})
    learned = Note(3 * S, "cache-functions", "learned", {"function": "step"})
    assert check_found("slow-graph-construction", of(), gain=(1700, 2400)).boosted
    assert check_found("slow-graph-construction", of(refused), gain=(600, 950)).boosted
    assert check_found("slow-graph-construction", of(refused, learned), gain=(1700, 2400)).boosted
    assert check_found("slow-graph-construction", of(replace(refused, remedy="import-image")), gain=(1700, 2400)).boosted
    assert not check_found("slow-graph-construction", of(refused, replace(refused, labels={"function": "other"}))).boosted


@pytest.mark.parametrize(("cause", "kind"), [("slow-graph-optimisation", "graph-optimise"), ("slow-gradient-construction", "gradients"),
                                             ("slow-variable-creation", "variable")])
def test_boost_claims_nothing_of_what_sessions_run(cause, kind):
    slow, session = span(kind, S, 3 * S, "a", xs=70, bytes=4), span("session-create", 4 * S, 4 * S + MS)
    by_session, both, none = (check_found(cause, start(slow, *others)) for others in (
        (session,), (session, trace(0.9, 4)), (trace(0.9, 4),)))
    assert not by_session.boosted and "boost" not in by_session.do
    assert both.boosted and none.boosted


def test_cold_compile_cache():
    check_silent("cold-compile-cache", start())
    check_found("cold-compile-cache", start(span("xla-compile", S, 4 * S, "__inference_step_4")), "3.0 s compiling", "step",
                "persistent_cache_directory", confidence="medium")


@pytest.mark.parametrize(("version", "devices", "kept"), [
    ("2.15.1", {"CPU": 1}, False), ("2.16.2", {"CPU": 1}, True),
    ("2.20.0", {"CPU": 1, "GPU": 1}, False), ("2.21.0", {"CPU": 1, "GPU": 1}, True)])
def test_boost_keeps_what_xla_compiles_where_it_was_tried(version, devices, kept):
    spans = span("runtime-init", 0, MS, devices=devices), span("xla-compile", S, 4 * S, "__inference_step_4")
    one = check_found("cold-compile-cache", start(*spans, packages={"tensorflow": version}), "XLA")
    assert (one.remedies == ("cache-functions",)) == kept and ("boost keeps" in one.do) == kept


MATMUL = Frame(f"{SITE}/tensorflow/python/ops/math_ops.py", "matmul", 1, 2)
BUILDS = Frame(f"{SITE}/tensorflow/python/framework/op_def_library.py", "_apply_op_helper", 1, 2)


def by_hand(*stack, seconds=4):
    """A program of TensorFlow 1's kind that is for so long in its line 7, which calls that, and then runs a session."""
    samples = [sample(at * 100 * MS, USER, *(stack if at > 10 and at <= 10 + seconds * 10 else ())) for at in range(1, 101)]
    return start(span("session-create", 8 * S, 8 * S + MS), samples=samples)


def test_a_graph_that_is_built_by_hand_is_told_by_what_was_called_and_where():
    check_silent("slow-graph-construction", by_hand(MATMUL))  # eager
    facts = by_hand(MATMUL, BUILDS)
    one = check_found("slow-graph-construction", facts, "4.0 s to put operations into it, most in matmul", line=7, gain=(1000, 2000))
    assert one.remedies == ()
    assert [(each.called, each.line.line, each.ns) for each in facts(graph_building)] == [("matmul", 7, 4 * S)]
    assert facts(partition).phases["tracing"] == 4 * S
    assert detail(facts, "tracing")[:3] == ["4.0 s in matmul", "called at train.py:7", "outside of a trace"]
    assert traces(facts).rows == (("matmul train.py:7", "", "4.0 s", "", "", "outside of a trace"),)


def test_what_is_built_within_a_trace_is_the_traces():
    within = [sample(at * 100 * MS, USER, MATMUL, BUILDS) for at in range(1, 101)]
    assert start(span("trace", 0, 10 * S, "step", ops=9), samples=within)(graph_building) == ()


def by_xla(at_ready, at_exit, *after, until=30, **rest):
    """A function of XLA's, whose first program has 100 kB and took 2 s; and the machine code at ready and at the end."""
    made = [span("trace", S, 2 * S, "step", machine_code=1000, xla=True, source="/home/me/train.py:3",
                 signature="(x: TensorSpec(shape=(None, 64), dtype=tf.float32, name=None))"),
            span("xla-compile", 2 * S, 4 * S, "__inference_step_4", machine_code=101_000)]
    facts = start(*made, *after, ready=5, ended=until,
                  counters={"machine_code_at_ready": at_ready, "machine_code_at_exit": at_exit, **rest})
    (process,) = facts.trace.processes
    return Facts(replace(facts.trace, processes=(replace(process, end=(until * S, "exit")),)))


def test_compiled_per_shape():
    check_silent("compiled-per-shape", start(span("xla-compile", S, 4 * S, "__inference_step_4")))
    check_silent("compiled-per-shape", by_xla(101_000, 101_000))
    check_silent("compiled-per-shape", by_xla(101_000, 180_000))  # the last batch was smaller
    check_found("compiled-per-shape", by_xla(101_000, 501_000, cpu_after_ready_ns=20 * S), "400 kB of machine code more after the first",
                "about 8.0 s", line=3, gain=(4000, 8000), confidence="medium")
    check_found("compiled-per-shape", by_xla(101_000, 501_000, cpu_after_ready_ns=3 * S), "about 3.0 s")  # no more than was computed
    again = [span("trace", at * S, at * S + MS, "step", machine_code=0, xla=True) for at in range(10, 14)]
    check_silent("compiled-per-shape", by_xla(101_000, 501_000, *again))  # each trace has its own program


def test_compiled_per_shape_before_ready():
    """Where a later step is waited for, what the further calls took is counted."""
    later = {"later-call __inference_step_4": [4, 7 * S]}
    calls = span("first-call", 2 * S, 4 * S, "__inference_step_4")
    one = check_found("compiled-per-shape", by_xla(501_000, 501_000, calls, **later), "about 7.0 s, and no new trace", gain=(3000, 7000))
    assert not one.after_ready


def test_slow_model_build():
    check_silent("slow-model-build", start(span("model-build", S, S + 100 * MS)))
    check_silent("slow-model-build", start(span("graph-import", S, 4 * S, functions=50)))  # saved-model-functions-rebuilt
    once = check_found("slow-model-build", start(span("model-build", S, 4 * S, layers=50, name="functional")), "50 layers", line=7)
    assert once.do == "iterate on a smaller one"
    again = [span("model-build", at * S, (at + 2) * S, layers=layers, name=name) for at, name, layers in (
        (1, "functional", 50), (4, "functional_1", 50), (7, "head", 3))]
    check_found("slow-model-build", start(*again), "build it once")
    check_found("slow-model-build", start(*again[1:]), "iterate on a smaller one")


def test_xla_constant_folding():
    check_silent("xla-constant-folding", start())
    line = "Constant folding an instruction is taking > 2s:"
    check_found("xla-constant-folding", start(span("xla-compile", S, 4 * S), log=((2 * S, line),)), "more than 2s")

