FOUND = {
    "a constant of a session's graph": '''
import numpy as np
import tensorflow.compat.v1 as tf
table = tf.constant(np.zeros((1_000_000, 64), dtype="float32"))  # <-
with tf.Session() as sess:
    sess.run(table)
''',
    "a constant of a function's graph": '''
import numpy as np
import tensorflow as tf
table = np.zeros((100_000, 64), dtype="float32")
@tf.function
def rows(numbers):
    return tf.gather(tf.constant(table), numbers)  # <-
''',
    "an array that is given in a function that a graph function calls": '''
import numpy as np
import tensorflow as tf
table = np.zeros((100_000, 64), np.float32)
def look_up(rows):
    return tf.gather(table, rows)  # <-
@tf.function
def embed(rows):
    return look_up(rows) * 2.0
''',
    "an array that an operation is given": '''
import numpy as np
import tensorflow as tf
table = np.random.rand(100_000, 64).astype("float32")
@tf.function
def rows(numbers):
    return tf.gather(table, numbers)  # <-
''',
    "an array given by name": '''
import numpy as np
import tensorflow as tf
def train(x):
    table = np.zeros((100_000, 64))
    @tf.function
    def step(x):
        return tf.matmul(a=x, b=table)  # <-
    return step(x)
''',
}
SILENT = {
    "a tensor that is made once, and handed to a function": '''
import numpy as np
import tensorflow as tf
table = tf.constant(np.zeros((1_000_000, 64), dtype="float32"))
@tf.function
def rows(numbers):
    return tf.gather(table, numbers)
''',
    "a small constant of a function's graph": '''
import numpy as np
import tensorflow as tf
@tf.function
def rows(numbers):
    return tf.gather(tf.constant(np.zeros((100, 64), dtype="float32")), numbers)
''',
    "an array of unknown size": '''
import numpy as np
import tensorflow as tf
table = np.load("table.npy")
@tf.function
def rows(numbers):
    return tf.gather(tf.constant(table), numbers)
''',
    "what is read from a variable": '''
import numpy as np
import tensorflow as tf
table = tf.Variable(np.zeros((1_000_000, 64), dtype="float32"), trainable=False)
@tf.function
def rows(numbers):
    return tf.gather(table, numbers)
''',
    "an operation that fills": '''
import numpy as np
import tensorflow as tf
@tf.function
def rows(numbers):
    return tf.gather(tf.zeros((1_000_000, 64)), numbers)
''',
    "an array given to a traced function, and outside of one": '''
import numpy as np
import tensorflow as tf
table = np.random.rand(100_000, 64).astype("float32")
@tf.function
def rows(table, numbers):
    return tf.gather(table, numbers)
rows(table, [1])
tf.gather(table, [1])
''',
    "a part of an array": '''
import numpy as np
import tensorflow as tf
table = np.random.rand(100_000, 64).astype("float32")
@tf.function
def rows(numbers):
    first = table[:100]
    return tf.gather(first, numbers) + tf.zeros(table.shape[1:])
''',
}
