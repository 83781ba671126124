"""Causes that make variables and weights slow."""

from dataclasses import replace

from analyse.traces import SITE, USER

from firststep.analyse.variables import variables
from firststep.model.trace import Frame

from .kit import LIBRARY, LINE, MS, S, check_found, check_silent, sample, span, start


def initialiser(begin, end, kind="GlorotUniform", size=4_000_000, **labels):
    return span("initialiser", int(begin * S), int(end * S), kind, initialiser=kind, bytes=size, **labels)


def test_expensive_initialiser():
    check_silent("expensive-initialiser", start(initialiser(1, 3, "Zeros")))
    check_silent("expensive-initialiser", start(initialiser(1, 1.02)))
    check_silent("expensive-initialiser", start(initialiser(1, 3, size=704)))
    check_silent("expensive-initialiser", start(initialiser(1, 3, lifted=True)))
    check_found("expensive-initialiser", start(initialiser(1, 3, "Orthogonal"), initialiser(4, 4.1)), "Orthogonal took 2.0 s for 4.0 MB",
                "glorot_uniform", line=7, gain=(1400, 1960), confidence="high")
    many = [initialiser(n / 10, (n + 1) / 10) for n in range(10, 30)]
    check_found("expensive-initialiser", start(*many), "20 × GlorotUniform took 2.0 s", confidence="medium")


def test_an_initial_value_that_is_only_built_into_a_graph_fills_nothing():
    """Keras asks what a step would give, in a graph of its own, before it makes a variable: one value, three calls."""
    asked = [span("trace", S, 4 * S, "step"), *(initialiser(at, at + 0.05, "Orthogonal", symbolic=True) for at in (1.1, 1.2))]
    check_found("expensive-initialiser", start(*asked, initialiser(2, 3, "Orthogonal")), "Orthogonal took 1.0 s for 4.0 MB")
    check_silent("expensive-initialiser", start(*asked))


def test_dear_values_that_are_lifted_out_of_a_trace():
    """A model that is built by its first call within a function: the values are computed by a graph, all together."""
    def lifted(kind):
        return [span("trace", S, 2 * S, "step"), initialiser(1.1, 1.2, kind, symbolic=True), initialiser(1.3, 1.4, "Zeros", symbolic=True),
                span("initialiser", 2 * S, 6 * S, lifted=True, variables=2, bytes=8_000_000), span("trace", 2 * S, int(2.2 * S), "fill"),
                span("first-call", int(2.2 * S), 6 * S, "fill"), span("graph-optimise", int(2.2 * S), 4 * S, "fill")]

    check_found("expensive-initialiser", start(*lifted("Orthogonal")), "3.8 s for values of a trace, Orthogonal of 4.0 MB",
                "glorot_uniform", line=7, gain=(1900, 3600), confidence="medium")
    check_silent("expensive-initialiser", start(*lifted("GlorotUniform")))  # mostly the price of a graph, which has causes of its own
    overwritten = span("weights-set", 7 * S, 8 * S, bytes=8_000_000)
    check_silent("expensive-initialiser", start(*lifted("Orthogonal"), overwritten))


def test_initial_values_of_a_trace_are_counted_once():
    """Each is built into the graph, and all of them are filled by what is lifted out of it."""
    built = [span("trace", S, 2 * S, "step"), *(initialiser(at, at + 0.05, symbolic=True) for at in (1.1, 1.2))]
    lifted = span("initialiser", 2 * S, 3 * S, lifted=True, variables=2, bytes=8_000_000)
    check_found("discarded-initialisation", start(*built, lifted, span("weights-set", 4 * S, 5 * S, bytes=8_000_000)),
                "2 initialisers, 1.0 s for 8.0 MB")


