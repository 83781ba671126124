"""Summaries written in a step: their writer is found as any other capture."""

import pytest
from replay_harness import check_replayed, check_same, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

WRITES = """
import os, shutil, sys
import tensorflow as tf
from tensorflow.core.util import event_pb2

HERE = os.path.dirname(os.path.abspath(__file__))
shutil.rmtree(HERE + "/logs", ignore_errors=True)
train, test = (tf.summary.create_file_writer(HERE + "/logs/" + name) for name in ("train", "test"))
w = tf.Variable([1.0, 2.0])


@tf.function
def step(x, number):
    w.assign_sub(0.1 * x)
    loss = tf.reduce_sum(w * w)
    with train.as_default():
        tf.summary.write("loss", loss, step=number)
        with tf.summary.record_if(number % 2 == 0):
            tf.summary.write("w", w, step=number // 2)
    return loss


@tf.function
def evaluate(x):
    with test.as_default():
        tf.summary.write("metric", tf.reduce_sum(x), step=tf.constant(7, tf.int64))
    return x + 1.0


for number in tf.range(4, dtype=tf.int64):
    print(float(step(tf.constant([0.5, 0.25]), number)).hex())
kept, test = test, tf.summary.create_file_writer(HERE + "/logs/other")  # the function writes to the one of its trace
print(evaluate(tf.ones(2)).numpy().tolist())
train_before, train = train, test
print(float(step(tf.constant([0.5, 0.25]), tf.constant(8, tf.int64))).hex())
kept.close(), test.close(), train_before.close()


def values(path):
    for record in tf.data.TFRecordDataset(path):
        event = event_pb2.Event.FromString(record.numpy())
        for value in event.summary.value:
            yield event.step, value.tag, tf.make_ndarray(value.tensor).tolist()


for folder, _, names in sorted(os.walk(HERE + "/logs")):
    for name in names:
        print(os.path.basename(folder), *values(os.path.join(folder, name)))
"""


def test_summaries_are_written_as_plainly(lab):  # noqa: F811
    check_replayed(lab(WRITES), ["step", "evaluate"])


@pytest.mark.suite
def test_a_writer_that_was_another_is_the_one_that_is_written_to(lab):  # noqa: F811
    """The capture is found by its name, as the program has it in this start."""
    laboratory = lab(WRITES)
    for _ in range(2):
        laboratory.boost()
    text = laboratory.program.read_text()
    laboratory.program.write_text(text.replace('for name in ("train", "test")', 'for name in ("test", "train")'))
    plain, boosted = laboratory.plain(), laboratory.boost()
    assert boosted.out == plain.out


DEFAULT = """
import os, shutil
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
shutil.rmtree(HERE + "/logs", ignore_errors=True)


@tf.function
def step(x):
    tf.summary.write("x", x, step=tf.constant(1, tf.int64))
    return x * 2.0


writers = [tf.summary.create_file_writer(HERE + "/logs/" + name) for name in ("one", "two")]
for writer in writers:
    with writer.as_default():
        print(float(step(tf.constant(3.0))))
    writer.flush()
    print([os.path.getsize(os.path.join(folder, file)) > 100 for folder, _, files in sorted(os.walk(HERE + "/logs")) for file in files])
"""


@pytest.mark.suite
def test_the_default_writer_of_a_call_is_none_of_the_functions(lab):  # noqa: F811
    """It is found by no path from the function: refused."""
    check_same(lab(DEFAULT), [])
