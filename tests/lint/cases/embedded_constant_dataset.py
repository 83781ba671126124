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
    "big, but not a constant": '''
import numpy as np
import tensorflow as tf
x = np.zeros((1_000_000, 784))
model.fit(x[:1000])
''',
}
