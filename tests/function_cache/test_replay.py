"""Stored functions give what traced ones give, to the last bit, and everything else asked of them is traced plainly."""

import textwrap

import pytest

from programs import has_keras_2, tensorflow_version
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow

START = """
    import contextlib, hashlib, io, random, sys, tempfile, warnings
    import numpy as np
    import tensorflow as tf
    import keras

    def digest(*arrays):
        return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()

    KERAS_3 = keras.__version__ >= "3"

    def path(variable):
        return variable.path if KERAS_3 else variable.name

    def kind(variable):  # Keras 3's variables hold TensorFlow's
        return type(variable if isinstance(variable, tf.Variable) else variable.value).__name__

    def attempt(function, *arguments):
        try:
            return function(*arguments)
        except Exception as error:
            import re
            return type(error).__name__ + " " + re.sub(r"_\\d+\\b", "_N", str(error))
"""


def program(text):
    return textwrap.dedent(START) + textwrap.dedent(text)


# traces of `fit`, `evaluate` and `predict` that are answered, by Keras's version
FITTED_3 = ["multi_step_on_iterator"] * 3 + ["one_step_on_data", "one_step_on_data_distributed"]
FITTED_2 = ["train_function"]


def step():
    """The traced function of `fit`."""
    return "train_function" if has_keras_2() else "multi_step_on_iterator"


@pytest.mark.suite
def test_keras_fit_and_all_that_may_follow_it(lab):  # noqa: F811
    check_replayed(lab(program("""
        keras.utils.set_random_seed(1)
        r = np.random.RandomState(0)
        x, y = r.rand(90, 8).astype("float32"), r.randint(0, 3, 90)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        m = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"),
                              keras.layers.BatchNormalization(), keras.layers.Dropout(.3), keras.layers.Dense(3)])
        m.compile("adam", loss, metrics=["accuracy"])
        print(m.fit(x, y, batch_size=8, epochs=3, verbose=0).history, digest(*m.get_weights()))
        print([(path(v), kind(v)) for v in m.optimizer.variables],
              [(path(v), kind(v)) for k in m.metrics for v in k.variables])
        print(digest(*[np.asarray(v) for v in m.optimizer.variables]))
        print(m.fit(x, y, batch_size=8, verbose=0).history, m.fit(x, y, batch_size=10, verbose=0).history)
        print(m.train_on_batch(x[:8], y[:8]), m.evaluate(x, y, verbose=0), m.predict(x, verbose=0).sum())
        d = tempfile.mkdtemp()
        m.save(d + "/m.keras")
        print(keras.models.load_model(d + "/m.keras").evaluate(x, y, verbose=0))
        with contextlib.redirect_stdout(io.StringIO()):  # Keras 2 tells where, which differs
            m.export(d + "/e", **({"verbose": False} if KERAS_3 else {}))
        exported = tf.saved_model.load(d + "/e")
        print(exported.serve(x[:4]).numpy().tolist())
        saved = tf.train.Checkpoint(model=m, optimizer=m.optimizer).save(d + "/c")
        tf.train.Checkpoint(model=m, optimizer=m.optimizer).restore(saved).assert_consumed()
        m.compile(keras.optimizers.SGD(.1), loss)
        print(m.fit(x, y, batch_size=16, verbose=0).history, digest(*m.get_weights()))
        print(random.random(), np.random.rand(), float(tf.random.normal(())))
        print(keras.layers.Dense(1).name, keras.losses.MeanSquaredError().name)
    """)), at_least=FITTED_2 if has_keras_2() else FITTED_3)


RAW = """
    tf.random.set_seed(3)
    r = np.random.RandomState(0)
    w, b, u = tf.Variable(r.randn(20, 30).astype("float32")), tf.Variable(tf.zeros(30)), tf.Variable(tf.ones((30, 3)))
    optimizer = keras.optimizers.Adam(1e-2)
    mask = tf.constant(r.rand(1, 300).astype("float32"))

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            hidden = tf.nn.dropout(tf.nn.relu(x @ w + b), .2)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, hidden @ u))
            loss += tf.reduce_sum(mask) * 1e-3
        optimizer.apply_gradients(zip(tape.gradient(loss, [w, b, u]), [w, b, u]))
        return loss, {"norm": tf.norm(w), "rest": [3, None]}

    def batch(rows):
        return tf.constant(r.randn(rows, 20).astype("float32")), tf.constant(r.randint(0, 3, rows))

    for rows in [8] * 22 + [5]:
        loss, rest = step(*batch(rows))
        print(float(loss), float(rest["norm"]), list(rest), int(rest["rest"][0]), rest["rest"][1])
    print(digest(*[v.numpy() for v in (w, b, u)], *[np.asarray(v) for v in optimizer.variables]))
"""


