"""Summaries written in a step: their writer is found as any other capture."""

import pytest
from programs import can_import
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


@pytest.mark.suite
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
def test_the_default_writer_of_a_call_is_found(lab):  # noqa: F811
    """A second call under another one is TensorFlow's own to answer: it writes to that of its trace."""
    check_same(lab(DEFAULT), ["step"])


AROUND = """
import os, shutil
import tensorflow as tf
from tensorflow.core.util import event_pb2

HERE = os.path.dirname(os.path.abspath(__file__))
shutil.rmtree(HERE + "/logs", ignore_errors=True)
train, test = (tf.summary.create_file_writer(HERE + "/logs/" + name) for name in ("train", "test"))
a, b = tf.Variable(3, dtype=tf.int64), tf.Variable(5, dtype=tf.int64)
ONE = tf.constant(1, tf.int64)


@tf.function
def if_there_is_one(x):
    tf.summary.write("if there is one", x, step=ONE)
    return x * 2.0


@tf.function
def that_is_named_too(x):
    tf.summary.write("that is named too", x, step=ONE)
    train.flush(), test.flush()
    return x * 2.0


@tf.function
def beside_another(x):
    tf.summary.write("beside another", x, step=ONE)
    with train.as_default():
        tf.summary.write("another", x, step=ONE)
    return x * 2.0


@tf.function
def its_number(x):
    with train.as_default():
        tf.summary.write("its number", x)
    return x * 2.0


@tf.function
def its_variable(x):
    with train.as_default():
        tf.summary.write("its variable", x)
    return x * 2.0 + tf.cast(a + b, tf.float32)


@tf.function
def recorded(x):
    with train.as_default():
        tf.summary.write("recorded", x, step=ONE)
    return x * 2.0


@tf.function
def recorded_by_tensor(x):
    with train.as_default():
        tf.summary.write("recorded by tensor", x, step=ONE)
    return x * 2.0


def main():
    other = os.path.exists(HERE + "/other")  # a trace sees it by what is around the call alone
    x = tf.constant(3.0)
    with tf.summary.create_noop_writer().as_default() if not other else test.as_default():
        if_there_is_one(x)
    with (test if other else train).as_default():
        that_is_named_too(x)
    with (train if other else test).as_default():
        beside_another(x)
    tf.summary.experimental.set_step(3 if other else 2)
    its_number(x)
    tf.summary.experimental.set_step(b if other else a)
    its_variable(x)
    with tf.summary.record_if(other):
        recorded(x)
    with tf.summary.record_if(tf.constant(other)):
        recorded_by_tensor(x)


main()
train.close(), test.close()
for folder, _, names in sorted(os.walk(HERE + "/logs")):
    for name in names:
        for record in tf.data.TFRecordDataset(os.path.join(folder, name)):
            for value in event_pb2.Event.FromString(record.numpy()).summary.value:
                print(os.path.basename(folder), value.tag, tf.make_ndarray(value.tensor))
"""


@pytest.mark.suite
def test_what_is_around_the_call_counts(lab):  # noqa: F811
    """Its writer, its step, and whether summaries are recorded: none of them is the function's."""
    laboratory = lab(AROUND)
    check_same(laboratory, ["if_there_is_one", "that_is_named_too", "beside_another", "its_number", "its_variable", "recorded",
                            "recorded_by_tensor"])
    laboratory.program.with_name("other").touch()
    plain, boosted = laboratory.plain(), laboratory.boost()
    assert boosted.out == plain.out
    assert not boosted.functions("live"), boosted.notes


PLUGINS = """
import os, shutil
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
shutil.rmtree(HERE + "/logs", ignore_errors=True)
writer = tf.summary.create_file_writer(HERE + "/logs")
w, number = tf.Variable(tf.reshape(tf.range(48.0), (1, 4, 4, 3)) / 48), tf.Variable(0, dtype=tf.int64)


@tf.function
def step(x):
    with writer.as_default():
        tf.summary.histogram("w", w, step=number)
        tf.summary.image("w", w, step=number)
    number.assign_add(1)
    return tf.reduce_sum(w * x)


print([float(step(tf.constant(2.0))) for _ in range(3)])
with writer.as_default():
    tf.summary.histogram("after", w, step=9)
writer.close()
for name in os.listdir(HERE + "/logs"):
    print(*(len(record.numpy()) for record in list(tf.data.TFRecordDataset(os.path.join(HERE, "logs", name)))[1:]))
"""


@pytest.mark.suite
@pytest.mark.skipif(not can_import("tensorboard"), reason="needs TensorBoard, which TensorFlow does not bring along everywhere")
def test_histograms_and_images(lab):  # noqa: F811
    """TensorBoard registers a conversion with TensorFlow when its first histogram is made."""
    check_replayed(lab(PLUGINS), ["step"])
