"""Programs found by trying to break the cache: threads, words said while tracing, errors in traces, late traces."""

import textwrap

import pytest

from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow, pytest.mark.suite]  # the rarer ones


def test_threads_that_trace_at_once(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import sys, threading
        import tensorflow as tf

        results, barrier = dict.fromkeys(range(4)), threading.Barrier(4)  # in one order, whoever comes first

        def work(i):
            w = tf.Variable(float(i))

            @tf.function
            def f(x):
                for k in range(20):
                    x = x + float(i) / (k + 1.)
                w.assign_sub(.1 * x)
                return w * x

            barrier.wait()
            results[i] = [float(f(tf.constant(1.))) for _ in range(5)]

        for _ in range(5):
            threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
            [t.start() for t in threads], [t.join() for t in threads]
            print(sorted(results.items()), sys.getprofile())

        @tf.function
        def after(x):
            return x * 2.

        print(float(after(tf.constant(1.))))
    """))
    check_replayed(laboratory, at_least=["after"])


def test_what_a_trace_prints_and_logs_is_said_again(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import logging, sys
        import tensorflow as tf

        logging.basicConfig(stream=sys.stdout, format="%(name)s %(levelname)s %(lineno)d %(funcName)s %(message)s")
        logging.getLogger("chatty").setLevel("INFO")
        v = tf.Variable(2.)

        @tf.function
        def f(x):
            print("tracing", x.shape, end="|\\n")
            logging.getLogger("chatty").info("info of %s", "f")
            logging.getLogger("quiet").info("never seen")
            logging.warning("a warning")
            return v * x

        print(float(f(tf.constant(1.))), f(tf.ones(2)).numpy(), float(f(tf.constant(3.))))
        if len(sys.argv) > 9:
            with tf.GradientTape() as tape:
                y = f(tf.constant(1.))
            print(float(tape.gradient(y, v)))
    """))
    check_replayed(laboratory, ["f", "f"])
    laboratory.program.write_text(laboratory.program.read_text().replace("len(sys.argv) > 9", "True"))
    late = laboratory.boost()
    assert late.out == laboratory.plain().out, "a late trace speaks again"


def test_another_level_of_a_logger_is_another_program(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import logging, os, sys
        import tensorflow as tf

        logging.basicConfig(stream=sys.stdout)
        logging.getLogger("chatty").setLevel(open("level.txt").read())

        @tf.function
        def f(x):
            logging.getLogger("chatty").info("traced")
            return x + 1.

        print(float(f(tf.constant(1.))))
    """))
    level = laboratory.program.parent / "level.txt"
    level.write_text("WARNING")
    check_replayed(laboratory, ["f"])
    level.write_text("INFO")
    changed = laboratory.boost()
    assert changed.out == laboratory.plain().out
    assert "traced" in changed.out


def test_an_address_that_is_printed_is_refused(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        class Thing:
            pass

        thing = Thing()

        @tf.function
        def f(x):
            print(thing)
            return x + 1.

        f(tf.constant(1.))
    """))
    learned = laboratory.boost()
    assert any("address" in reason for reason in learned.reasons("refused"))
    assert not laboratory.boost().functions("live")


def test_errors_raised_while_tracing_read_as_in_the_plain_run(lab):  # noqa: F811
    check_replayed(lab(textwrap.dedent("""
        import traceback
        import tensorflow as tf

        @tf.function
        def f(x, y):
            return tf.matmul(x, y)

        print(f(tf.ones((2, 3)), tf.ones((3, 2))).numpy())
        for _ in range(2):
            try:
                f(tf.ones((2, 3)), tf.ones((2, 3)))
            except ValueError as error:
                print(error)
    """)), ["f"])


LATE = textwrap.dedent("""
    import os
    import tensorflow as tf

    class Scaled(tf.Module):
        def __init__(self):
            self.v, self.factor = tf.Variable(3.), 2.

        @tf.function
        def f(self, x):
            return self.v * x * self.factor

    s = Scaled()
    print(float(s.f(tf.constant(1.))))
    s.factor = 10.
    print(float(s.f(tf.constant(1.))))
    if os.path.exists("differentiate"):
        with tf.GradientTape() as tape:
            y = s.f(tf.constant(1.))
        print(float(tape.gradient(y, s.v)))
""")