def test_values_that_a_line_gives_to_its_variables():
    """`[tf.Variable(tf.random.normal(shape)) for _ in range(4)]`, then a checkpoint; the variables' making takes next to nothing."""
    python = f"{SITE}/tensorflow/python"
    drawn = [Frame(f"{python}/util/traceback_utils.py", "error_handler", 1, 2), Frame(f"{python}/ops/random_ops.py", "random_normal", 1, 2),
             Frame(f"{python}/ops/gen_random_ops.py", "random_standard_normal", 1, 2)]

    def made(*called, size=9_000_000):
        variables = [span("variable", (at + 1) * S - MS, (at + 1) * S, "variable", bytes=size, line=LINE) for at in range(1, 5)]
        seen = [sample(at * 100 * MS, *((USER, *called) if 10 < at < 50 else (LIBRARY,))) for at in range(1, 101)]
        return variables, seen

    variables, seen = made(*drawn)
    check_found("expensive-initialiser", start(*variables, samples=seen), "random_normal took 4.0 s for 36 MB", line=7, confidence="medium")
    restored = start(*variables, span("checkpoint", 6 * S, 7 * S, bytes=36_000_000), samples=seen)
    check_found("discarded-initialisation", restored, "4 initialisers, 4.0 s for 36 MB, then loaded", "zeros where", confidence="medium")
    check_silent("expensive-initialiser", restored)
    model = Frame(f"{SITE}/keras/src/layers/layer.py", "__call__", 1, 2)  # what a model computed is no value of the variables it makes
    variables, seen = made(model, *drawn)
    check_silent("expensive-initialiser", start(*variables, samples=seen))
    variables, seen = made()  # NumPy's random numbers are C
    check_found("expensive-initialiser", start(*variables, samples=seen), "took 4.0 s for 36 MB", line=7)


def test_discarded_initialisation():
    load = span("model-load", S, 5 * S, path="/m.keras", format=".keras")
    check_silent("discarded-initialisation", start(initialiser(1, 3)))
    check_silent("discarded-initialisation", start(load, initialiser(6, 8)))
    check_silent("discarded-initialisation", start(initialiser(1, 3), span("weights-set", 4 * S, 5 * S, bytes=4000)))  # one layer of many
    check_found("discarded-initialisation", start(load, initialiser(1, 3)), "1 initialiser", "4.0 MB", confidence="high", gain=(1400, 2000))
    all_of_it = span("weights-set", 4 * S, 5 * S, bytes=4_000_000)
    check_found("discarded-initialisation", start(initialiser(1, 3), all_of_it), confidence="medium")


def test_values_that_are_given_to_each_variable_overwrite_the_initial_ones():
    assigned = [span("weights-set", int((4 + n / 10) * S), int((4.1 + n / 10) * S), f"w{n}", bytes=1_000_000) for n in range(4)]
    check_found("discarded-initialisation", start(initialiser(1, 3), *assigned), "4.0 MB, then set", confidence="medium", gain=(1400, 2000))
    check_silent("discarded-initialisation", start(initialiser(1, 3), *assigned[:1]))


def test_the_advice_on_values_that_nobody_reads_is_what_can_be_done():
    """`load_model` takes no initializer, nor does a model that a library builds."""
    loaded = check_found("discarded-initialisation", start(span("model-load", S, 5 * S, path="/m.keras"), initialiser(1, 3)), "export()")
    assert "where weights are loaded" not in loaded.do
    dense, core = Frame(f"{SITE}/keras/src/layers/dense.py", "build", 1, 2), Frame(f"{SITE}/numpy/core.py", "exp", 1, 2)

    def filled(*stack):
        samples = [sample(at * 100 * MS, USER, *stack) for at in range(1, 101)]
        return check_found("discarded-initialisation", start(initialiser(1, 3), span("checkpoint", 4 * S, 5 * S, bytes=4_000_000),
                                                             samples=samples)).do

    assert "initializer='zeros'" in filled(dense) == filled(dense, core)
    for library in ("keras/src/applications/mobilenet_v2.py", "tf_keras/src/applications/vgg16.py", "segmentation/unet.py"):
        assert "takes no initializer" in filled(Frame(f"{SITE}/{library}", "Build", 1, 2), dense), library


def test_nobody_is_told_to_begin_training_with_zeros():
    many = check_found("expensive-initialiser", start(*[initialiser(n / 10, (n + 1) / 10) for n in range(10, 30)]), "fewer weights")
    assert "zeros" not in many.do


