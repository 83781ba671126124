"""An answer moves TensorFlow's counter of tensors and graphs as a trace does: names that end in its numbers are those of a plain run."""

import pytest
from replay_harness import check_replayed, lab  # noqa: F401

pytestmark = pytest.mark.tensorflow


@pytest.mark.suite
def test_saved_models_and_texts_of_errors_are_the_same(lab):  # noqa: F811
    ran = check_replayed(lab("""
import hashlib, tempfile
import tensorflow as tf
w = tf.Variable([1., 2.])
@tf.function
def inner(x): return tf.tanh(x) * w
@tf.function
def warm_up(x, y):
    for number in range(5): x = inner(x) + y
    tf.debugging.assert_less(x, 5.)
    return x
for y in (1., 2., 9.):
    try: print(warm_up(tf.constant([1., 3.]), tf.constant(y)).numpy())
    except tf.errors.InvalidArgumentError as error: print(error)
class Served(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def serve(self, x): return {"out": x * 2., "n": tf.shape(x)[0]}
with tempfile.TemporaryDirectory() as folder:
    tf.saved_model.save(Served(), folder)
    with open(folder + "/saved_model.pb", "rb") as file: print(hashlib.sha256(file.read()).hexdigest())
""", alone=True), ["warm_up"])  # a saved model knows the frames
    assert "__inference_warm_up_" in ran.out
