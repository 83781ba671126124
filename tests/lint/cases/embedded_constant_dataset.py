FOUND = {
    "a big array": '''
import numpy as np
import tensorflow as tf
x = np.random.rand(100000, 784)
y = np.zeros(100000)
ds = tf.data.Dataset.from_tensor_slices((x, y))  # <-
''',
    "by a generator and a type": '''
import numpy as np
import tensorflow as tf
N = 60_000
rng = np.random.default_rng(1)
images = rng.normal(size=(N, 28, 28, 3)).astype("float32")
ds = tf.data.Dataset.from_tensors(images)  # <-
''',
    "its shape by place, then scaled": '''
import numpy as np
import tensorflow as tf
N = 60_000
images = np.random.randint(0, 255, (N, 32, 32, 3)).astype("uint8") / 255.0
labels = np.random.randint(0, 10, N)
ds = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(1000).batch(32)  # <-
''',
    "made smaller by a call of its type": '''
import numpy as np
import tensorflow as tf
rng = np.random.RandomState(0)
x = np.float32(2 * rng.normal(0, 1, (60_000, 1000)) - 1)
ds = tf.data.Dataset.from_tensor_slices({"x": np.expand_dims(x, -1)})  # <-
''',
    "a generator's own type": '''
import numpy as np
import tensorflow as tf
x = np.random.default_rng(0).random((60_000, 1000), dtype=np.float32)
ds = tf.data.Dataset.from_tensor_slices(x)  # <-
''',
    "a long literal": "import tensorflow as tf\ntable = tf.constant([" + "1.5, " * 12_000 + "])  # <-\n",
}
SILENT = {
    "small": '''
import numpy as np
import tensorflow as tf
ds = tf.data.Dataset.from_tensor_slices((np.zeros((1000, 28, 28)), np.zeros(1000)))
''',
    "unknown": '''
import numpy as np
import tensorflow as tf
x = np.load("x.npy")
ds = tf.data.Dataset.from_tensor_slices(x)
''',
    "Keras's own data": '''
import keras
import numpy as np
import tensorflow as tf
(x, y), _ = keras.datasets.mnist.load_data()
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
''',
    "a memory map": '''
import numpy as np
import tensorflow as tf
x = np.memmap("x", shape=(1000000, 784), dtype="float32")
ds = tf.data.Dataset.from_generator(lambda: iter(x), output_signature=tf.TensorSpec([784]))
''',
    "small by its type": '''
import numpy as np
import tensorflow as tf
x = np.zeros((60000, 28, 28, 1), dtype=np.uint8)
ds = tf.data.Dataset.from_tensor_slices(x)
''',
    "small by its type, though the scale is a float": '''
import numpy as np
import tensorflow as tf
x = np.random.normal(0, 1, (20_000, 1000)).astype(np.float32) * 0.5
ds = tf.data.Dataset.from_tensor_slices(x)
''',
    "of a type, or with a number, that the source does not tell": '''
import sys
import numpy as np
import tensorflow as tf
dtype, scale = sys.argv[1], np.load("scale.npy")
x = np.zeros((20_000, 1000), dtype)
y = np.zeros((60_000, 1000)) * scale
ds = tf.data.Dataset.from_tensor_slices((x, y))
''',
    "a mean of it": '''
import numpy as np
import tensorflow as tf
ds = tf.data.Dataset.from_tensor_slices(np.random.rand(60_000, 1000).mean(axis=1))
''',
    "big, but not a constant": '''
import numpy as np
import tensorflow as tf
x = np.zeros((1_000_000, 784))
model.fit(x[:1000])
''',
}