def test_only_the_variables_that_are_set_had_values_that_nobody_read():
    """A target network takes the weights of the one that is trained."""
    made = [one for at, number in enumerate((1, 2, 1, 3))  # the first is gone when the third is made
            for one in (span("variable", (at + 1) * S, int((at + 1.9) * S), variable=number), initialiser(at + 1.1, at + 1.8))]
    copied = [span("weights-set", 6 * S, 7 * S, name, bytes=4_000_000, **which) for name, which in (("target", {}), ("w", {"variable": 1}))]
    check_found("discarded-initialisation", start(*made, *copied), "1 initialiser, 700 ms for 4.0 MB, then set")
    check_silent("discarded-initialisation", start(*made, span("weights-set", 6 * S, 7 * S, variable=9, bytes=90_000_000)))


def test_what_is_computed_from_initial_values_does_not_leave_them_unread():
    """An average of the weights, set at the end of the first step."""
    average = span("weights-set", 6 * S, 7 * S, "average", bytes=4_000_000)
    for taken in (span("gradients", 4 * S, 5 * S, xs=4), span("first-execution", 4 * S, 5 * S, "GradientTape.gradient", xs=4)):
        check_silent("discarded-initialisation", start(initialiser(1, 3), taken, average))
        restored = span("checkpoint", 6 * S, 7 * S, bytes=4_000_000)  # a graph of TensorFlow 1 is made before
        check_found("discarded-initialisation", start(initialiser(1, 3), taken, restored), "then loaded")


def test_a_layer_that_sets_its_variables_one_by_one_sets_them_once():
    layer = [span("weights-set", 4 * S, 5 * S, bytes=1_500_000), span("weights-set", 4 * S, int(4.5 * S), bytes=1_500_000)]
    check_silent("discarded-initialisation", start(initialiser(1, 3), *layer))


def test_initial_values_that_nothing_reads_are_no_expensive_ones_besides():
    loaded = start(span("model-load", S, 5 * S, path="/m.keras", format=".keras"), initialiser(1, 3, "Orthogonal"))
    check_found("discarded-initialisation", loaded, "1 initialiser")
    check_silent("expensive-initialiser", loaded)
    later = initialiser(6, 8, "Orthogonal")
    check_found("expensive-initialiser", start(span("model-load", S, 5 * S, path="/m.keras", format=".keras"), initialiser(1, 3), later),
                "Orthogonal took 2.0 s")


def test_slow_variable_creation():
    check_silent("slow-variable-creation", start(span("variable", S, S + 10 * MS, bytes=4)))
    check_silent("slow-variable-creation", start(span("variable", S, 3 * S, bytes=4), initialiser(1.0, 2.99)))
    made = [span("variable", S + n * 20 * MS, S + (n + 1) * 20 * MS, bytes=4, lifted=n > 50) for n in range(100)]
    check_found("slow-variable-creation", start(*made), "100 variables", "49 of them while tracing", line=7, gain=(600, 1400))
    divided = check_found("slow-variable-creation", start(span("runtime-init", int(0.5 * S), int(0.6 * S), devices={"CPU": 2}), *made))
    assert divided.remedies == () and "boost" not in divided.do  # which takes the shorter way on one CPU only


def test_an_optimizers_variables_are_its_own_cause():
    slots = [span("optimizer-build", 2 * S, 3 * S, "adam"), span("variable", 2 * S, 3 * S, bytes=4)]
    check_silent("slow-variable-creation", start(*slots))
    check_silent("slow-variable-creation", start(span("strategy", S, 3 * S), span("variable", S, 3 * S, bytes=4)))
    check_found("slow-variable-creation", start(span("variable", S, int(1.5 * S), bytes=4), *slots), "1 variable of 4 bytes made in 500 ms")


def test_slow_optimizer_setup():
    check_silent("slow-optimizer-setup", start(span("optimizer-build", S, S + 10 * MS, "adam")))
    check_found("slow-optimizer-setup", start(span("optimizer-build", S, 3 * S, "adam"), span("variable", 2 * S, int(2.1 * S))),
                "adam made 1 variable", line=7)


def test_what_boost_does_with_an_optimizers_variables_hangs_on_where_they_are_made():
    """A program that calls `optimizer.build` itself, before it traces anything, makes them as early as boost would."""
    made = span("optimizer-build", 2 * S, 3 * S, "adam")
    traced = check_found("slow-optimizer-setup", start(span("trace", S, 4 * S, "step"), made), "boost makes them before the trace")
    assert traced.remedies == ("prebuild-variables", "run-operations-directly")
    built = check_found("slow-optimizer-setup", start(made, span("trace", 4 * S, 5 * S, "step")), "boost makes them on a shorter way")
    assert built.remedies == ("run-operations-directly",)
    beside = span("runtime-init", S, 2 * S, devices={"CPU": 1, "GPU": 1})  # where variables take no shorter way
    assert not check_found("slow-optimizer-setup", start(beside, made), "as SGD").remedies


