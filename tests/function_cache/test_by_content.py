"""Functions that are traced or loaded in every process, and optimised once: by the content of their graphs."""

import textwrap

import pytest
from programs import has_keras_2

from replay_harness import lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

HEAD = textwrap.dedent("""
    import os, sys, tempfile, threading
    import numpy as np
    import tensorflow as tf

    class Numbers:  # what a function names and nobody can digest: it is refused
        def __init__(self):
            self.left = (number for number in range(3))

        def __enter__(self):
            return self.left

        def __exit__(self, *error):
            pass

    NUMBERS = Numbers()

    def layers(x, w, count=240):
        for i in range(count):
            x = tf.nn.relu(tf.matmul(x, w) + 0.01 * i)
        return x

""")


def program(text):
    return HEAD + textwrap.dedent(text)


def check_reused(laboratory, names):
    """Plain, learned and later runs print the same; the optimised graphs of exactly `names` are reused."""
    plain, learned = laboratory.plain(), laboratory.boost()
    assert learned.out == plain.out
    later = laboratory.boost()
    assert later.out == plain.out
    for ran in (learned, later):
        assert not ran.functions("error") and not ran.functions("failed"), ran.notes
    assert later.functions("reused") == names, later.notes
    return later


def test_a_refused_training_step(lab):  # noqa: F811
    laboratory = lab(program("""
        tf.random.set_seed(2)
        w = tf.Variable(tf.random.stateless_uniform((8, 8), (1, 2)) / 8)
        steps = tf.Variable(0)
        optimizer = tf.keras.optimizers.Adam(0.01)
        optimizer.build([w])

        @tf.function
        def step(x):
            with NUMBERS:
                with tf.GradientTape() as tape:
                    y = tf.nn.dropout(layers(x, w), 0.3)
                    loss = tf.reduce_mean((y - 1.) ** 2)
            if tf.reduce_sum(x) > 20.:
                steps.assign_add(1)
            optimizer.apply_gradients([(tape.gradient(loss, w), w)])
            return {"loss": loss, "steps": steps + 0}

        for i in range(8):
            print({k: repr(v.numpy()) for k, v in step(tf.fill((4, 8), float(i) / 4)).items()})
        print(w.numpy().tobytes().hex()[:200], tf.random.uniform(()).numpy())
    """))
    later = check_reused(laboratory, ["step"])
    assert any("generator" in reason for reason in later.reasons("refused")), later.notes


@pytest.mark.suite
def test_beside_a_device_nothing_is_learned_that_could_never_be_answered(lab):  # noqa: F811
    """A forked copy cannot use a device's driver. Here TensorFlow lists one when the first function is traced; nothing else asks for it."""
    laboratory = lab(program("""
        context = sys.modules["tensorflow.python.eager.context"]
        x, w = tf.random.stateless_normal((4, 4), (1, 2)), tf.Variable(tf.eye(4))

        class Device:
            device_type, name = "GPU", "/device:GPU:0"

        context.context()._logical_devices.append(Device())

        @tf.function
        def step(x):
            return tf.reduce_sum(layers(x, w))

        print(float(step(x)), float(step(x)))
    """))
    plain, runs = laboratory.plain(), [laboratory.boost() for _ in range(3)]
    for ran in runs:
        assert ran.out == plain.out and not ran.functions("learned") and not ran.functions("error"), ran.notes
        assert ran.reasons("refused") == ["an accelerator is in use, whose driver a forked child cannot use"], ran.notes
    assert [ran.functions("reused") for ran in runs[1:]] == [["step"], ["step"]], runs[1].notes


