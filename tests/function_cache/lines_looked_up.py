"""Lines that a layer's `call` may have; prints {line: whether it is told as an effect}, and what is told of NumPy's random functions.

A program of its own: it imports TensorFlow, and a process that runs tests is to stay small, for it hands its peak of memory on.
"""

import json

from firststep_agent.boost.objects.expand import expand
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.traces import once

START = """
import logging, time
import numpy as np
import numpy.random
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, metrics
from tensorflow.keras.layers import add
from tensorflow.compat.v1 import logging as tf_logging
seen, table = [], {}

class Block(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.add = layers.Add()
        self.kept = []

    def update(self, x):
        return x + 1.0

    def call(self, x):
        {line}

layer = Block()
vars(layer)['insert'] = layer.kept.insert
"""
NO_EFFECT = """
return tf.math.log(x)
return tf.add(x, tf.reverse(x, [0]))
return keras.layers.add([x, x])
return tf.keras.layers.add([x, tf.keras.backend.log(x)])
return layers.add([x, x])
return add([x, x])
return self.add([x, x])
return self.update(x)
return self.add([x, self.update(x)])
return np.log(np.append(x, np.insert(x, 0, 1)))
return x if tf.keras.metrics.Mean() else metrics.Mean()
return (lambda y: tf.math.log(y))(x)
return tf.strings.lower(x) if x is None else tf.sort(x)
"""
EFFECT = """
seen.append(x)
self.kept.append(x)
self.insert(0, x)
self.kept.insert(0, tf.math.log(x))
table.update(a=1)
tf_logging.info("traced")
tf.get_logger().info("traced")
tf.compat.v1.logging.error("traced")
logging.info("traced")
print(tf.math.log(x))
(seen if x is None else tf).add(x)
(tf if x is None else seen).add(x)
np.put(seen, 0, 1)
numpy.random.shuffle(seen)
self = seen; self.update(x)
[one.add(x) for one in (tf, seen)]
tf.add(x, x); seen.add(x)
time.time()
getattr(tf, "math").update(x)
tf.__dict__.update(x)
tf.add.seen.append(x)
add.seen.append(x)
self.other.add(x)
(lambda self: self.update(x))(table)
"""


def layer_of(line):
    scope = {"__name__": "__main__"}
    exec(compile(START.replace("{line}", line), "/programs/block.py", "exec"), scope)
    return scope["layer"]


def tells(layer):
    met = {}
    functions = [f for f in once.reachable(layer, met) if f.__code__.co_filename == "/programs/block.py"]
    holders = once.holders_of(met)
    assert any(f.__name__ == "call" for f in functions)
    return any(once.tells(code, f.__globals__, holders, asks=frozenset()) for f in functions for code in once.nested(f.__code__))


def random_functions():
    """How NumPy's random functions begin to be told: from 2.4 on Cython's, as they can be asked for."""
    import numpy

    drawn = numpy.random.random
    return [expand(one, Reading())[0] for one in (drawn, getattr(drawn, "__func__", drawn))]


if __name__ == "__main__":
    lines = [line for text in (NO_EFFECT, EFFECT) for line in text.strip().splitlines()]
    print(json.dumps([{line: tells(layer_of(line)) for line in lines}, random_functions()]))
