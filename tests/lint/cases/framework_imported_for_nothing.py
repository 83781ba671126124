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
}
SILENT = {
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
}
