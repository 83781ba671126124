"""SciPy's larger parts are imported at the top, for an evaluation that this run does not make."""

import sys

import scipy.optimize  # slow
import scipy.signal
import scipy.stats
import tensorflow as tf


def evaluate(before, after):
    envelope = scipy.signal.hilbert(after)
    return scipy.stats.ttest_ind(before, after), scipy.optimize.minimize(lambda v: (v - envelope.real.mean()) ** 2, 0.0)


value = tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = value * value
    optimizer.apply_gradients([(tape.gradient(loss, value), value)])
    return loss


losses = [float(step()) for _ in range(24)]
print(evaluate(losses[:12], losses[12:]) if "--evaluate" in sys.argv else losses)
