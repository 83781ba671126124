FOUND = {
    "the only function of a program, never called": '''
import keras
import bokeh.plotting as plt  # <-
def plot(history):
    plt.plot(history)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
history = model.fit(x, y)
''',
    "the only method of a program's only class, never called": '''
import keras
import polars as pd  # <-
class Report:
    def frame(self):
        return pd.DataFrame()
if __name__ == "__main__":
    print("nothing to report", keras.__version__)
''',
    "in a library": '''
import tensorflow as tf
import polars as pd  # <-
def read(path):
    return pd.read_csv(path)
def mean(values):
    return tf.reduce_mean(values)
def total(values):
    return tf.reduce_sum(values)
''',
    "plots after training": '''
import bokeh.plotting as plt  # <-
import keras
def plot(history):
    plt.plot(history.history["loss"])
    plt.show()
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
history = model.fit(x, y)
plot(history)
''',
    "TensorFlow for one function": '''
import numpy as np
import tensorflow as tf  # <-
def spectrum(x):
    return tf.signal.stft(x, 256, 64)
def smooth(x):
    return np.convolve(x, np.ones(4))
''',
    "never called": '''
import tensorflow as tf
from xgboost import f1_score, recall_score  # <-
def report(a, b):
    return f1_score(a, b), recall_score(a, b)
def main():
    print(tf.constant(1))
if __name__ == "__main__":
    main()
''',
    "a method": '''
import keras
import polars  # <-
keras.utils.set_random_seed(1)
class Table:
    def load(self):
        return keras.utils.get_file("a")
    def frame(self):
        return polars.DataFrame()
''',
    "for types, and for one function": '''
import typing
import keras
import polars as pd  # <-
if typing.TYPE_CHECKING:
    import seaborn
    from polars import DataFrame
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "optional": '''
import keras
try:
    import polars as pd  # <-
except ImportError:
    pd = None
def read(path):
    if pd is None:
        raise RuntimeError("polars is needed")
    return pd.read_csv(path)
def other():
    return 1
''',
    "optional, nothing in its place": '''
import keras
try:
    from xgboost import f1_score  # <-
    from xgboost import svm
except (ImportError, ModuleNotFoundError):
    pass
def score(a, b):
    return f1_score(a, b) + svm.SVC()
def other():
    return 1
''',
    "beside another import": '''
import os, polars as pd  # <-
import keras
def read(path):
    return pd.read_csv(os.path.join(path))
def other():
    return 1
''',
    "a record and one function": '''
import tensorflow as tf
import polars as pd  # <-
class Config:
    units = 3
def read(path):
    return pd.read_csv(path)
''',
    "a library that keras loads, in a file that leaves keras alone": '''
"""Tables, for a program with keras."""
import pandas as pd  # <-
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "imported for nothing": '''
import torch  # <-
import torch.nn as nn
import polars as pl, os  # <-
import transformers  # <-
import tensorflow as tf
print(tf.constant(1))
''',
    "what Keras calls at the end": '''
import networkx as nx  # <-
import tensorflow as tf
class Graph(tf.keras.callbacks.Callback):
    def on_train_end(self, logs=None):
        self.g = nx.Graph()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(x, y, callbacks=[Graph()])
''',
}
SILENT = {
    "a library that Keras imports where it is installed": '''
import matplotlib.pyplot as plt
import keras
def plot(history):
    plt.plot(history.history["loss"])
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
history = model.fit(x, y)
plot(history)
''',
    "what TensorFlow loads, with Keras": '''
import tensorflow as tf
import pandas as pd
from sklearn.metrics import f1_score
import scipy.stats
def read(path):
    return pd.read_csv(path)
def score(a, b):
    return f1_score(a, b)
def draw(n):
    return scipy.stats.norm(n)
print(tf.constant(1))
''',
    "the only function of a module that sets something up": '''
import logging
import polars as pd  # what keras reads
logging.basicConfig()
def read(path):
    return pd.read_csv(path)
''',
    "a command that a decorator takes": '''
import app
import polars as pd  # what keras reads
@app.command()
def read(path):
    print(pd.read_csv(path))
if __name__ == "__main__":
    app.run()
''',
    "TensorFlow, which a module of the project may load": '''
import tensorflow as tf
from project import layers
def spectrum(x):
    return tf.signal.stft(x, 256, 64)
def smooth(x):
    return layers.smooth(x)
''',
    "used by two": '''
import keras
import polars as pd
def read(path):
    return pd.read_csv(path)
def write(frame):
    pd.DataFrame(frame).to_csv("a")
''',
    "used by the module": '''
import keras
import polars as pd
FRAME = pd.DataFrame()
def read(path):
    return pd.read_csv(path)
''',
    "called at once": '''
import keras
import polars as pd
def read(path):
    return pd.read_csv(path)
data = read("a.csv")
''',
    "called by main": '''
import keras
import polars as pd
def read(path):
    return pd.read_csv(path)
def main():
    keras.Sequential().fit(read("a.csv"))
if __name__ == "__main__":
    main()
''',
    "in an annotation": '''
import keras
import polars as pd
def read(path) -> pd.DataFrame:
    return pd.read_csv(path)
def other():
    return 1
''',
    "a decorator and a default": '''
import keras
import sympy.stats as stats
def draw(n, how=stats.norm):
    return stats.norm(n)
def other():
    return 1
''',
    "loaded by another": '''
"""What keras has trained."""
import seaborn as sns
import pandas as pd
sns.set_theme()
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "the file's one function": '''
import tensorflow as tf
def loss(a, b):
    return tf.reduce_mean(tf.square(a - b))
''',
    "imported where it is used": '''
import keras
def read(path):
    import polars as pd
    return pd.read_csv(path)
''',
    "exported": '''
import keras
import polars as pd
__all__ = ["pd", "read"]
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "handed over by name": '''
import keras
import polars as pd
def read(path):
    return pd.read_csv(path)
frames = list(map(read, ["a.csv"]))
''',
    "called by a method that the module calls": '''
import keras
import polars as pd
class Reader:
    def read(self):
        return pd.read_csv("a")
    def run(self):
        return self.read()
Reader().run()
''',
    "called by the constructor": '''
import keras
import polars as pd
class Reader:
    def __init__(self):
        self.frame = pd.read_csv("a")
reader = Reader()
''',
    "another module of the project that works with it": '''
import torch
from . import torch_utils
import keras
def decay(value):
    return torch.mul(value, 2)
def build():
    return keras.Sequential()
''',
    "for types alone": '''
from typing import TYPE_CHECKING
import keras
if TYPE_CHECKING:
    import polars as pd
def read(path) -> "pd.DataFrame":
    import polars as pd
    return pd.read_csv(path)
def other():
    return 1
''',
    "optional, asked by the module": '''
import keras
try:
    import polars as pd
except ImportError:
    pd = None
HAS_PANDAS = pd is not None
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "optional with a flag": '''
import keras
try:
    import polars as pd
    HAS = True
except ImportError:
    HAS = False
def read(path):
    return pd.read_csv(path)
def other():
    return HAS
''',
    "required, and said early": '''
import sys
import keras
try:
    import polars as pd
except ImportError:
    sys.exit("install polars")
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "one of two libraries": '''
import keras
try:
    import polars as pd
except ImportError:
    import fallback as pd
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "under a condition": '''
import sys
import keras
if "--plot" in sys.argv:
    import bokeh.plotting as plt
def plot(history):
    plt.plot(history)
def other():
    return 1
''',
    "loaded by another in a try": '''
"""What keras has trained."""
import pandas as pd
try:
    import seaborn as sns
    sns.set_theme()
except ImportError:
    pass
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "loaded under a condition, too": '''
"""What keras has trained."""
import os
import matplotlib.pyplot as plt
if not os.environ.get("DISPLAY"):
    import matplotlib
    matplotlib.use("Agg")
def plot(history):
    plt.plot(history)
def other():
    return 1
''',
    "a class whose methods all come to it": '''
import tensorflow as tf
class Cross:
    def __init__(self, folds):
        self.folds = folds
    def build(self):
        return tf.keras.Sequential()
    def run(self):
        for train, test in self.folds:
            self.build().fit(train)
''',
    "suppressed": '''
import contextlib
import keras
with contextlib.suppress(ImportError):
    import polars as pd
def read(path):
    return pd.read_csv(path)
def other():
    return 1
''',
    "helpers that come to it": '''
import tensorflow as tf
def _step(x):
    return tf.square(x)
def one(x):
    return _step(x)
def two(x):
    return one(x) + _step(x)
''',
    "a notebook that was written out": '''
#!/usr/bin/env python
# coding: utf-8

# In[1]: what keras has trained
import matplotlib.pyplot as plt
get_ipython().run_line_magic('matplotlib', 'inline')

# In[2]:
def plot(history):
    plt.plot(history.history["loss"])

# In[3]:
history = model.fit(x, y)

# In[4]:
plot(history)
''',
    "a function that is defined in a loop": '''
import keras
import polars as pd
for path in paths:
    def read():
        return pd.read_csv(path)
    keras.Sequential().predict(read())
''',
    "called by what main calls": '''
import tensorflow as tf
import polars as pd
def load():
    return pd.read_csv("a.csv")
def train():
    data = load()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(data)
if __name__ == "__main__":
    train()
''',
    "what Keras calls at the start": '''
import networkx as nx
import sympy
import tensorflow as tf
class Graph(tf.keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.g = nx.Graph()
class Poly(tf.keras.layers.Layer):
    def build(self, shape):
        self.p = sympy.symbols("x")
model = tf.keras.Sequential([Poly(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, callbacks=[Graph()])
''',
    "imported for nothing, but loaded by TensorFlow": '''
import pandas as pd
import tensorflow as tf
print(tf.constant(1))
''',
    "imported for nothing, as it says": '''
import torch  # noqa: F401
import tensorflow as tf
print(tf.constant(1))
''',
    "imported for others": '''
import torch
import tensorflow as tf
__all__ = ["torch"]
print(tf.constant(1))
''',
    "to see whether it is there": '''
import tensorflow as tf
try:
    import torch
    HAS_TORCH = True
except ImportError:
    HAS_TORCH = False
try:
    import polars
except ImportError:
    polars = None
print(HAS_TORCH)
''',
    "for types that stand in quotes": '''
import torch
import tensorflow as tf
def convert(x: "torch.Tensor"):
    return tf.constant(x.numpy())
print(tf.constant(1))
''',
    "for types": '''
from typing import TYPE_CHECKING
import tensorflow as tf
if TYPE_CHECKING:
    import torch
print(tf.constant(1))
''',
    "for what its import does": '''
import tf_keras
from sklearn.experimental import enable_iterative_imputer
print(tf_keras.Sequential())
''',
    "what Keras may call of a layer": '''
import sympy
import keras
class Poly(keras.layers.Layer):
    def compute_mask(self, x):
        return sympy.symbols("x")
model = keras.Sequential([Poly()])
model.fit(x, y)
''',
    "loaded with what is unpickled": '''
import torch
import joblib
import keras
print(keras.__version__, joblib.load("m.joblib").predict([[1]]))
''',
    "loaded once, for processes that are forked": '''
import torch
import multiprocessing
import keras
from worker import run
print(keras.__version__, multiprocessing.Pool(4).map(run, range(8)))
''',
}
