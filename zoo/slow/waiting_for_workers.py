"""Two workers of one cluster, one of which is started later: the first waits for it before it can make a model."""

import json
import os
import socket
import subprocess
import sys


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def train():
    import tensorflow as tf

    tf.keras.utils.set_random_seed(1)
    strategy = tf.distribute.MultiWorkerMirroredStrategy()  # slow
    with strategy.scope():
        weight = tf.Variable(1.0)
        optimizer = tf.keras.optimizers.SGD(0.1)

    @tf.function
    def step(x):
        def replica():
            with tf.GradientTape() as tape:
                loss = (weight * x - 2.0) ** 2
            weight.assign_sub(0.1 * tape.gradient(loss, weight))
            return loss
        return strategy.reduce("mean", strategy.run(replica), axis=None)

    print([float(step(tf.constant(1.0))) for _ in range(24)])


def start_later(environment):
    """The other worker: a scheduler gives it its machine four seconds later."""
    wait_and_run = f"import time; time.sleep(4); import subprocess, sys; subprocess.run([sys.executable, {__file__!r}], check=True)"
    return subprocess.Popen([sys.executable, "-c", wait_and_run], env=environment)


if "TF_CONFIG" in os.environ:
    train()
else:
    members = [f"127.0.0.1:{free_port()}" for _ in range(2)]
    first, second = ({**os.environ, "TF_CONFIG": json.dumps({"cluster": {"worker": members}, "task": {"type": "worker", "index": index}})}
                     for index in range(2))
    other = start_later(second)
    os.environ.update(first)
    train()
    sys.exit(other.wait())
