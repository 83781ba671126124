"""Traces that draw from NumPy's stream: answered where that stands as it did, and left where the trace would leave it."""

import pytest
from programs import has_keras_2
from replay_harness import check_replayed, check_same, lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

DRAWS = """
import keras
import numpy as np
import tensorflow as tf

np.random.seed({seed})
w = tf.Variable(tf.ones(3))


@tf.function
def step(x):
    w.assign_add(keras.src.legacy.backend.random_normal((3,)))  # takes a seed from np.random
    return tf.reduce_sum(w * x)


tf.random.set_seed(1)
for x in (tf.ones(3), tf.zeros(3), tf.ones((2, 3))):  # the last is traced anew
    print(float(step(x)).hex())
    print(np.random.get_state()[2], np.random.rand())
print(step.get_concrete_function(tf.ones(3)).graph.as_graph_def().node[-1].op, np.random.get_state()[2], np.random.rand())
"""


@pytest.mark.suite
def test_a_seeded_program_is_answered_and_its_stream_moved(lab):  # noqa: F811
    laboratory = lab(DRAWS.format(seed=3))
    check_replayed(laboratory, ["step", "step"])
    laboratory.program.write_text(DRAWS.format(seed=4))
    plain, boosted = laboratory.plain(), laboratory.boost()
    assert boosted.out == plain.out and boosted.functions("live") == []


@pytest.mark.suite
@pytest.mark.skipif(has_keras_2(), reason="Keras 2 has no such backend")
def test_one_that_is_not_seeded_is_traced(lab):  # noqa: F811
    ran = check_same(lab(UNSEEDED), [])
    assert "NumPy's random, which its trace draws from, stands elsewhere" in " ".join(map(str, ran.reasons("learned"))), ran.notes


UNSEEDED = DRAWS.format(seed="None").partition("tf.random.set_seed")[0] + "print(step(tf.ones(3)).shape)\n"

OWN = """
import numpy as np
import tensorflow as tf

np.random.seed(3)


@tf.function
def step(x):
    return x * float(np.random.rand())


print(float(step(tf.ones(()))), np.random.rand())
"""


@pytest.mark.suite
def test_a_stream_that_the_programs_own_code_names_is_state_as_well(lab):  # noqa: F811
    ran = check_same(lab(OWN), [])
    assert "its trace draws from NumPy's random" in " ".join(map(str, ran.reasons("refused"))), ran.notes


GLOBAL = """
import sys
import tensorflow as tf

tf.random.set_global_generator(tf.random.Generator.from_seed(3, alg=ALGORITHM))


@tf.function
def step(x):
    return x * tf.random.get_global_generator().normal((2,))


for _ in range(2):
    print(step(tf.constant(1.0)).numpy(), tf.random.get_global_generator().state.numpy())
tf.random.set_global_generator(tf.random.Generator.from_seed(4, alg=ALGORITHM))  # the function draws from the one of its trace
print(step(tf.constant(1.0)).numpy(), tf.random.get_global_generator().state.numpy())
"""


@pytest.mark.suite
def test_tensorflows_global_generator_is_found_and_moved(lab):  # noqa: F811
    """One of another algorithm is asked in another way."""
    laboratory = lab(GLOBAL.replace("ALGORITHM", '"philox"'))
    check_replayed(laboratory, ["step"])
    laboratory.program.write_text(GLOBAL.replace("ALGORITHM", '"auto_select"'))
    plain, other = laboratory.plain(), laboratory.boost()
    assert other.out == plain.out and other.functions("live") == []


@pytest.mark.suite
def test_beside_another_thread_it_is_traced(lab):  # noqa: F811
    """Which may draw from the stream between a look at it and the moment in which it is moved."""
    beside = "import threading\nstop = threading.Event()\nthreading.Thread(target=stop.wait).start()\n" + DRAWS.format(seed=3) + "stop.set()\n"
    ran = check_same(lab(beside), [])
    assert "another thread" in " ".join(map(str, ran.reasons("refused"))), ran.notes