@pytest.mark.suite
def test_a_loop_whose_optimizer_is_built_in_the_first_call(lab):  # noqa: F811
    replayed = check_replayed(lab(program(RAW)), ["step", "step"])
    assert replayed.training[:1] == ["step"]


SCALE = """
    v = tf.Variable(2.)

    class Scale(tf.Module):
        def __init__(self):
            super().__init__()
            self.v = v
        @tf.function(input_signature=[tf.TensorSpec((None,), tf.float32)])
        def f(self, x):
            return {"y": self.v * x * x}

    scale = Scale()
    x = tf.constant([1., 3.])
    print(scale.f(x)["y"].numpy())
"""


def test_what_only_a_trace_can_give_is_traced(lab):  # noqa: F811
    check_replayed(lab(program(SCALE + """
    concrete = scale.f.get_concrete_function()
    print(concrete(tf.constant([5.]))["y"].numpy(), len(concrete.graph.get_operations()), len(concrete.inputs))
    d = tempfile.mkdtemp()
    tf.saved_model.save(scale, d)
    loaded = tf.saved_model.load(d)
    print(loaded.f(x)["y"].numpy())
    tf.config.run_functions_eagerly(True)
    print(scale.f(x)["y"].numpy())
    """)), ["f"])


@pytest.mark.suite
def test_what_is_called_under_tapes_and_inside_others_is_not_kept(lab):  # noqa: F811
    replayed = check_replayed(lab(program(SCALE + """
    with tf.GradientTape() as tape:
        y = scale.f(x)["y"]
    print(tape.gradient(y, v).numpy())
    with tf.autodiff.ForwardAccumulator(x, tf.ones(2)) as forward:
        y = scale.f(x)["y"]
    print(forward.jvp(y).numpy())

    @tf.function
    def outer(x):
        return scale.f(x)["y"] + scale.f(x + 1.)["y"]

    print(outer(x).numpy(), scale.f(x)["y"].numpy())
    """)))
    assert "f" not in replayed.functions("live")


@pytest.mark.suite
def test_steps_fail_with_the_words_of_the_plain_run(lab):  # noqa: F811
    check_replayed(lab(program("""
        v = tf.Variable(1.)

        @tf.function
        def guarded(x):
            v.assign_add(1.)
            tf.debugging.assert_less(x, 3., message="too big")
            return x * v

        print(float(guarded(tf.constant(1.))), attempt(guarded, tf.constant(5.)), float(v))

        @tf.function(input_signature=[tf.TensorSpec((None,), tf.float32)])
        def checked(x):
            return tf.debugging.check_numerics(tf.math.log(x), "nan here")

        print(checked(tf.constant([1., 2.])).numpy(), attempt(checked, tf.constant([-1.])))

        @tf.function
        def inner(x):
            return tf.reshape(x, (3, -1))

        @tf.function(input_signature=[tf.TensorSpec((None,), tf.float32)])
        def looped(x):
            for i in tf.range(2):
                x = tf.reshape(inner(x) * 2., (-1,))
            return x

        print(looped(tf.ones(6)).numpy(), attempt(looped, tf.ones(5)))
        iterator = iter(tf.data.Dataset.range(3))

        @tf.function
        def following(iterator):
            return next(iterator)

        print([int(following(iterator)) for _ in range(3)], attempt(following, iterator))
    """)), ["guarded", "checked", "looped", "following"])


def test_effects_keep_their_order(lab):  # noqa: F811
    check_replayed(lab(program("""
        v, w = tf.Variable(0.), tf.Variable(0.)

        @tf.function
        def f(x):
            v.assign(x)
            a = v.read_value()
            v.assign_add(1.)
            b = v.read_value()
            w.assign(a * b)
            tf.print("first", v, w)
            v.assign(w * 2.)
            tf.print("second", v)
            for i in tf.range(3):
                w.assign(w * 1.5 + tf.cast(i, tf.float32))
            if x > 4.:
                v.assign(100.)
            v.assign_add(1.)
            return a, b, w.read_value()

        for x in (2., 3., 5.):
            print([float(t) for t in f(tf.constant(x))], float(v), float(w))
    """)), ["f"])


def test_random_numbers_in_the_graph(lab):  # noqa: F811
    check_replayed(lab(program("""
        keras.utils.set_random_seed(7)
        generator = tf.random.Generator.from_seed(3)

        @tf.function
        def f(x):
            drawn = tf.random.normal((3,)) + x, tf.random.uniform((2,), seed=4), generator.normal((2,))
            return (*drawn, keras.random.normal((2,))) if KERAS_3 else drawn

        print(digest(*[t.numpy() for x in range(5) for t in f(tf.constant(float(x)))]))
        print(random.random(), np.random.rand(), float(tf.random.normal(())))
    """)), ["f"])


