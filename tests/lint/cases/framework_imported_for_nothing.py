FOUND = {
    "never named": '''
import numpy as np
import tensorflow as tf  # <-
print(np.mean([1, 2]))
''',
    "from": '''
from tensorflow import keras  # <-
def add(a, b):
    return a + b
''',
    "told of in a docstring": '''
"""Arrays, which tf.data takes."""
import numpy as np
import tensorflow as tf  # <-
print(np.mean([1, 2]))
''',
    "beside what pickles, and counts processors": '''
import multiprocessing
import pickle
import numpy as np
import tensorflow as tf  # <-
pickle.dump(np.load("a.npy", allow_pickle=False), open(f"{multiprocessing.cpu_count()}.pkl", "wb"))
''',
}
SILENT = {
    "loaded by what another package has for it": '''
import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
''',
    "loaded by a class that another package has for it": '''
import tensorflow as tf
from art.estimators.classification import TensorFlowV2Classifier
print(TensorFlowV2Classifier)
''',
    "loaded by a module beside it that speaks of it": '''
import tensorflow as tf
from .tf_model import build
print(build())
''',
    "used": '''
import tensorflow as tf
print(tf.constant(1))
''',
    "meant": '''
import tensorflow as tf  # noqa: F401
import tensorflow_text
''',
    "exported": '''
import tensorflow as tf
__all__ = ["tf"]
''',
    "loaded by another import that is used": '''
import tensorflow as tf
from tensorflow import keras
model = keras.Sequential()
''',
    "looked up by name": '''
import tensorflow as tf
print(globals()["tf"])
''',
    "an attempt": '''
try:
    import tensorflow as tf
except ImportError:
    print("no TensorFlow")
''',
    "for types alone": '''
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import tensorflow as tf
''',
    "in an annotation": '''
import tensorflow as tf
def f(x: tf.Tensor):
    return x
''',
    "loaded by a library on it": '''
import tensorflow as tf
from transformers import TFBertModel
print(TFBertModel)
''',
    "types in quotes": '''
from typing import cast
import tensorflow as tf
def f(x: "tf.Tensor"):
    return x
''',
    "a type that is cast to": '''
from typing import cast, Optional
import tensorflow as tf
def f(x):
    return cast("Optional[tf.Tensor]", x)
''',
    "types in a comment": '''
import tensorflow as tf
def f(x):
    # type: (tf.Tensor) -> tf.Tensor
    return x
''',
    "an example in a docstring": '''
import numpy as np
import tensorflow as tf
def f(x):
    """
    >>> f(tf.constant(1))
    """
    return np.array(x)
''',
    "loaded by another package, used or not": '''
import tensorflow as tf
import tensorlayer as tl
print(tl.__version__)
''',
    "loaded by another package that is not used either": '''
import tensorflow as tf
import keras_hub
import transformers
''',
    "by its name in a string": '''
import sys
import tensorflow
print(sys.modules["tensorflow"].__version__)
''',
    "loaded once, for processes that are forked": '''
"""Sets up the process before workers fork."""
import tensorflow as tf  # loads it once for all workers
import multiprocessing
from worker import run
multiprocessing.set_start_method("fork")
multiprocessing.Pool(4).map(run, range(8))
''',
    "for processes, under another name": '''
import tensorflow as tf
from multiprocessing import Pool as Workers
with Workers(4) as workers:
    print(workers.map(len, ['a']))
''',
    "for a pool of processes": '''
import tensorflow as tf
from concurrent.futures import ProcessPoolExecutor
with ProcessPoolExecutor() as pool:
    print(list(pool.map(len, ['a'])))
''',
    "for a fork": '''
import tensorflow as tf
import os
if os.fork() == 0:
    os.execvp('true', ['true'])
''',
    "loaded with what is unpickled": '''
import tensorflow as tf
import pickle
model = pickle.load(open("m.pkl", "rb"))
model.predict([1])
''',
    "loaded with what joblib loads": '''
import tensorflow
import joblib
joblib.load("m").predict([[1]])
''',
    "loaded with what pandas unpickles": '''
import tensorflow as tf
import pandas as pd
print(pd.read_pickle('a.pkl'))
''',
    "loaded with the objects in an array": '''
import tensorflow as tf
import numpy as np
print(np.load('a.npy', allow_pickle=True))
''',
}
