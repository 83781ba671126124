"""What is still seen after the first step, and that steps themselves are not."""

import textwrap

import pytest
from programs import TARGET

from firststep.analyse.afterwards import afterwards
from firststep.analyse.facts import Facts
from firststep.analyse.machine_code import machine_code
from firststep.analyse.repeats import repeats
from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_ALL, Plan
from firststep.model.read_trace import parse_trace
from firststep.report.afterwards import line


def watched(tmp_path, program):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    ended = Session([TARGET, str(path)], Plan(observe=OBSERVE_ALL), timeout_s=900).run()
    trace = parse_trace(ended.trace)
    assert ended.exit_code == 0
    assert [process.errors for process in trace.processes] == [()] * len(trace.processes)
    return trace


@pytest.mark.tensorflow
def test_traces_after_the_first_step_are_seen_and_calls_are_not(tmp_path):
    trace = watched(tmp_path, """
        import tensorflow as tf
        w = tf.Variable(1.0)
        optimizer = tf.keras.optimizers.SGD()

        @tf.function
        def step(x, n):
            with tf.GradientTape() as tape:
                loss = w * tf.reduce_sum(x) * n
            optimizer.apply_gradients([(tape.gradient(loss, w), w)])
            return loss

        for n in range(6):
            for _ in range(20):
                step(tf.ones([3]), n)
    """)
    (process,) = trace.processes
    late = Facts(trace)(afterwards)
    assert [(one.name, one.traces) for one in late.traces] == [("step", 5)]
    assert late.traces[0].why == "n: Python value 0 -> 1"
    assert not [span for span in process.spans if span.start > trace.ready.at and span.kind not in ("trace",)]


@pytest.mark.tensorflow
def test_rounds_of_sessions_are_counted_over_the_whole_run(tmp_path):
    trace = watched(tmp_path, """
        import tensorflow as tf
        v1 = tf.compat.v1
        v1.disable_eager_execution()
        for n in range(5):
            with v1.Session() as session:
                w = v1.Variable(tf.ones([4]))
                loss = tf.reduce_sum(w * w)
                train = v1.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[w])
                session.run(v1.global_variables_initializer())
                session.run(train)
    """)
    found = {one.kind: one for one in Facts(trace)(repeats)}
    sessions, initialisations = found["session-create"], found["initialisation"]
    assert (sessions.times, initialisations.times) == (5, 5)
    assert sessions.line.line == 6 and initialisations.line.line == 10
    assert initialisations.variables == (1, 2, 3, 4, 5)
    assert list(initialisations.nodes) == sorted(set(initialisations.nodes))
    assert all(memory > 100_000_000 for memory in sessions.resident)


@pytest.mark.tensorflow
def test_a_graph_that_grows_under_one_session_is_seen_and_steps_of_one_that_does_not_are_not(tmp_path):
    trace = watched(tmp_path, """
        import tensorflow as tf
        v1 = tf.compat.v1
        v1.disable_eager_execution()
        x = v1.placeholder(tf.float32, [4])
        still = tf.reduce_sum(x)
        with v1.Session() as session:
            for n in range(10):
                total = tf.reduce_sum(x * n)
                session.run(total, {x: [1.0] * 4})
            for n in range(500):
                session.run(still, {x: [1.0] * 4})
            assert session._extend_graph.__func__ is v1.Session._extend_graph
    """)
    (grown,) = [one for one in Facts(trace)(repeats) if one.kind == "session-extend"]
    assert (grown.line.line, grown.made.line) == (10, 9)
    assert grown.times == 9  # the first run hands the whole graph over
    assert list(grown.nodes) == sorted(set(grown.nodes))
    assert len(set(grown.graphs)) == 1


@pytest.mark.tensorflow
@pytest.mark.suite
def test_what_comes_after_the_first_three_hundred_is_counted_with_its_line(tmp_path):
    """Six hundred runs of a graph that grows, 400 new sessions, and what each has grown to at last."""
    trace = watched(tmp_path, """
        import tensorflow as tf
        v1 = tf.compat.v1
        v1.disable_eager_execution()
        x = v1.placeholder(tf.float32, [4])
        with v1.Session() as session:
            for n in range(600):
                session.run(tf.reduce_sum(x * n), {x: [1.0] * 4})
        still = x + 1.0
        for n in range(400):
            with v1.Session() as session:
                session.run(still, {x: [1.0] * 4})
    """)
    facts = Facts(trace)
    found = {one.line.line: one for one in facts(repeats) if one.kind == "session-extend"}
    assert found[8].times == 599
    assert found[8].nodes[-1] > 590 * 3 and list(found[8].nodes) == sorted(found[8].nodes)
    handed = {one.line.line: one for one in facts(repeats) if one.kind == "session-hand-over"}
    made = {one.line.line: one for one in facts(repeats) if one.kind == "session-create"}
    assert (handed[8].times, handed[12].times, made[11].times, facts(afterwards).sessions) == (1, 400, 400, 400)
    said = line(facts)
    assert "after the first step 599 runs of a larger graph in a loop at program.py:8, " in said
    assert " nodes, then 400 sessions, 400 whole graphs handed over in a loop at program.py:11, " in said


