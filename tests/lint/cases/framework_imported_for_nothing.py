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
}
