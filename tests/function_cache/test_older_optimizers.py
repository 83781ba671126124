"""Keras 2's older optimizers, which keep numbers until their first step makes variables of them."""

import pytest
from programs import has_keras_2
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow, pytest.mark.skipif(not has_keras_2(), reason="Keras 3 has none")]

FIT = """
import tensorflow as tf
tf.keras.utils.set_random_seed(1)
older = tf.keras.optimizers.legacy
{own}
x = tf.random.normal((64, 8))
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(optimizer={optimizer}, loss="mse", metrics=["mae"])
history = model.fit(x, tf.reduce_sum(x, 1, keepdims=True), epochs=2, batch_size=16, verbose=0).history
print({{name: [value.hex() for value in values] for name, values in history.items()}})
print([(v.name, v.numpy().tolist()) for v in model.optimizer.weights])
"""
OPTIMIZERS = ["older.Adam(1e-3, clipnorm=1.0, decay=0.1)", "older.SGD(0.01, momentum=0.9)", "older.Nadam(1e-3)",
              "older.RMSprop(tf.keras.optimizers.schedules.ExponentialDecay(0.01, 10, 0.9))"]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_it_is_built_before_its_answer_with_the_names_and_values_that_it_has_plainly(lab, optimizer):  # noqa: F811
    check_replayed(lab(FIT.format(own="", optimizer=optimizer)), ["train_function"])


@pytest.mark.parametrize("optimizer", ["older.SGD(0.01)", "older.Adam(1e-3)"])
@pytest.mark.parametrize("read", ["float(model.optimizer.lr)", "model.optimizer.lr.assign(0.02)", "int(model.optimizer.iterations)",
                                  "float(model.optimizer.lr), int(model.optimizer.iterations)"])
def test_what_was_read_of_it_before_its_first_step_is_there_already(lab, optimizer, read):  # noqa: F811
    program = FIT.format(own="", optimizer=optimizer).replace("history = ", f"print({read})\nhistory = ").replace(
        "epochs=2,", "epochs=2, callbacks=[tf.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.9)],").replace(
        "value.hex()", "float(value).hex()")
    check_replayed(lab(program), ["train_function"])


def test_another_rate_is_seen(lab):  # noqa: F811
    laboratory = lab(FIT.format(own="", optimizer="older.Adam(1e-3)"))
    check_replayed(laboratory, ["train_function"])
    laboratory.program.write_text(FIT.format(own="", optimizer="older.Adam(2e-3)"))
    assert laboratory.boost().out == laboratory.plain().out


def test_one_of_the_programs_own_is_built_by_the_trace(lab):  # noqa: F811
    own = "class Own(older.Adam):\n    def _create_slots(self, variables):\n        print('slots'); super()._create_slots(variables)"
    laboratory = lab(FIT.format(own=own, optimizer="Own(1e-3)"))
    plain = laboratory.plain()
    assert all(laboratory.boost().out == plain.out for _ in range(3))


SEVERAL = """
import hashlib, os, tempfile
import tensorflow as tf
keras = tf.keras
keras.utils.set_random_seed(1)
layers = [keras.layers.Dense(2), keras.layers.Dense(3), keras.layers.Dense(1)]
x = tf.random.stateless_normal((8, 4), (1, 2))
model = keras.Sequential(layers); model(x)
older = keras.optimizers.legacy
optimizers = [keras.optimizers.Adam(), keras.optimizers.Adam(), keras.optimizers.SGD(0.1, momentum=0.9),
              older.Adam(), older.SGD(0.1, momentum=0.9), older.SGD(0.1, momentum=0.9)]
@tf.function
def step(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    for number, optimizer in enumerate(optimizers):
        variables = layers[number % 3].trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables), **({"name": "named"} if number == 2 else {}))
    return loss
print([float(step(x)).hex() for _ in range(3)])
for each in optimizers:
    print([v.name for v in (each.variables() if callable(each.variables) else each.variables)])
with tempfile.TemporaryDirectory() as folder:
    tf.train.Checkpoint(model=model, optimizers=optimizers).write(os.path.join(folder, "ck"))
    for one in sorted(os.listdir(folder)):
        print(one, hashlib.md5(open(os.path.join(folder, one), "rb").read()).hexdigest())
"""


def test_several_optimizers_in_one_step_name_their_variables_as_plainly(lab):  # noqa: F811
    """Each opens a name scope, once, and what the graph calls it is a part of its variables' names, and with them of a checkpoint."""
    check_replayed(lab(SEVERAL), ["step"])


ACCUMULATED = """
import tensorflow as tf
tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.legacy.Adam(2e-3)
sums = [tf.Variable(tf.zeros_like(variable), trainable=False) for variable in model.trainable_variables]
steps = tf.Variable(0)

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - 1.0) ** 2)
    for each, gradient in zip(sums, tape.gradient(loss, model.trainable_variables)):
        each.assign_add(gradient / 2)
    steps.assign_add(1)
    if steps % 2 == 0:
        optimizer.apply_gradients(zip([each + 0.0 for each in sums], model.trainable_variables))
        for each in sums:
            each.assign(tf.zeros_like(each))
    return loss

optimizer._create_all_weights(model.trainable_variables)
print([float(step(tf.ones((4, 8)))).hex() for _ in range(6)])
"""


def test_within_a_condition_its_updates_stand_beside_what_has_a_number_of_the_process(lab):  # noqa: F811
    check_replayed(lab(ACCUMULATED), ["step"])