def load(size, seconds, path="/m.h5", kind="model-load", **labels):
    return span(kind, S, int((1 + seconds) * S), path=path, bytes=size, **{"format": "." + path.rpartition(".")[2], **labels})


def test_slow_weight_format():
    check_silent("slow-weight-format", start(load(2_000_000_000, 2)))
    check_silent("slow-weight-format", start(load(20_000, 2, path="/saved", format="saved_model")))
    check_silent("slow-weight-format", start(load(20_000, 0.05)))
    check_found("slow-weight-format", start(load(100_000_000, 2)), ".h5 at 50 MB/s", "100 MB read in 2.0 s", line=7, confidence="medium")


def test_a_format_is_not_to_blame_for_the_making_of_the_model():
    made = [span("model-build", S, 2 * S), span("variable", 2 * S, int(3.5 * S), bytes=4)]
    check_found("slow-weight-format", start(load(100_000_000, 3), *made), "200 MB/s", "100 MB read in 500 ms", gain=(100, 450))
    check_silent("slow-weight-format", start(load(100_000_000, 3), *made, span("variable", int(3.5 * S), int(3.95 * S), bytes=4)))


def test_a_format_is_not_to_blame_for_the_disk():
    disk = [sample(at * 100 * MS, USER, state="D" if 10 < at < 28 else "R", ran=(at if at <= 10 else 10 if at < 28 else at - 17) * 100 * MS)
            for at in range(1, 101)]
    check_silent("slow-weight-format", start(load(100_000_000, 2), samples=disk))
    check_found("cold-weights", start(load(100_000_000, 2), samples=disk))


def test_the_advice_is_not_what_the_program_does_already():
    alone = check_found("slow-weight-format", start(load(100_000_000, 2, kind="weights-load", path="/a.weights.h5")), ".h5 at 50 MB/s")
    assert "weights alone" not in alone.do


def test_slow_weight_load():
    check_silent("slow-weight-load", start(load(100_000_000, 0.1)))
    check_found("slow-weight-load", start(load(100_000_000, 2)), "100 MB loaded", "took 2.0 s, 2.0 s of it reading (50 MB/s)", line=7)
    before = span("variable", 6 * S, 9 * S, bytes=4)  # of a model that is not loaded
    check_found("slow-weight-load", start(load(100_000_000, 2), before), "took 2.0 s", gain=(390, 410))
    made = span("variable", 2 * S, 3 * S, bytes=4)
    check_found("slow-weight-load", start(load(100_000_000, 2), made), "took 2.0 s, 1.0 s of it reading (100 MB/s)")
    check_found("slow-weight-format", start(load(100_000_000, 2), made), ".h5 at 100 MB/s", "read in 1.0 s")


def test_cold_weights():
    check_silent("cold-weights", start(load(100_000_000, 2)))
    disk = [sample(at * 100 * MS, USER, state="D" if 10 < at < 30 else "R", ran=(at if at <= 10 else 10) * 100 * MS)
            for at in range(1, 101)]
    check_found("cold-weights", start(load(100_000_000, 2), samples=disk), "waiting for disk", "boost reads them ahead")
    unknown = span("model-load", S, 3 * S, path="gs://b/m.keras")
    assert "bytes" not in check_found("cold-weights", start(unknown, samples=disk)).evidence.words


def test_saved_model_functions_rebuilt():
    saved = load(1000, 3, path="/saved", format="saved_model")
    check_silent("saved-model-functions-rebuilt", start(saved))
    check_silent("saved-model-functions-rebuilt", start(span("graph-import", S, 3 * S, nodes=900)))
    traced = [[f"__inference_layer_call_fn_{n}", 200, 3, []] for n in range(10)] + [OWN_SERVE, *OF_THE_SAVER]
    one = check_found("saved-model-functions-rebuilt", start(saved, *library(traced), span("first-call", 5 * S, 6 * S, OWN_SERVE[0])),
                      "14 functions rebuilt in 1.0 s, 66% of their operations for no call", line=7)
    assert one.gain.high_ns < int(1.4 * S)  # what the called one takes would stay


