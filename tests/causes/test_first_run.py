"""Causes that lie in what the program does first, and with what."""

from dataclasses import replace

from analyse.traces import SITE, USER

from firststep.analyse import phases
from firststep.analyse.executions import executions
from firststep.analyse.facts import Facts
from firststep.report.details import detail

from .kit import MS, Frame, S, check_found, check_silent, sample, span, start


def test_first_execution():
    check_silent("first-execution", start(span("first-execution", S, S + 100 * MS)))
    check_found("first-execution", start(span("first-call", S, 3 * S, "__inference_step_4"),
                                         counters={"later-call __inference_step_4": [4, 40 * MS]}),
                "2.0 s of first runs, step 2.0 s, later runs 10 ms", line=7)
    split = span("first-call", S, 3 * S, "step"), span("first-execution", int(1.5 * S), 3 * S, "step")  # what the thread was busy with
    check_found("first-execution", start(*split), "2.0 s of first runs, step 2.0 s")
    eager = [span("first-execution", 4 * S, 8 * S, "encoder"), span("first-call", S, 3 * S, "__inference_step_4")]
    one = check_found("first-execution", start(*eager, counters={"later-call __inference_step_4": [4, 40 * MS]}), "6.0 s of first runs")
    assert one.evidence.words.endswith(", encoder 4.0 s")  # the later runs are another's
    trained, served = (check_found("first-execution", start(span("first-call", S, 3 * S), ready_kind=kind)).do
                       for kind in ("train", "predict"))
    assert "traffic" in served and "traffic" not in trained
    assert "shapes" not in served + trained
    shapes = [span("first-call", at * S, (at + 1) * S, f"__inference_step_{at}") for at in (1, 2)]
    check_found("first-execution", start(*shapes), "fewer distinct shapes")
    check_found("first-execution", start(*shapes, ready_kind="predict"), "before traffic, of few shapes")


def test_the_first_call_of_a_model_that_makes_many_steps_at_once_says_so():
    def fitted(steps, *inside, model="sequential"):
        return start(span("model-compile", int(0.9 * S), S, model, steps_per_execution=steps),
                     span("fit", S, 20 * S, "sequential"), *inside,
                     span("first-call", 2 * S, 5 * S, "__inference_multi_step_on_iterator_9"))

    small = span("first-call", int(1.5 * S), int(1.6 * S), "__inference_initialize_variables_3")
    check_found("first-execution", fitted(50, small), "up to 50 steps in one call", "multi_step_on_iterator 3.0 s",
                "smaller steps_per_execution")
    assert [one.steps for one in fitted(50, small)(executions)] == [50, 1]
    for one in (fitted(1), fitted(None), fitted(50, model="another")):
        check_found("first-execution", one, "kernels are prepared")
    assert detail(fitted(50), phases.EXECUTION)[:2] == ["up to 50 steps in one call", "multi_step_on_iterator 3.0 s"]
    assert detail(fitted(1), phases.EXECUTION)[0] == "multi_step_on_iterator 3.0 s"


def test_a_first_step_that_fetches_its_batch_may_have_waited_for_it():
    """Within the step nothing tells the two apart: the finding does not call it kernels alone."""
    def fed_by(*chain, apart=False):
        seen = [span("data-first-element", int(0.9 * S), S)] if apart else []
        return start(span("data-iterator", int(0.8 * S), int(0.9 * S), chain=list(chain)), *seen, span("first-call", S, 3 * S, "fit"))

    check_found("first-execution", fed_by("Tensor", "FlatMap", "Map", "Batch", "Prefetch"), "kernels, and the first batch",
                "next(iter(dataset))")
    at_hand = ("TensorSlice", "Shuffle", "Batch", "Prefetch")
    of_arrays = ("Range", "Map", "Prefetch", "FlatMap", "Zip", "ParallelMap", "Options", "Prefetch")
    elsewhere = ("ReincarnatedPerDeviceGenerator", "Prefetch")
    for told in (fed_by(*at_hand), fed_by(*of_arrays), fed_by(*elsewhere), fed_by("Tensor", "Map", apart=True)):
        check_found("first-execution", told, "kernels are prepared")


def test_profiler_in_first_steps():
    check_silent("profiler-in-first-steps", start())
    check_silent("profiler-in-first-steps", start(span("profiler", 11 * S, 12 * S, "start")))
    check_found("profiler-in-first-steps", start(span("profiler", S, 2 * S, "start")), "profile_batch", line=7)