def test_a_late_trace_that_sees_another_state_never_gives_a_wrong_result(lab):  # noqa: F811
    laboratory = lab(LATE)
    check_replayed(laboratory, ["f"])
    (laboratory.program.parent / "differentiate").touch()
    laboratory.program.write_text(LATE.replace("y = s.f(tf.constant(1.))", "\n".join([
        "try:", "            y = s.f(tf.constant(1.))", "        except RuntimeError as error:",
        "            print(error)", "            raise SystemExit(0)"])))
    failed = laboratory.boost()
    assert "something that it reads has changed" in failed.out, failed.notes
    again = laboratory.boost()
    assert again.out == laboratory.plain().out
    assert not again.functions("live")


def test_a_failure_of_the_cache_is_not_the_programs(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf
        from firststep_agent.boost.objects import expand
        from firststep_agent.boost.objects.parts import instances

        class Odd:
            pass

        odd = Odd()

        @tf.function
        def f(x):
            odd.seen = True  # the walk after the trace meets what the one before it did not
            return x + 1.

        def fail(value, reading):
            if getattr(value, "seen", False):
                raise ZeroDivisionError("a bug in the cache")
            return plain(value, reading)

        plain = instances.of_instance
        expand._HANDLERS[Odd] = fail
        print(float(f(tf.constant(1.))))
    """))
    learned = laboratory.boost()
    assert learned.out == "2.0\n"
    assert any("a bug in the cache" in reason for reason in learned.reasons("refused"))


def test_two_functions_of_one_stored_graph_keep_streams_of_their_own(lab):  # noqa: F811
    check_replayed(lab(textwrap.dedent("""
        import tensorflow as tf

        tf.random.set_seed(3)

        def make():
            @tf.function
            def f(n):
                for _ in tf.range(n):
                    tf.print(tf.random.uniform(()), output_stream="file:///dev/null")
                return tf.random.uniform((2,)), tf.random.normal((1,))
            return f

        for f in (make(), make(), make()):
            print([t.numpy().tolist() for _ in range(3) for t in f(tf.constant(2))])
    """)), ["f", "f", "f"])


def test_numbers_that_a_framework_counts_while_it_traces(lab):  # noqa: F811
    replayed = check_replayed(lab(textwrap.dedent("""
        import keras, numpy as np, tensorflow as tf

        keras.utils.set_random_seed(1)
        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
        optimizer = keras.optimizers.Nadam(0.1)
        x, y = np.random.rand(70, 8).astype("float32"), np.random.rand(70, 1).astype("float32")

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x) - y) ** 2)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
            return loss

        print([float(step(x[i:i + 16], y[i:i + 16])) for i in range(0, 70, 16)])
        print(getattr(optimizer, "_u_product_counter", None))
        for rnn in (keras.layers.LSTM(3, dropout=.1), keras.layers.GRU(3)):
            model = keras.Sequential([keras.Input((8, 1)), rnn, keras.layers.Dense(1)])
            model.compile("adam", "mse")
            print(model.fit(x[..., None], y, batch_size=35, verbose=0).history, float(model.predict(x[..., None], verbose=0).sum()))
    """)), at_least=["step", "step"])
    assert len(replayed.functions("live")) >= 4, "the recurrent layers' training steps as well"


def test_random_streams_go_on_after_a_late_trace(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import os
        import tensorflow as tf

        tf.random.set_seed(3)
        v = tf.Variable(2.)

        @tf.function
        def f(x):
            return v * x * tf.random.uniform(())

        print([float(f(tf.constant(1.))) for _ in range(3)])
        if os.path.exists("differentiate"):
            with tf.GradientTape() as tape:
                y = f(tf.constant(1.))
            print(float(y), float(tape.gradient(y, v)), [float(f(tf.constant(1.))) for _ in range(3)])
    """))
    check_replayed(laboratory, ["f"])
    (laboratory.program.parent / "differentiate").touch()
    late = laboratory.boost()
    assert late.functions("live") == ["f"]
    assert late.out == laboratory.plain().out


