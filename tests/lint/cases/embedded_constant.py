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
}
