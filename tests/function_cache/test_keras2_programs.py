"""Programs in Keras 2 as their tutorials have them: all that they trace is answered in the third start."""

import pytest
from programs import has_keras_2
from replay_harness import check_replayed, lab  # noqa: F811, F401

pytestmark = [pytest.mark.tensorflow, pytest.mark.skipif(not has_keras_2(), reason="it has no Keras 2")]

PROGRAM = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
keras.utils.set_random_seed(1)
x = np.random.RandomState(0).rand(32, 4).astype("float32")

model = keras.Sequential([keras.Input((4,)), layers.Dense(3, activation="relu"), layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
print(model.fit(x, x[:, 0] > 0.5, validation_split=0.25, epochs=2, verbose=0).history)

words = tf.constant([["the cat"], ["a dog"], ["the dog"]])
vectorise = layers.TextVectorization(max_tokens=10, output_sequence_length=3)
vectorise.adapt(words)
text = keras.Sequential([keras.Input((1,), dtype="string"), vectorise, layers.Embedding(10, 2), layers.Flatten(), layers.Dense(1)])
print(text.predict(words, verbose=0).tolist())

keras.mixed_precision.set_global_policy("mixed_float16")
mixed = keras.Sequential([keras.Input((4,)), layers.Dense(3, activation="relu"), layers.Dense(1, dtype="float32")])
mixed.compile(keras.optimizers.SGD(0.1, momentum=0.9), "mse")
print(mixed.fit(x, x[:, 0], epochs=2, verbose=0).history)
for variable in (*model.optimizer.variables(), *mixed.optimizer.inner_optimizer.variables()):
    print(variable.name, variable.numpy().tolist())
"""


def test_what_one_answer_leaves_keeps_no_other_from_being_given(lab):  # noqa: F811
    """AutoGraph's note on a loss, and the order of a layer's attributes, are others after a trace than after an answer. The build of an
    optimizer under a scaled loss is a recipe as any other."""
    check_replayed(lab(PROGRAM), ["train_function", "test_function", "adapt_step", "predict_function", "train_function"])


RECURRENT = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
keras.utils.set_random_seed(1)
tf.config.threading.set_inter_op_parallelism_threads(1)  # on more, gradients are added up in another order each time
tf.config.threading.set_intra_op_parallelism_threads(1)
model = keras.Sequential([keras.Input((6,)), layers.Embedding(20, 4), layers.Bidirectional(layers.LSTM(3, dropout=0.2, return_sequences=True)),
                          layers.GRU(3, dropout=0.1, recurrent_dropout=0.1), layers.Dense(1)])
model.compile("adam", "mse")
words, wanted = np.random.randint(0, 20, (16, 6)), np.random.rand(16, 1)
print(model.fit(words, wanted, batch_size=4, epochs=2, verbose=0).history)
print(model.predict(words[:3], verbose=0).tolist())
"""


def test_the_mask_that_a_dropout_has_drawn_goes_with_its_graph(lab):  # noqa: F811
    check_replayed(lab(RECURRENT), ["train_function", "predict_function"])


VALIDATED = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
keras.utils.set_random_seed(1)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(2)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
x, y = np.random.rand(16, 3), np.random.randint(0, 2, 16)
print(model.fit(x, y, validation_data=(x, y), epochs=2, verbose=0).history)
"""


def test_a_loss_that_an_answer_leaves_unmet_is_the_same_for_the_evaluation(lab):  # noqa: F811
    check_replayed(lab(VALIDATED), ["train_function", "test_function"])


TRANSLATES = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
keras.utils.set_random_seed(1)
tf.config.experimental.enable_op_determinism()

class Encoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding, self.gru = layers.Embedding(9, 4), layers.GRU(5, return_sequences=True, return_state=True)
    def call(self, words, state):
        return self.gru(self.embedding(words), initial_state=state)

encoder, dense, optimizer = Encoder(), layers.Dense(9), keras.optimizers.Adam()
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

@tf.function
def train_step(words, wanted, state):
    with tf.GradientTape() as tape:
        every, last = encoder(words, state)
        loss = loss_of(wanted, dense(every + last[:, None]))
    variables = encoder.trainable_variables + dense.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss

checkpoint = tf.train.Checkpoint(optimizer=optimizer, encoder=encoder)
words = tf.constant(np.random.randint(0, 9, (4, 6)))
for _ in range(3):
    print(float(train_step(words, words, tf.zeros((4, 5)))))
"""


def test_what_an_rnn_keeps_of_its_first_state_is_set_anew_by_each_trace(lab):  # noqa: F811
    check_replayed(lab(TRANSLATES), ["train_step"])


CALLED_FIRST_IN_A_TRACE = """
import tensorflow as tf
tf.keras.utils.set_random_seed(1)
dense = tf.keras.layers.Dense(8)
dense.build((None, 8))

@tf.function
def generate(x, n):
    total = tf.zeros((1, 8))
    for _ in tf.range(n):
        total = tf.nn.tanh(dense(total + x))
    return total

print([float(tf.reduce_sum(generate(tf.ones((1, 8)), tf.constant(5)))).hex() for _ in range(2)])
"""


def test_the_first_call_of_any_layer_may_be_within_a_trace(lab):  # noqa: F811
    check_replayed(lab(CALLED_FIRST_IN_A_TRACE), ["generate"])