OWN_SERVE = ["__inference_serve_90", 300, 101, []]
SIGNATURE = ["__inference_signature_wrapper_91", 40, 101, ["__inference_serve_90"]]
OF_THE_SAVER = [["__inference__traced_save_7", 400, 101, []], ["__inference__traced_restore_8", 300, 101, []], SIGNATURE]


def library(functions):
    return span("graph-import", S, 3 * S), span("graph-import", S, 2 * S, functions=len(functions), rebuilt=functions)


def test_a_saved_model_of_what_is_called_holds_nothing_to_leave_out():
    saved = load(1000, 3, path="/saved", format="saved_model")
    called = span("first-call", 5 * S, 6 * S, "__inference_signature_wrapper_91")

    def check_is_needed(functions, *calls):
        check_silent("saved-model-functions-rebuilt", start(saved, *library(functions), *calls))

    check_is_needed([OWN_SERVE, *OF_THE_SAVER], called)
    check_is_needed([OWN_SERVE, *OF_THE_SAVER])  # a server that waits to be asked
    check_is_needed([["name-1", 900, 3, []], ["name-2", 300, 101, []]], called)  # without their names
    check_is_needed([OWN_SERVE, *OF_THE_SAVER], span("trace", 5 * S, 6 * S, "restored_function_body", calls=["__inference_serve_90"]))
    check_is_needed([["__inference_serve_90", 20, 101, ["cond_true_3"]], ["cond_true_3", 900, 9, []], *OF_THE_SAVER], called)
    more = [[f"__inference_encode_{n}", 200, 101, []] for n in range(5)]
    check_is_needed([OWN_SERVE, *more, *OF_THE_SAVER],
                    *(span("first-call", (4 + n) * S, (5 + n) * S, f"__inference_encode_{n}") for n in range(5)))
    check_silent("saved-model-functions-rebuilt", start(saved, span("graph-import", S, 3 * S, functions=120)))  # an older trace


def test_of_a_saved_model_that_nobody_has_called_yet_the_largest_function_is_needed():
    saved = load(1000, 3, path="/saved", format="saved_model")
    copies = [[f"__inference_serve_{n}", 300, 101, []] for n in range(5)]
    check_found("saved-model-functions-rebuilt", start(saved, *library([*copies, *OF_THE_SAVER])), "54% of their operations")


def test_a_saved_model_that_saves_what_is_not_called_is_larger_than_it_need_be():
    """As Keras's `export` does, with each variable twice, or a training model with its optimizer's slots."""
    saver = [["__inference__traced_save_2", 3218, 641, []], ["__inference__traced_restore_4", 1928, 641, []]]
    exported = [*saver, ["__inference___call___6", 1831, 321, []],
                *([f"__inference_signature_wrapper_{n}", 324, 321, ["__inference___call___6"]] for n in (5, 7))]
    called = span("first-call", 5 * S, 6 * S, "__inference_signature_wrapper_7")
    saved = load(1000, 3, path="/saved", format="saved_model")
    check_found("saved-model-functions-rebuilt", start(saved, *library(exported), called), "5 functions", "38% of their operations")


INITIAL = Frame("/home/me/train.py", "Net.own_start", 20, 22)
MAKER = Frame(f"{SITE}/tensorflow/python/ops/resource_variable_ops.py", "ResourceVariable._init_from_args", 1, 2)
SVD = Frame(f"{SITE}/numpy/linalg/_linalg.py", "svd", 1, 2)


def own_value(*stack, begin=1, end=4, every=0.1, besides=()):
    """A start in which a variable's making was seen in these frames, again and again. besides: other spans of it."""
    times = [begin + every * step for step in range(1, int((end - begin) / every))]
    seen = [sample(int(at * S), USER, *stack, ran=int(at * S)) for at in times]
    return start(span("variable", begin * S, end * S, bytes=4_000_000, initialiser="own_start"), *besides, samples=seen)


