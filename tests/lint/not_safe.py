"""Programs in which a fix that is safe elsewhere may change what is computed, or break the program: {rule: {why: program}}."""


def _trained(trace: str = "x = tf.abs(x)", layer: str = "", before: str = "") -> str:
    """A training step that has its optimizer made within its first trace. trace: what that does first; layer: of the model."""
    return f'''
import random
import numpy as np
import tensorflow as tf
{before}
model = tf.keras.Sequential([tf.keras.Input((4,)), {layer + ", " if layer else ""}tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
@tf.function
def step(x):
    {trace}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
for x in data:
    step(x)
'''


NOT_SAFE = {
    "function-made-in-loop": {
        "another decorator": '''
import tensorflow as tf
for i in range(9):
    @count
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
''',
        "another decorator inside": '''
import tensorflow as tf
for i in range(9):
    @tf.function
    @count
    def f(x):
        return tf.square(x)
    print(f(x))
''',
        "a default that changes": '''
import tensorflow as tf
for i in range(9):
    @tf.function
    def f(x, i=i):
        return tf.square(x) * i
    print(f(x))
''',
        "a default that is changed": '''
import tensorflow as tf
for i in range(9):
    @tf.function
    def f(x, k=settings.k):
        return tf.square(x) * k
    print(f(x))
''',
        "a default that is computed": '''
import tensorflow as tf
for i in range(9):
    @tf.function
    def f(x, k=next(numbers)):
        return tf.square(x) * k
    print(f(x))
''',
        "taken away": '''
import tensorflow as tf
for i in range(9):
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
    del f
''',
        "imported in the loop": '''
import time
for i in range(9):
    import tensorflow as tf
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
''',
        "imported in a branch": '''
if fast:
    import tensorflow as tf
else:
    tf = None
for i in range(9):
    if tf is None:
        break
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
''',
        "a constant in the loop": '''
import tensorflow as tf
for i in range(9):
    scale = 3.0
    @tf.function
    def f(x):
        return tf.square(x) * scale
    print(f(x))
''',
        "the name of a builtin before": '''
import tensorflow as tf
for i in range(9):
    print(sum([1, 2]))
    @tf.function
    def sum(x):
        return tf.square(x)
    print(sum(x))
''',
        "two names": '''
import tensorflow as tf
for i in range(9):
    g = f = tf.function(lambda x: tf.square(x))
    f(x)
    g = None
''',
        "read before": '''
import tensorflow as tf
for i in range(9):
    if i > 0:
        print(f(x))
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
''',
        "asked for by its name": '''
import tensorflow as tf
for i in range(9):
    print('f' in globals())
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
''',
        "names from elsewhere": '''
import tensorflow as tf
from helpers import *
for i in range(9):
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
''',
        "in a class": '''
import tensorflow as tf
class A:
    for i in range(9):
        @tf.function
        def f(x):
            return tf.square(x)
        print(f(x))
''',
        "an attribute of what is given": '''
import tensorflow as tf
for i in range(9):
    config.scale = i
    @tf.function
    def f(config, x):
        return tf.square(x) * config.scale
    print(f(config, x))
''',
        "async": '''
import tensorflow as tf
async def main():
    async for i in numbers:
        @tf.function
        async def f(x):
            return tf.square(x)
        await f(x)
''',
        "a function that is bound again": '''
import tensorflow as tf
for i in range(9):
    f = tf.function(g)
    print(f(x))
    def g(x):
        return tf.square(x)
''',
        "an exception that is caught": '''
import tensorflow as tf
for i in range(9):
    try:
        print(f(x))
    except NameError:
        print('none yet')
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
''',
        "a condition of the loop": '''
import tensorflow as tf
while not ('f' in vars() and i > 3):
    @tf.function
    def f(x):
        return tf.square(x)
    print(f(x))
''',
    },
    "double-trace": {
        "a trace that says something": _trained('print("tracing")'),
        "a trace that draws from NumPy's stream": _trained('x = x + np.random.normal(size=4).astype("float32")'),
        "a trace that draws from Python's stream, in a function": _trained(
            "x = noisy(x)", before="def noisy(x):\n    return x * random.random()"),
        "a trace that is counted in a list": _trained("traces.append(1)", before="traces = []"),
        "a trace that is counted in a dictionary": _trained('traces["n"] += 1', before='traces = {"n": 0}'),
        "a trace that is counted in a global": _trained("global traces; traces += 1", before="traces = 0"),
        "a trace that calls another module": _trained("x = augment(x)", before="from project import augment"),
        "a trace that a logger of TensorFlow's tells of": _trained("log.warning('tracing')", before="log = tf.get_logger()"),
        "a trace that a generator's numbers go into": _trained("x = x + rng.normal(size=4)", before="rng = np.random.default_rng(1)"),
        "a trace that takes the next of something": _trained("x = x * next(it)", before="it = iter([1., 2., 3.])"),
        "a layer of another module's": _trained(layer="Noisy()", before="from project import Noisy"),
        "a Lambda layer of a function of Python's": _trained(layer="tf.keras.layers.Lambda(print)"),
        "a trace that seeds": _trained("tf.keras.utils.set_random_seed(1)"),
        "a layer that says when it is traced": _trained(
            layer="Layer()", before="class Layer(tf.keras.layers.Layer):\n    def call(self, x):\n        print(x)\n        return x"),
        "a Lambda layer that draws": _trained(layer="tf.keras.layers.Lambda(lambda x: x * np.random.rand())"),
        "optimizers of Keras 2": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.legacy.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
for x in data:
    step(x)
''',
        "called in a branch before": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
def warm():
    step(x)
warm()
for x in data:
    step(x)
''',
        "a model that grows before": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
def grow(m):
    m.add(tf.keras.layers.Dense(1))
for x in data:
    grow(model)
    step(x)
''',
        "names from elsewhere": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
from helpers import *
for x in data:
    step(x)
''',
        "layers set not to train": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
def freeze(layers):
    for layer in layers:
        setattr(layer, 'trainable', False)
layers = model.layers
for x in data:
    freeze(layers)
    step(x)
''',
        "a model that grows in a function": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
def grow():
    model.add(tf.keras.layers.Dense(1))
for x in data:
    grow()
    step(x)
''',
        "layers frozen by a function of another file": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
from helpers import freeze
for x in data:
    freeze(model)
    step(x)
''',
        "a model in a branch": '''
import tensorflow as tf
if big:
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
for x in data:
    step(x)
''',
    },
    "shuffle-buffer-fill": {
        "errors that are passed over": '''
import tensorflow as tf
def load(x):
    return tf.image.resize(x, (4, 4))
ds = tf.data.Dataset.from_tensor_slices(x).map(load).shuffle(500).ignore_errors()
''',
        "a function that is bound again": '''
import tensorflow as tf
def load(x):
    return tf.image.resize(x, (4, 4))
load = other(load)
ds = tf.data.Dataset.from_tensor_slices(x).map(load).shuffle(500)
''',
        "an order that may change": '''
import tensorflow as tf
def load(x):
    return tf.image.resize(x, (4, 4))
ds = tf.data.Dataset.from_tensor_slices(x).map(load, deterministic=False).shuffle(500)
''',
        "random": '''
import tensorflow as tf
def load(x):
    return tf.image.random_crop(x, (4, 4))
ds = tf.data.Dataset.from_tensor_slices(x).map(load).shuffle(500)
''',
        "random in a default": '''
import tensorflow as tf
def load(x, y=tf.random.normal([])):
    return tf.image.resize(x, (4, 4))
ds = tf.data.Dataset.from_tensor_slices(x).map(load).shuffle(500)
''',
        "decorated": '''
import tensorflow as tf
@count
def load(x):
    return tf.image.resize(x, (4, 4))
ds = tf.data.Dataset.from_tensor_slices(x).map(load).shuffle(500)
''',
        "seeds in the order of the calls": '''
import tensorflow as tf
def load(x):
    return tf.image.resize(x, (4, 4))
ds = tf.data.Dataset.from_tensor_slices(x).map(load, num_parallel_calls=next(n)).shuffle(500, seed=next(n))
''',
    },
    "discarded-initialisation": {
        "weights that may be missing": '''
import keras
try:
    m = keras.applications.VGG16(weights='imagenet')
    m.load_weights('a.weights.h5')
except OSError:
    pass
''',
        "a checkpoint that may hold a part": '''
import keras
m = keras.applications.VGG16(weights='imagenet')
m.load_weights(path)
''',
        "other layers": '''
import keras
m = keras.applications.EfficientNetV2B0(weights='imagenet')
m.load_weights('a.weights.h5')
''',
        "suppressed": '''
import keras
import contextlib
with contextlib.suppress(OSError):
    m = keras.applications.VGG16(weights='imagenet')
    m.load_weights('a.weights.h5')
''',
        "weights that are shown": '''
import keras
m = keras.applications.VGG16(weights='imagenet')
kept = [m]
m.load_weights('a.weights.h5')
''',
        "by name": '''
import keras
m = keras.applications.VGG16(weights='imagenet')
m.load_weights('a.weights.h5', **options)
''',
    },
    "unused-heavy-import": {
        "what it says while it is imported is heard later": '''
"""Figures of what keras has trained."""
import logging
import matplotlib.pyplot as plt
logging.basicConfig(level=logging.DEBUG)
def plot(h):
    plt.plot(h)
if __name__ == "__main__":
    model.fit(x, y)
    plot(h)
''',
        "another level of what is logged": '''
"""Figures of what keras has trained."""
import logging
import matplotlib.pyplot as plt
def plot(h):
    plt.plot(h)
if __name__ == "__main__":
    logging.getLogger().setLevel(logging.DEBUG)
    model.fit(x, y)
    plot(h)
''',
        "a module that does something at its top, as most do that are imported by `import *`": '''
"""Figures of what keras has trained."""
import numpy as np
import pandas as pd
np.random.seed(1)
def draw(values):
    return pd.DataFrame(values)
def often(x):
    return np.random.permutation(x)
''',
        "a module of which others may take names": '''
"""Figures of what keras has trained."""
import pandas as pd
def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
''',
        "a type in quotes": '''
"""Figures of what keras has trained."""
import pandas as pd

def draw(values: 'list[pd.Series]'):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
        "an example in a docstring": '''
"""Figures of what keras has trained."""
import pandas as pd
def often2(x):
    """
    >>> often2(pd.DataFrame())
    """

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
        "at the end of the program": '''
"""Figures of what keras has trained."""
import pandas as pd
class Log:
    def __del__(self):
        pd.DataFrame([1]).to_csv('a')

def draw(values):
    return 1
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
        "a path that is added later": '''
"""Figures of what keras has trained."""
import pandas as pd
import sys
sys.path.insert(0, '.')

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
        "a folder that is left": '''
"""Figures of what keras has trained."""
import pandas as pd
import os

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
    os.chdir('/')
''',
        "an environment that is changed later": '''
"""Figures of what keras has trained."""
import pandas as pd
import os
os.environ['OMP_NUM_THREADS'] = '1'

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
        "a coroutine": '''
"""Figures of what keras has trained."""
import pandas as pd

async def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
        "on one line": '''
"""Figures of what keras has trained."""
import pandas as pd

def draw(values): return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
        "two imports on one line": '''
"""Figures of what keras has trained."""
import pandas as pd; import os

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
        "replaced in sys.modules": '''
"""Figures of what keras has trained."""
import pandas as pd
import sys

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
    sys.modules['pandas'] = None
''',
        "bound again elsewhere": '''
"""Figures of what keras has trained."""
import pandas as pd

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
    pd = None
''',
        "taken away": '''
"""Figures of what keras has trained."""
import pandas as pd

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
    del pd
''',
        "a context of warnings": '''
"""Figures of what keras has trained."""
import warnings
warnings.simplefilter('error')
import pandas as pd
warnings.simplefilter('default')

def draw(values):
    return pd.DataFrame(values)
def often(x):
    return x
if __name__ == "__main__":
    print(often(3))
''',
    },
}