@pytest.mark.tensorflow
def test_a_loop_that_is_unrolled_is_named_with_its_line_and_so_is_a_large_constant(tmp_path):
    trace = watched(tmp_path, """
        import numpy as np, tensorflow as tf

        @tf.function
        def loops(x):
            for n in range(300):
                x = tf.tanh(x)
            return x

        @tf.function
        def holds(x):
            large, other = tf.constant(np.ones([3, 200_000], "float32")), tf.constant(np.ones(150_000))
            return loops(x) + large[0, 0] + tf.cast(other[0], "float32")

        loops(tf.ones([2]))
        holds(tf.ones([2], tf.float32))
    """)
    traced, holding = [span for span in trace.processes[0].spans if span.kind == "trace"]
    kind, times, place, part = traced.labels["repeated"]
    assert (kind, times) == ("Tanh", 300) and part > 0.95 and not {"constants", "calls"} & set(traced.labels)
    assert place.endswith("program.py:6")
    total, place = holding.labels["constants"]
    assert total == 2_400_000 + 1_200_000
    assert holding.labels["calls"] == [traced.labels["function"]]
    assert place.endswith("program.py:12")


@pytest.mark.tensorflow
@pytest.mark.parametrize("scope", ["contextlib.nullcontext()", "tf.name_scope('cell')"])
def test_a_loop_is_told_by_what_it_computes_and_not_by_its_gradients(tmp_path, scope):
    """Whose sums (`AddN`) are numbered, too."""
    trace = watched(tmp_path, """
        import contextlib, tensorflow as tf

        weights = [tf.Variable(tf.eye(8) * 0.5), tf.Variable(tf.eye(8) * 0.5)]

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                state = x
                for _ in range(100):
                    with SCOPE:
                        state = tf.tanh(state @ weights[0] + state @ weights[1])
                loss = tf.reduce_mean(state)
            return tape.gradient(loss, weights)

        step(tf.ones([2, 8]))
    """.replace("SCOPE", scope))
    [traced] = [span for span in trace.processes[0].spans if span.kind == "trace"]
    most, times, place, part = traced.labels["repeated"]
    assert (most, times) == ("MatMul", 200) and place.endswith("program.py:10") and part > 0.9


@pytest.mark.tensorflow
def test_a_loop_over_variables_is_not_told_as_unrolled(tmp_path):
    """No loop in the graph could go over them: as where the weights of one model follow another's."""
    trace = watched(tmp_path, """
        import tensorflow as tf

        ours, theirs = ([tf.Variable([float(n)] * (n + 1)) for n in range(60)] for _ in range(2))

        @tf.function
        def follow():
            for mine, its in zip(ours, theirs):
                mine.assign(0.9 * mine + 0.1 * its)

        follow()
    """)
    [traced] = [span for span in trace.processes[0].spans if span.kind == "trace"]
    assert traced.labels["ops"] > 200 and "repeated" not in traced.labels