def gradients(at, name="GradientTape.gradient"):
    return span("first-execution", int(at * S), int((at + 0.2) * S), name)


def test_eager_where_graph_pays():
    check_silent("eager-where-graph-pays", start(span("trace", S, 2 * S), gradients(3)))
    check_silent("eager-where-graph-pays", start(gradients(3), ready_kind="predict"))
    check_silent("eager-where-graph-pays", start(gradients(3, "dense")))
    check_found("eager-where-graph-pays", start(gradients(3)), "200 ms", "take run_eagerly=True out", line=7)  # `fit` made the step
    own = start(gradients(3))
    (process,) = own.trace.processes
    own = Facts(replace(own.trace, processes=(replace(process, ready=replace(process.ready, label="apply_gradients")),)))
    assert "run_eagerly" not in check_found("eager-where-graph-pays", own, "@tf.function around the step").do
    of_the_data = span("trace", S, S + MS, "__inference_Dataset_map_permutation_12")  # as `fit` makes, run_eagerly or not
    check_found("eager-where-graph-pays", start(of_the_data, gradients(3)), line=7)


def test_eager_steps_are_worth_what_came_after_the_first():
    stopped = start(gradients(3), ready=4)
    assert check_found("eager-where-graph-pays", stopped).gain.high_ns == 0
    (process,) = stopped.trace.processes
    running = Facts(replace(stopped.trace, processes=(replace(process, end=(int(4.02 * S), "ready")),)))
    assert check_found("eager-where-graph-pays", running).gain.high_ns == 0  # a report that is made while it goes on
    went_on = Facts(replace(stopped.trace, processes=(replace(process, end=(10 * S, "exit")),)))
    assert check_found("eager-where-graph-pays", went_on, gain=(1000, 3000)).after_ready
    one_step = replace(process, end=(int(4.2 * S), "exit"), counters={"cpu_after_ready_ns": 50 * MS})  # a graph would cost more
    check_silent("eager-where-graph-pays", Facts(replace(stopped.trace, processes=(one_step,))))


def in_operations(*operations, between=(), name="<module>"):
    """The main thread, from the second second to the fifth, in these operations in turn, each from a line of its own."""
    def stack(number):
        operation = operations[number % len(operations)]
        line = 10 + operations.index(operation)
        called = Frame(f"{SITE}/tensorflow/python/ops/gen_math_ops.py", operation, 1, 5)
        return (Frame("/home/me/train.py", name, 1, line), *between, called)

    return start(samples=[sample(at * 100 * MS, *(stack(at) if 20 < at <= 50 else (USER,)), ran=at * 100 * MS) for at in range(1, 101)])


def test_a_loop_before_the_first_step_that_runs_operation_by_operation():
    one = check_found("eager-where-graph-pays", in_operations("sin", "pack", "mul"), "in its operations", "whole tensors",
                      gain=(1700, 1900), confidence="medium")
    assert one.evidence.line.line in (10, 11, 12) and not one.after_ready
    check_silent("eager-where-graph-pays", in_operations("svd"))  # one that is long
    check_silent("eager-where-graph-pays", in_operations(*["draws"] * 9, "adds"))  # hardly anything but one
    check_silent("eager-where-graph-pays", in_operations(*(f"op_{number}" for number in range(40))))  # each once
    keras = Frame(f"{SITE}/keras/src/models/functional.py", "Functional.call", 100, 120)
    check_silent("eager-where-graph-pays", in_operations("sin", "pack", "mul", between=(keras,)))  # a model's, which loops itself


def calls_of_a_model(in_operations, called=()):
    """The main thread, from the second second to the fifth, in calls of a model: so many of ten samples are in its operations."""
    keras = Frame(f"{SITE}/keras/src/models/functional.py", "Functional.call", 100, 120)
    operations = [Frame(f"{SITE}/tensorflow/python/ops/gen_math_ops.py", name, 1, 5) for name in ("mat_mul", "relu")]

    def stack(number):
        program = Frame("/home/me/train.py", "policy", 10, 12)
        return (program, keras, *called, *([operations[number % 2]] if number % 10 < in_operations else ()))

    return start(samples=[sample(at * 100 * MS, *(stack(at) if 20 < at <= 50 else (USER,)), ran=at * 100 * MS) for at in range(1, 101)])