@pytest.mark.suite
def test_names_never_collide_with_later_traces(lab):  # noqa: F811
    check_replayed(lab(program("""
        for k in range(4):
            @tf.function
            def f(x):
                return x + k
            @tf.function
            def g(x):
                return x * (k + 2.)
            @tf.function
            def h(x):
                return g(f(x))
            @tf.function
            def p(x):
                return x - k
            print(float(f(tf.constant(1.))), float(h(tf.constant(1.))), float(g(tf.constant(1.))), float(p(tf.constant(1.))))
    """)), at_least=["p"] * 4)


@pytest.mark.suite
def test_mixed_precision_with_a_scaled_loss(lab):  # noqa: F811
    check_replayed(lab(program("""
        keras.utils.set_random_seed(1)
        keras.mixed_precision.set_global_policy("mixed_float16")
        r = np.random.RandomState(0)
        x, y = r.rand(64, 8).astype("float32"), r.rand(64, 1).astype("float32")
        m = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"),
                              keras.layers.Dense(1, dtype="float32")])
        where = keras.optimizers if KERAS_3 else keras.mixed_precision
        scaled = where.LossScaleOptimizer(keras.optimizers.Adam(clipnorm=1.), dynamic_growth_steps=3)
        m.compile(scaled, "mse", metrics=["mae"])
        print(m.fit(x, y, batch_size=8, epochs=3, verbose=0).history, digest(*m.get_weights()))
        print(digest(*[np.asarray(v) for v in m.optimizer.variables]))
    """)), [step()])


@pytest.mark.suite
def test_layers_that_are_built_by_the_first_step(lab):  # noqa: F811
    check_replayed(lab(program("""
        keras.utils.set_random_seed(1)

        class Block(keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.dense, self.drop = keras.layers.Dense(8, activation="relu"), keras.layers.Dropout(.2)
            def call(self, x, training=False):
                return self.drop(self.dense(x), training=training)

        class Net(keras.Model):
            def __init__(self):
                super().__init__()
                self.block, self.last = Block(), keras.layers.Dense(3)
            def call(self, x, training=False):
                return self.last(self.block(x, training=training))

        m = Net()
        m.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        r = np.random.RandomState(0)
        x, y = r.rand(64, 8).astype("float32"), r.randint(0, 3, 64)
        print(m.fit(x, y, batch_size=8, epochs=3, verbose=0).history, digest(*m.get_weights()))
        print([(path(v), kind(v)) for v in m.variables], m.block.built, m.built, m.count_params())

        # A `Sequential` puts an input layer before those that it was given: these are built, and stand elsewhere in it afterwards.
        first, second = keras.layers.Dense(8, activation="relu"), keras.layers.Dense(8)
        for each in first, second:
            each.build((None, 8))
        head = keras.Sequential([first, second])

        @tf.function
        def score(x):
            return head(x)

        print(digest(score(tf.constant(x)).numpy()), head.built, len(head.variables))
    """)), [step(), *([] if has_keras_2() else ["score"])])  # Keras 2 writes the addresses of tensors into a graph of layers


@pytest.mark.suite
def test_a_loaded_model_that_the_program_holds_is_no_hindrance(lab):  # noqa: F811
    """What stands on its functions is the agent's, which does one thing where it answers and another where it traces."""
    check_replayed(lab(program("""
        w = tf.Variable(tf.ones((8, 8)) * .1)
        module = tf.Module()
        module.w = w

        def layers(x):
            for i in range(240):
                x = tf.nn.relu(x @ w + .01 * i)
            return x

        module.f = tf.function(layers, input_signature=[tf.TensorSpec((4, 8), tf.float32)])
        d = tempfile.mkdtemp()
        tf.saved_model.save(module, d, signatures={"serving_default": module.f})
        exported = tf.saved_model.load(d)
        serve = exported.signatures["serving_default"]
        print(digest(*[t.numpy() for _ in range(3) for t in serve(tf.ones((4, 8))).values()]))

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w) ** 2)
            w.assign_sub(tape.gradient(loss, w) * .1)
            return loss

        print([float(step(tf.ones((4, 8)))) for _ in range(3)], digest(w.numpy()))
    """)), at_least=["step"])