def test_a_refused_keras_model_among_other_functions(lab):  # noqa: F811
    laboratory = lab(program("""
        import keras

        before = [tf.function(lambda x: x * 2.) for _ in range(int(os.path.exists("more")))]  # numbers of the process differ
        [f(tf.constant(1.)) for f in before]

        def loss(y, p):
            with NUMBERS:
                return tf.reduce_mean(tf.abs(y - p), axis=-1)

        keras.utils.set_random_seed(2)
        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, "relu"), keras.layers.Dropout(0.2), keras.layers.Dense(2)])
        model.compile("adam", loss, metrics=["mae"])
        x, y = np.random.rand(64, 8).astype("float32"), np.random.rand(64, 2).astype("float32")
        print(model.fit(x, y, batch_size=16, epochs=3, verbose=0).history, model.evaluate(x, y, verbose=0))
    """))
    step = "train_function" if has_keras_2() else "multi_step_on_iterator"
    plain = laboratory.plain()
    assert laboratory.boost().out == plain.out
    (laboratory.program.parent / "more").touch()
    later = laboratory.boost()
    assert later.out == plain.out
    assert step in later.functions("reused"), later.notes


@pytest.mark.suite
def test_all_that_is_done_with_a_function_besides_calls(lab):  # noqa: F811
    laboratory = lab(program("""
        w = tf.Variable(tf.eye(4) * 0.5)

        @tf.function
        def f(x):
            with NUMBERS:
                return tf.random.uniform((2,), seed=4) + tf.reduce_sum(layers(x, w))

        @tf.function
        def around(x):
            return f(x) * 2.

        x = tf.ones((2, 4))
        print(f(x).numpy(), f(x).numpy())
        with tf.GradientTape() as tape:
            y = f(x)
        print(y.numpy(), tape.gradient(y, w).numpy().tolist())
        print(around(x).numpy(), f(x).numpy())
        print(f.get_concrete_function(x)(x).numpy(), len(f.get_concrete_function(x).graph.get_operations()))
        w.assign(tf.eye(4) * 0.25)
        print(f(x).numpy(), f(tf.ones((3, 4))).numpy())
        with tf.device("cpu:0"):
            print(f(x).numpy())
    """))
    check_reused(laboratory, ["f", "around", "f"])


@pytest.mark.suite
def test_another_constant_is_another_graph(lab):  # noqa: F811
    laboratory = lab(program("""
        w = tf.constant(np.eye(4, dtype="float32"))

        @tf.function
        def f(x):
            with NUMBERS:
                return layers(x, w) * 2.5

        print(f(tf.ones((2, 4))).numpy())
    """))
    check_reused(laboratory, ["f"])
    laboratory.program.write_text(laboratory.program.read_text().replace("2.5", "3.5"))
    changed = laboratory.boost()
    assert changed.out == laboratory.plain().out
    assert changed.functions("reused") == []


@pytest.mark.suite
def test_two_functions_of_one_graph_keep_streams_of_their_own(lab):  # noqa: F811
    laboratory = lab(program("""
        tf.random.set_seed(5)

        def make():
            @tf.function
            def f(x):
                with NUMBERS:
                    return layers(x, x) + tf.random.uniform((), seed=3)
            return f

        first, second = make(), make()
        x = tf.eye(3)
        for f in (first, first, second, first, second):
            print(f(x).numpy()[0])
    """))
    check_reused(laboratory, ["f", "f"])


@pytest.mark.suite
def test_values_that_are_captured_anew_at_each_call(lab):  # noqa: F811
    laboratory = lab(program("""
        from tensorflow.python.framework import func_graph, ops

        tf.random.set_seed(3)
        number = 0.

        def count():
            global number
            number += 1.
            return tf.constant(number)

        @tf.function
        def f(x):
            with NUMBERS:
                late = ops.get_default_graph().capture_call_time_value(count, tf.TensorSpec((), tf.float32))
                return tf.reduce_sum(layers(x, x)) + late + tf.random.uniform((), seed=1)

        print([f(tf.eye(3)).numpy() for _ in range(4)])
    """))
    check_reused(laboratory, ["f"])