def test_a_model_that_is_called_for_one_input_after_the_other():
    library = Frame(f"{SITE}/optree/ops.py", "tree_is_leaf", 100, 120)
    for told in (calls_of_a_model(5), calls_of_a_model(5, [library])):
        one = check_found("eager-where-graph-pays", told, "3.0 s in its operations", "many inputs in one call", line=12)
        assert one.confidence == "medium"
    check_silent("eager-where-graph-pays", calls_of_a_model(9))  # what is computed costs


def test_a_loop_before_an_eager_step_that_costs_nothing_after_ready():
    (process,) = calls_of_a_model(5).trace.processes
    (step,) = start(gradients(9)).trace.processes
    both = replace(process, spans=step.spans, end=(int(10.1 * S), "exit"), counters={"cpu_after_ready_ns": 50 * MS})
    check_found("eager-where-graph-pays", Facts(replace(start().trace, processes=(both,))), "many inputs in one call")


def test_what_made_keras_run_eagerly_is_named():
    for by_compile, told in ((True, "run_eagerly=True out"), (False, "tf.config.run_functions_eagerly(True) out")):
        compiled = span("model-compile", S, S + MS, "model", run_eagerly=by_compile)
        check_found("eager-where-graph-pays", start(compiled, gradients(3)), told)


def test_oversized_model_for_iteration():
    check_silent("oversized-model-for-iteration", start(span("trace", S, 3 * S)))
    check_silent("oversized-model-for-iteration", start(span("trace", S, 9 * S), ready_kind="predict"))
    check_found("oversized-model-for-iteration", start(span("trace", S, 9 * S)), "8.0 s of 10.0 s", "fewer layers", "boost keeps the rest")
    session = (span("session-create", S, S + MS), span("graph-optimise", 2 * S, 9 * S, "init"))  # of which boost keeps nothing
    assert "boost" not in check_found("oversized-model-for-iteration", start(*session), "fewer layers").do