@pytest.mark.suite
def test_a_later_call_on_another_device_or_with_other_options_is_made_there(lab):  # noqa: F811
    """The stored graph was placed and optimised for the first call; TensorFlow does both anew for others."""
    check_replayed(lab(textwrap.dedent("""
        import tensorflow as tf

        cpus = tf.config.list_physical_devices("CPU")
        tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
        tf.random.set_seed(1)

        @tf.function
        def here(x):
            for _ in range(200):
                x = x * 1.001
            return x

        @tf.function
        def there(x):
            for _ in range(200):
                x = x * 1.002
            return x

        @tf.function
        def draws(x):
            for _ in range(100):
                x = x + tf.random.uniform([])
            return x

        x = tf.constant(1.)
        print(here(x).backing_device, float(draws(x)))
        for device in ("/CPU:1", "/CPU:0", None, "/CPU:1"):
            with tf.device(device):
                print(here(x).backing_device, there(x).backing_device, float(draws(x)))
        print(there(x).backing_device)
        tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
        print(float(draws(x)), here(x).backing_device)
    """)), functions=["here", "draws", "there"])


NEEDED_LATER = """
    import os, sys
    import tensorflow as tf

    @tf.RegisterGradient("First")
    def first(op, dy):
        return dy * 11.

    @tf.RegisterGradient("Second")
    def second(op, dy):
        return dy * 13.

    class Model(tf.Module):
        def __init__(self):
            self.weight = self.kept = tf.Variable(3.)
            self.scale, self.key, self.factor, self.gradient, self.unused = tf.constant(2.), "a", 2., "First", 1

        @tf.function(autograph=False)
        def variable(self, x):
            return x * self.weight

        @tf.function(autograph=False)
        def tensor(self, x):
            return x * self.scale

        @tf.function(autograph=False)
        def structure(self, x):
            return (x, x * 2.) if self.key == "a" else [x, x * 2.]

        @tf.function(autograph=False)
        def reversed(self, x):
            factor = self.factor

            @tf.custom_gradient
            def reverse(x):
                return x * 1., lambda dy: -factor * dy

            return reverse(x)

        @tf.function(autograph=False)
        def replaced(self, x):
            with tf.compat.v1.get_default_graph().gradient_override_map({"Identity": self.gradient}):
                return tf.identity(x)

        @tf.function(autograph=False)
        def same(self, x):
            return tf.nn.swish(x) * (1. if self.unused else 2.)

    model, x, names = Model(), tf.constant(2.), "variable tensor structure reversed replaced same".split()
    print([getattr(model, name)(x) for name in names])
    if os.path.exists("changed"):
        model.weight, model.scale, model.key, model.factor, model.gradient, model.unused = (
            tf.Variable(5.), tf.constant(50.), "b", 50., "Second", 7)
        for name in names:
            try:
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = getattr(model, name)(x)
                print(name, y, tape.gradient(y, [x, model.kept]))
            except Exception as error:
                print(name, type(error).__name__)
"""


@pytest.mark.suite
def test_a_trace_that_comes_too_late_to_be_the_first_one_is_not_taken(lab):  # noqa: F811
    """What a graph does not tell counts, too: captures, structure, gradients in Python."""
    laboratory = lab(textwrap.dedent(NEEDED_LATER))
    names = ["variable", "tensor", "structure", "reversed", "replaced", "same"]
    laboratory.learned()
    assert laboratory.boost().functions("live") == names
    (laboratory.program.parent / "changed").touch()
    plain, ran, again = laboratory.plain(), laboratory.boost(status=86), laboratory.boost()
    assert ran.functions("live") == names
    assert ran.out.splitlines()[1:] == [f"{name} TooLate" for name in names[:-1]] + plain.out.splitlines()[-1:]
    assert ran.err.count("what this run has computed since is not to be used") == 1  # though it caught the error
    assert again.out == plain.out


@pytest.mark.suite
@pytest.mark.parametrize("end", ["os._exit(0)", "sys.exit(0)", "raise ValueError", "os.execv('/bin/true', ['true'])"])
def test_who_catches_that_error_ends_as_a_stopped_run_whatever_way_it_ends(lab, end):  # noqa: F811
    laboratory = lab(textwrap.dedent(NEEDED_LATER) + f"\nimport sys\nif os.path.exists('changed'):\n    {end}\n")
    laboratory.learned()
    (laboratory.program.parent / "changed").touch()
    assert "what this run has computed since is not to be used" in laboratory.boost(status=86).err


@pytest.mark.suite
def test_a_use_that_an_answer_cannot_serve_is_noted_where_it_is_confirmed(lab):  # noqa: F811
    laboratory = lab(textwrap.dedent(NEEDED_LATER))
    laboratory.boost()
    (laboratory.program.parent / "changed").touch()
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
        assert not ran.functions("live")