@pytest.mark.suite
def test_calls_under_a_tape_that_watches_nothing(lab):  # noqa: F811
    laboratory = lab(program("""
        tf.random.set_seed(3)

        @tf.function
        def sample(x):
            with NUMBERS:
                return tf.reduce_sum(layers(x, x)) + tf.random.uniform((), seed=1)

        for i in range(6):
            if i in (0, 3):
                with tf.GradientTape():
                    print(float(sample(tf.eye(3))))
            else:
                print(float(sample(tf.eye(3))))
    """))
    check_reused(laboratory, ["sample"])


@pytest.mark.suite
def test_threads_that_call_at_once(lab):  # noqa: F811
    laboratory = lab(program("""
        tf.random.set_seed(3)

        @tf.function
        def f(x):
            with NUMBERS:
                return tf.reduce_sum(layers(x, x)) + tf.random.uniform((), seed=1)

        f.get_concrete_function(tf.eye(3))
        count, found = 1, []
        barrier = threading.Barrier(count)

        def work():
            barrier.wait()
            found.append(f(tf.eye(3)).numpy())

        threads = [threading.Thread(target=work) for _ in range(count)]
        [t.start() for t in threads], [t.join() for t in threads]
        print(sorted(found))
    """))
    check_reused(laboratory, ["f"])
    laboratory.program.write_text(laboratory.program.read_text().replace("count, found = 1", "count, found = 4"))
    assert laboratory.boost().out == laboratory.plain().out
    assert laboratory.boost().functions("reused") == ["f"]


@pytest.mark.suite
def test_errors_read_as_in_the_plain_run(lab):  # noqa: F811
    laboratory = lab(program("""
        @tf.function
        def f(x):
            with NUMBERS:
                y = layers(x, x)
                return tf.debugging.check_numerics(1. / tf.reduce_sum(x), "a message") + y

        print(f(tf.eye(3)).numpy()[0])
        try:
            f(tf.zeros((3, 3)))
        except tf.errors.InvalidArgumentError as error:
            print(str(error).translate({ord(d): None for d in "0123456789"}))
    """))
    check_reused(laboratory, ["f"])


@pytest.mark.suite
def test_saved_models(lab):  # noqa: F811
    laboratory = lab(program("""
        class Model(tf.Module):
            def __init__(self, scale):
                self.w = tf.Variable(tf.eye(4) * scale)

            @tf.function(input_signature=[tf.TensorSpec((None, 4))])
            def serve(self, x):
                return {"y": layers(x, self.w), "sum": tf.reduce_sum(x)}

        x = tf.ones((2, 4))
        for scale in (0.5, 0.25):
            folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"saved-{scale}")
            if not os.path.exists(folder):
                model = Model(scale)
                tf.saved_model.save(model, folder, signatures=model.serve)
            loaded = tf.saved_model.load(folder)
            serve = loaded.signatures["serving_default"]
            print({k: v.numpy().tolist() for k, v in sorted(serve(x=x).items())})
            print({k: v.numpy().tolist() for k, v in sorted(loaded.serve(x).items())})
            with tf.GradientTape() as tape:
                y = loaded.serve(x)["y"]
            print(tape.gradient(y, loaded.w).numpy().tolist())
            print(tf.function(lambda x: loaded.serve(x)["y"] * 2.)(x).numpy().tolist())
            loaded.w.assign(tf.eye(4))
            print(serve(x=tf.ones((1, 4)))["y"].numpy().tolist())
            tf.saved_model.save(loaded, tempfile.mkdtemp() + "/again")
    """))
    laboratory.plain()  # saves the models
    plain, learned, later = laboratory.plain(), laboratory.boost(), laboratory.boost()
    assert learned.out == plain.out
    assert later.out == plain.out
    assert not later.functions("error"), later.notes
    assert len(later.functions("reused")) >= 4, later.notes


@pytest.mark.suite
def test_small_functions_are_left_alone(lab):  # noqa: F811
    laboratory = lab(program("""
        @tf.function
        def f(x):
            with NUMBERS:
                return x + 1.

        print(f(tf.constant(1.)).numpy())
    """))
    check_reused(laboratory, [])
    assert laboratory.entries() == []