def test_a_function_of_the_programs_own_that_computes_initial_values():
    """No framework's initialiser runs: the time is that of a function that the making of the variable called, and no variable's own."""
    whole = own_value(MAKER, INITIAL, SVD)
    check_found("expensive-initialiser", whole, "own_start took 3.0 s for 4.0 MB", "compute it once", line=22, confidence="high",
                gain=(1500, 2940))
    check_silent("slow-variable-creation", whole)
    check_found("slow-variable-creation", own_value(MAKER), "1 variable of 4.0 MB made in 3.0 s")
    check_silent("expensive-initialiser", own_value(MAKER))
    check_silent("expensive-initialiser", own_value(INITIAL, SVD))  # a layer's `build`, within which the variable is made


def test_what_a_function_of_the_programs_own_computed_can_be_overwritten_too():
    """No initialiser of a framework's: the variable of which the file has another value tells."""
    restored = span("checkpoint", 5 * S, int(5.01 * S), bytes=4_000_000, line="/home/me/train.py:40")
    whole = own_value(MAKER, INITIAL, SVD, besides=[restored])
    check_found("discarded-initialisation", whole, "1 initialiser, 3.0 s for 4.0 MB, then loaded", "zeros", line=40, gain=(2100, 3000))
    check_silent("expensive-initialiser", whole)
    both = own_value(MAKER, INITIAL, SVD, besides=[initialiser(4.2, 4.7), restored])
    check_found("discarded-initialisation", both, "2 initialisers, 3.5 s for 8.0 MB", gain=(2450, 3500))
    for kept in ([span("weights-set", 5 * S, 6 * S, bytes=4_000)], [replace(restored, start=S // 10, end=S // 5)]):
        check_silent("discarded-initialisation", own_value(MAKER, INITIAL, SVD, besides=kept))
        check_found("expensive-initialiser", own_value(MAKER, INITIAL, SVD, besides=kept), "own_start took 3.0 s")


ASKED = Frame(f"{SITE}/keras/src/backend/common/variables.py", "Variable.value", 265, 278)
ELSEWHERE = Frame("/home/me/train.py", "Net.own_start", 20, 21)
AGAIN = "variables were made in the first trace"


def test_all_calls_of_a_function_for_initial_values_are_one_causes():
    """Keras 3 asks it for a value of the right shape, throws that away, and asks again for the variable: both within a first trace."""
    seen = [sample(at * 100 * MS, USER, *([ASKED, ELSEWHERE] if at <= 40 else [MAKER, INITIAL] if at <= 60 else []), ran=at * 100 * MS)
            for at in range(11, 100)]
    made = (span("trace", S, 7 * S, "step", why="first trace", source="/a.py:1"), span("model-build", S, int(6.5 * S), "net"),
            span("variable", 4 * S, int(6.1 * S), bytes=4_000_000), span("trace", 7 * S, 8 * S, "step", why=AGAIN, source="/a.py:1"))
    whole = start(*made, samples=seen)
    check_found("expensive-initialiser", whole, "own_start took 5.0 s for 4.0 MB", line=21, confidence="high", gain=(3600, 3800))
    check_found("slow-model-build", whole, "400 ms to build")
    check_found("double-trace", whole, "step twice, 1.0 s the first time")
    check_silent("oversized-model-for-iteration", whole)
    of_a_layer = replace(ASKED, file="/home/me/layers.py")
    check_silent("expensive-initialiser", start(*made[:2], samples=[replace(one, stack=(USER, of_a_layer, ELSEWHERE)) for one in seen]))


def test_dear_values_of_both_kinds_are_both_named():
    times = [1 + step / 10 for step in range(1, 20)]
    seen = [sample(int(at * S), USER, MAKER, INITIAL, ran=int(at * S)) for at in times]
    both = start(span("variable", S, 3 * S, bytes=4_000_000), initialiser(4, 9, "Orthogonal"), samples=seen)
    check_found("expensive-initialiser", both, "Orthogonal took 5.0 s for 4.0 MB, Net.own_start 2.0 s", "glorot_uniform", gain=(3500, 4900))


def test_what_a_frameworks_initialiser_took_within_the_programs_own_is_that_ones():
    seen = [sample(int(at / 10 * S), USER, MAKER, INITIAL, ran=int(at / 10 * S)) for at in range(11, 40)]
    both = start(span("variable", S, 4 * S), initialiser(2, 4, "Orthogonal"), samples=seen)
    check_found("expensive-initialiser", both, "Orthogonal took 2.0 s")
    assert variables(both).initialisers_ns == 3 * S
