"""Functions that take a distribution strategy's data: its type names two objects by their addresses."""

import pytest
from replay_harness import check_same, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

ONE_DEVICE = """
import tensorflow as tf

strategy = tf.distribute.OneDeviceStrategy('cpu:0')
with strategy.scope():
    w = tf.Variable([1.0, 2.0])
batches = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(24.0), [12, 2])).batch(4)
data = strategy.experimental_distribute_dataset(batches)


@tf.function
def train(iterator):
    def one(x):
        loss = tf.reduce_mean(x * w)
        w.assign_sub(0.01 * tf.reduce_mean(x, 0))
        return loss

    return strategy.reduce('SUM', strategy.run(one, args=(next(iterator),)), axis=None)


@tf.function
def epoch(data):
    total = 0.0
    for x in data:
        total += strategy.run(lambda: tf.reduce_sum(x * w))
        w.assign_sub(0.01 * x[0])
    return total


iterator = iter(data)
for _ in range(2):
    print(float(train(iterator)).hex())
    print(float(epoch(data)).hex())
"""


@pytest.mark.suite
def test_steps_under_a_strategy_of_one_device_are_answered(lab):  # noqa: F811
    check_same(lab(ONE_DEVICE), ["train", "epoch"])


@pytest.mark.suite
def test_the_strategy_counts(lab):  # noqa: F811
    """Its data are of the same type, and what is made of them is not."""
    laboratory = lab(ONE_DEVICE)
    laboratory.learned()
    text = laboratory.program.read_text()
    laboratory.program.write_text(text.replace("OneDeviceStrategy('cpu:0')", "MirroredStrategy()"))
    plain, ran = laboratory.plain(), laboratory.boost()
    assert ran.out == plain.out and not ran.functions("live")


IN_THREADS = """
import pathlib, warnings
import tensorflow as tf

pathlib.Path("scale.txt").write_text("3")
strategy = tf.distribute.MirroredStrategy(["CPU:0"])
with strategy.scope():
    w = tf.Variable([1.0, 2.0])


@tf.function
def step(x):
    def one(x):
        print("tracing")
        warnings.warn("traced")
        return x * w * float(pathlib.Path("scale.txt").read_text())

    return strategy.reduce("SUM", strategy.run(one, args=(x,)), axis=None)


print(step(tf.ones(2)).numpy())
"""


@pytest.mark.suite
def test_what_is_traced_in_threads_of_its_own_is_refused(lab):  # noqa: F811
    """What they say would not be said again, and a file that they read not be looked at."""
    laboratory = lab(IN_THREADS)
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out and not ran.functions("live")
    assert any("in a thread of its own" in reason for reason in ran.reasons("refused"))