def test_calls_under_a_tape_that_watches_nothing_draw_from_the_same_stream(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import os
        import tensorflow as tf

        tf.random.set_seed(3)
        counter = tf.Variable(0., trainable=False)

        @tf.function
        def sample(x):
            return x + tf.random.uniform((), seed=1) + counter.assign_add(1.)

        x = tf.constant(1.)
        print(float(sample(x)), float(sample(x)))
        if os.path.exists("under_a_tape"):
            for _ in range(2):
                with tf.GradientTape():
                    print(float(sample(x)))
                print(float(sample(x)))
    """))
    check_replayed(laboratory, ["sample"])
    (laboratory.program.parent / "under_a_tape").touch()
    late = laboratory.boost()
    assert late.functions("live") == ["sample"]
    assert late.out == laboratory.plain().out


def test_what_protobuf_keeps_in_c_is_read_through(lab):  # noqa: F811
    check_replayed(lab(textwrap.dedent("""
        import tensorflow as tf
        from tensorflow.core.example import example_pb2, feature_pb2

        kind, described = example_pb2.Example, feature_pb2.Int64List.DESCRIPTOR
        kept = feature_pb2.Int64List(value=[3, 4])
        values = kept.value

        @tf.function
        def by_message(x):
            return x * float(len(kind.DESCRIPTOR.fields) + len(described.name)) + float(kept.value[0])

        @tf.function
        def by_container(x):
            return x * float(values[1])

        print(float(by_message(tf.constant(2.))), float(by_container(tf.constant(2.))))
    """)), ["by_message"])


def test_a_module_that_is_saved_after_what_it_reads_has_changed_stops_no_unchanged_start(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tempfile
        import tensorflow as tf

        class Trained(tf.Module):
            def __init__(self):
                super().__init__()
                self.w, self.epoch = tf.Variable(2.0), 0.0

            @tf.function
            def step(self, x):
                return self.w * x * self.epoch

        trained = Trained()
        for epoch in (1.0, 2.0):
            trained.epoch = epoch
            print(float(trained.step(tf.constant(3.0))))
        folder = tempfile.mkdtemp()
        tf.saved_model.save(trained, folder)
        loaded = tf.saved_model.load(folder)
        print(float(loaded.step(tf.constant(3.0))))
    """))
    plain = laboratory.plain()
    for _ in range(4):
        assert laboratory.boost().out == plain.out


def test_a_graph_that_is_asked_for_after_a_change_stops_no_unchanged_start(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf
        scale = {"by": 1.0}

        @tf.function
        def step(x):
            return x * scale["by"]

        @tf.function
        def unchanged(x):
            return x * 2.0

        print(float(step(tf.constant(3.0))), float(unchanged(tf.constant(3.0))))
        scale["by"] = 2.0
        print(float(step(tf.constant(3.0))), float(step.get_concrete_function(tf.TensorSpec([]))(tf.constant(3.0))))
        print(float(unchanged.get_concrete_function(tf.TensorSpec([]))(tf.constant(3.0))))
    """))
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(4)]
    assert [start.out for start in starts] == [plain.out] * 4
    assert starts[3].functions("live") == ["unchanged"]
    assert any("handed out" in str(reason) for start in starts for reason in start.reasons("refused"))


def test_what_is_handed_out_is_the_first_trace_whatever_is_done_before_it_is_used(lab):  # noqa: F811
    """What its trace reads is changed, what it captures is replaced, its type is asked for: it has been traced by then."""
    laboratory = lab(textwrap.dedent("""
        import tensorflow as tf

        class Net(tf.Module):
            def __init__(self):
                self.scale, self.v, self.w = 2.0, tf.Variable([1.0, 2.0]), tf.Variable([10.0, 20.0])

            @tf.function
            def asked_for(self, x): return x * self.scale + self.v

            @tf.function
            def called(self, x): return x * self.scale - self.v

            @tf.function
            def replaced(self, x): return x + self.v

        net, x = Net(), tf.ones(2)
        functions = net.asked_for, net.called, net.replaced
        net.called(x)
        net.replaced(x)
        handed_out = [function.get_concrete_function(x) for function in functions]
        net.scale = 5.0
        handed_out[2].set_external_captures([net.w.handle])
        print([len(each.function_type.captures) for each in handed_out])
        print([each(x).numpy().tolist() for each in handed_out], [function(x).numpy().tolist() for function in functions])
    """))
    plain = laboratory.plain()
    starts = [laboratory.boost() for _ in range(3)]
    assert [start.out for start in starts] == [plain.out] * 3
    assert starts[2].functions("live") == ["called", "replaced"], starts[2].notes


def test_signatures_are_told_with_what_the_functions_capture(lab):  # noqa: F811
    check_replayed(lab(textwrap.dedent("""
        import re
        import tensorflow as tf

        v = tf.Variable([1.0, 2.0])
        t = tf.random.stateless_uniform((200,), (1, 2))

        @tf.function
        def f(x):
            return x + v + tf.reduce_sum(t)

        def told(text):
            return re.sub(r"\\d{9,}", "ID", text)

        print(f(tf.ones(2)).numpy(), f(tf.ones((3, 2))).numpy().tolist())
        print(told(f.pretty_printed_concrete_signatures(verbose=False)), f.experimental_get_tracing_count())
        print(told(f.pretty_printed_concrete_signatures()))
        print(f(tf.ones(2)).numpy(), f.experimental_get_tracing_count())
    """)), functions=["f", "f"])
