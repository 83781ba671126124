FOUND = {
    "many rounds": '''
import tensorflow as tf
@tf.function
def simulate(x):
    for i in range(1000):  # <-
        x = tf.sin(x) * 0.5 + x
    return x
''',
    "a number bound once": '''
import tensorflow as tf
STEPS = 200
def simulate(x):
    for _ in range(STEPS):  # <-
        x = tf.matmul(x, x)
    return x
fast = tf.function(simulate)
''',
    "in a layer's call": '''
import keras
import tensorflow as tf
class Cell(keras.layers.Layer):
    def call(self, x):
        for t in range(64):  # <-
            x = tf.tanh(x + t)
        return x
''',
}
SILENT = {
    "tf.range": '''
import tensorflow as tf
@tf.function
def f(x):
    for i in tf.range(1000):
        x = tf.sin(x)
    return x
''',
    "few rounds": '''
import tensorflow as tf
@tf.function
def f(x):
    for i in range(3):
        x = tf.sin(x)
    return x
''',
    "eager": '''
import tensorflow as tf
def f(x):
    for i in range(1000):
        x = tf.sin(x)
    return x
''',
    "layers": '''
import tensorflow as tf
@tf.function
def f(x):
    for layer in layers:
        x = layer(x)
    return x
''',
    "Python work only": '''
import tensorflow as tf
@tf.function
def f(x):
    total = 0
    for i in range(1000):
        total += i
    return x * total
''',
    "training around a graph function": '''
import tensorflow as tf
@tf.function
def step(x):
    return tf.sin(x)
for i in range(1000):
    x = step(x)
''',
}