UNROLLED = {
    "in a layer's scope": (8, """
        import tensorflow as tf

        @tf.function
        def run(x):
            with tf.name_scope("recurrence"):
                state = x
                for _ in range(120):
                    state = tf.tanh(tf.concat([x, state], 0)[:2] @ w)
            return state

        w = tf.Variable(tf.eye(2))
        run(tf.ones([2, 2]))
    """),
    "a scope for each round": (8, """
        import tensorflow as tf

        @tf.function
        def run(x):
            with tf.name_scope("recurrence"):
                state = x
                for _ in range(120):
                    with tf.name_scope("cell"):
                        state = tf.tanh(tf.concat([x, state], 0)[:2] @ w)
            return state

        w = tf.Variable(tf.eye(2))
        run(tf.ones([2, 2]))
    """),
    "a comprehension of several lines": (7, """
        import tensorflow as tf

        @tf.function
        def run(x):
            return tf.add_n([
                tf.tanh(x * float(n)) * 2.0
                for n in range(120)
            ])

        run(tf.ones([2, 2]))
    """),
}
NOT_UNROLLED = {
    "by a loop around its calls": """
        import tensorflow as tf

        ws = [tf.Variable(tf.eye(8)) for _ in range(60)]

        def chain(x):
            for w in ws:
                x = tf.sin(x @ w)
            return x

        @tf.function
        def step(x):
            with tf.GradientTape(persistent=True) as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    u = chain(x)
                du = inner.gradient(u, x)
            return outer.gradient(du, x)

        for _ in range(2):
            step(tf.ones([2, 8]))
    """,
    "where each round runs a function of its own": """
        import tensorflow as tf

        functions = {}
        source = "\\n".join(f"def rule_{n}(x):\\n  return tf.tanh(tf.cos(x)) * {n}.0" for n in range(80))
        exec(compile(source, "rules.py", "exec"), globals(), functions)

        @tf.function(autograph=False)
        def rules(x):
            for rule in functions.values():
                x = rule(x)
            return x

        rules(tf.ones([2, 8]))
    """,
    "by the framework's own loop": """
        import tensorflow as tf

        many = [tf.ones([n + 1]) for n in range(120)]

        @tf.function
        def clipped(x):
            return tf.clip_by_global_norm(many, x)[0]

        clipped(tf.constant(2.0))
    """,
    "over many variables, some of whose operations are looked at": """
        import tensorflow as tf

        ws = [tf.Variable(1.0) for _ in range(1500)]

        @tf.function
        def total(x):
            for w in ws:
                y = tf.sin(tf.cos(tf.sin(tf.cos(tf.sin(tf.cos(tf.sin(tf.cos(tf.sin(x * w)))))))))
                x = tf.sin(tf.cos(tf.sin(tf.cos(tf.sin(tf.cos(tf.sin(x + y)))))))
            return x

        total(tf.ones([2]))
    """,
    "in two rounds over one model": """
        import tensorflow as tf

        ws = [tf.Variable(tf.eye(8)) for _ in range(60)]

        @tf.function
        def step(x):
            for _ in range(2):
                for w in ws:
                    x = tf.sin(x @ w)
            return x

        step(tf.ones([2, 8]))
    """,
}


@pytest.mark.tensorflow
@pytest.mark.parametrize("way", UNROLLED)
def test_a_loop_is_seen_whatever_its_rounds_are_called(tmp_path, way):
    line, program = UNROLLED[way]
    [traced] = [span for span in watched(tmp_path, program).processes[0].spans if span.kind == "trace"]
    _, times, place, part = traced.labels["repeated"]
    assert times >= 120 and place.endswith(f"program.py:{line}") and part > 0.8


@pytest.mark.tensorflow
@pytest.mark.parametrize("way", NOT_UNROLLED)
def test_what_no_loop_in_the_graph_could_make_is_not_told_as_unrolled(tmp_path, way):
    traced = [span for span in watched(tmp_path, NOT_UNROLLED[way]).processes[0].spans if span.kind == "trace"]
    assert max(span.labels["ops"] for span in traced) > 200 and not any("repeated" in span.labels for span in traced)


def test_what_a_program_works_after_it_is_ready_is_told_and_its_waiting_is_not(tmp_path):
    works, waits = (watched(tmp_path, f"""
        import sys, time
        sys.modules["firststep_agent.run"].active().reach_ready(time.monotonic_ns(), "train", "step")
        {rest}
    """) for rest in ("sum(number * number for number in range(6_000_000))", "time.sleep(0.6)"))
    worked, waited = (trace.processes[0].counters["cpu_after_ready_ns"] for trace in (works, waits))
    assert worked > 2 * waited and waited < 300_000_000


@pytest.mark.tensorflow
def test_what_xla_compiles_for_further_shapes_is_told(tmp_path):
    """One trace for all of them: the machine code tells."""
    def program(sizes):
        return f"""
            import tensorflow as tf
            w = tf.Variable(tf.ones([8, 8]))
            optimizer = tf.keras.optimizers.SGD()

            @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, 8])])
            def step(x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(tf.tanh(tf.tanh(x @ w) @ w))
                w.assign_sub(0.1 * tape.gradient(loss, w))
                return loss

            for size in {sizes}:
                step(tf.ones([size, 8]))
        """

    several, one = (Facts(watched(tmp_path, program(sizes)))(machine_code) for sizes in ([*range(1, 9)], [4] * 8))
    assert several.first > 0 and several.late >= several.first
    assert one.first > 0 and one.late < one.first
