"""A step that asks for its settings, which reads the command line: AutoGraph rewrites all that is called for it, `argparse` too."""

import argparse

import tensorflow as tf


def settings():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--decay", type=float, default=0.9)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()  # slow


value = tf.Variable(3.0)


@tf.function
def step():
    given = settings()
    with tf.GradientTape() as tape:
        loss = value * value * given.decay
    value.assign_sub(given.rate * tape.gradient(loss, value))
    return loss


print([float(step()) for _ in range(24)])