def test_a_model_is_not_too_large_where_it_has_nothing_to_leave_out():
    def of(variables, size, *more, **labels):
        made = [span("variable", S // 2 + at * MS, S // 2 + (at + 1) * MS, "v", bytes=size) for at in range(variables)]
        return start(*made, span("trace", S, 9 * S, "run", ops=900, function="__inference_run_7", **labels), *more)

    check_silent("oversized-model-for-iteration", of(3, 100))
    check_found("oversized-model-for-iteration", of(3, 1_000_000), "3 variables of 3.0 MB")
    check_found("oversized-model-for-iteration", of(30, 100), "30 variables")
    check_silent("oversized-model-for-iteration", of(30, 100, repeated=["Tanh", 400, "/home/me/train.py:7"]))
    check_silent("oversized-model-for-iteration", of(30, 100, constants=[90_000_000, "/home/me/train.py:7"]))
    compiled = span("xla-compile", 2 * S, 9 * S, "__inference_run_7")  # boost keeps that, of whatever size
    check_silent("oversized-model-for-iteration", start(span("variable", S, S + MS, "v", bytes=10**7), compiled))


def test_what_a_loop_makes_again_is_no_size_of_a_model():
    """Eight rounds of ten variables each; parts of one model are made in a loop as well."""
    def rounds(kind):
        made = [span("variable", at * S + n * MS, at * S + (n + 1) * MS, "v", bytes=100) for at in range(1, 9) for n in range(2, 12)]
        begun = [span(kind, at * S, int((at + 0.99) * S), "Functional", layers=5, line="/home/me/train.py:7") for at in range(1, 9)]
        return start(*made, *begun, span("trace", 9 * S, 10 * S, "step"))

    check_silent("oversized-model-for-iteration", rounds("model-compile"))
    check_found("oversized-model-for-iteration", rounds("model-build"), "80 variables")


def test_framework_larger_than_needed():
    imports, load = span("import", S, 8 * S, "tensorflow"), span("model-load", 8 * S, int(8.5 * S), path="/m.keras", bytes=1_000_000)
    check_silent("framework-larger-than-needed", start(imports, load))
    check_silent("framework-larger-than-needed", start(imports, ready_kind="predict"))
    unknown = span("model-load", 8 * S, int(8.5 * S), path="gs://b/m.keras")
    check_silent("framework-larger-than-needed", start(imports, unknown, ready_kind="predict"))
    large = span("model-load", 8 * S, int(8.5 * S), path="/m.keras", bytes=900_000_000)
    check_silent("framework-larger-than-needed", start(imports, large, ready_kind="predict"))
    check_found("framework-larger-than-needed", start(imports, load, ready_kind="predict"), "1.0 MB of weights", "LiteRT")


def ended(ready_kind, seconds, *spans, exit_code=0, how="exit", cpu_ms=None):
    """Ready after ten seconds; the program ended so long after that, for which it used so much of a CPU."""
    counters = {} if cpu_ms is None else {"cpu_after_ready_ns": cpu_ms * MS}
    whole = start(*spans, ready_kind=ready_kind, header={"exit_code": exit_code}, ended=10 + seconds, counters=counters)
    (process,) = whole.trace.processes
    return Facts(replace(whole.trace, processes=(replace(process, end=(int((10 + seconds) * S), how)),)))


def test_graph_where_eager_pays():
    traced = span("trace", 3 * S, 4 * S), span("graph-optimise", 4 * S, 5 * S)
    check_silent("graph-where-eager-pays", ended("predict", 0.1))
    check_silent("graph-where-eager-pays", ended("predict", 0.1, span("graph-optimise", 4 * S, 5 * S)))  # a SavedModel is a graph already
    check_silent("graph-where-eager-pays", ended("predict", 0.2, *traced))  # further steps
    check_silent("graph-where-eager-pays", ended("exit", 0.1, *traced))
    check_silent("graph-where-eager-pays", ended("train", 0.1, *traced, exit_code=143))  # stopped by somebody
    check_silent("graph-where-eager-pays", ended("train", 0.1, *traced, how="ready"))
    check_silent("graph-where-eager-pays", start(*traced, ready_kind="predict"))
    one = check_found("graph-where-eager-pays", ended("predict", 0.1, *traced, span("predict", 2 * S, 6 * S)), "model(x)",
                      "2.0 s to trace and optimise, 100 ms", line=7)
    assert [round(ns / MS) for ns in one.gain] == [0, 400]  # 70 ms more than it takes to leave, which may have been steps
    check_found("graph-where-eager-pays", ended("predict", 0.02, *traced), "run_functions_eagerly", gain=(1000, 1200))  # of no Keras model
    check_found("graph-where-eager-pays", ended("train", 0.05, *traced), "run_functions_eagerly")
    check_found("graph-where-eager-pays", ended("predict", 0.6, *traced, cpu_ms=40), "40 ms of work from the first step")  # it waited
    check_silent("graph-where-eager-pays", ended("predict", 0.6, *traced, cpu_ms=500))


def test_larger_step_later():
    toy = span("trace", S, 2 * S, "toy", why="first trace", ops=4)
    made = span("model-compile", 6 * S, 6 * S + MS, "mobilenetv2", line="/home/me/train.py:5")

    def later(seconds, why="first trace", at=7, **labels):
        return span("trace", at * S, int((at + seconds) * S), "multi_step_on_iterator", why=why, line="/home/me/train.py:6",
                    **(labels or {"gradients": True}))

    check_silent("larger-step-later", start(toy, ready=5, ended=30))
    check_silent("larger-step-later", start(toy, later(1.5), ready=5, ended=30))
    check_silent("larger-step-later", start(toy, later(9, why="x: shape (1) -> (2)"), ready=5, ended=30))
    check_silent("larger-step-later", start(toy, later(9), later(9, at=17), ready=5, ended=30))  # model after model: a loop's
    one = check_found("larger-step-later", start(toy, made, later(9), ready=5, ended=30), "multi_step_on_iterator of mobilenetv2",
                      "9.0 s", "--until step:N", line=6, confidence="high")
    assert one.gain.high_ns == 0 and one.after_ready
    check_silent("larger-step-later", start(toy, later(9, ops=9), ready=5, ended=30))  # saving, or a prediction: no step of a training
    inside = span("trace", 8 * S, 9 * S, "one_step_on_data", gradients=True)
    check_found("larger-step-later", start(toy, later(9, ops=9), inside, ready=5, ended=30), "9.0 s")
    check_silent("larger-step-later", start(toy, later(9, ops=7), inside, ready=5, ended=30))  # layers that have been thawed
