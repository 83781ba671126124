FOUND = {
    "in a function that a graph function calls": '''
import tensorflow as tf
w = tf.Variable(tf.random.normal((8, 8)))
def cell(x):
    return tf.tanh(tf.matmul(x, w))
def rollout(x):
    for _ in range(300):  # <-
        x = cell(x) + tf.sin(x)
    return x
def loss_of(x):
    return tf.reduce_sum(rollout(x))
@tf.function
def step(x):
    return loss_of(x)
''',
    "in a method that a layer's call calls": '''
import keras
import tensorflow as tf
class Block(keras.layers.Layer):
    def refine(self, x):
        for _ in range(64):  # <-
            x = tf.tanh(x) + tf.sin(x)
        return x
    def call(self, x):
        return self.refine(x)
''',
    "in a function that AutoGraph leaves alone": '''
import tensorflow as tf
@tf.autograph.experimental.do_not_convert
def rollout(x):
    for _ in range(300):  # <-
        x = tf.tanh(x) + tf.sin(x)
    return x
@tf.function
def step(x):
    return rollout(x)
''',
    "a while whose count doubles": '''
import tensorflow as tf
@tf.function
def simulate(x):
    i = 1
    while i < 1000:  # <-
        x = tf.nn.relu(tf.matmul(x, x)) + tf.tanh(x) * 2.0 + tf.nn.relu(x) * 3.0
        i = i * 2
    return x
''',
    "a while whose count is halved": '''
import tensorflow as tf
@tf.function
def simulate(x):
    rate = 1.0
    while 1e-4 < rate:
        rate = rate
    left = 1.0
    while left > 1e-4:  # <-
        x = tf.nn.relu(tf.matmul(x, x)) + tf.tanh(x) * left
        left /= 2
    return x
''',
    "a while with the count's own sum": '''
import tensorflow as tf
@tf.function
def simulate(x):
    i = 0
    while i < 100:  # <-
        x = tf.sin(x) * 0.5 + x
        i = 1 + i
    return x
''',
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
    "a while that counts": '''
import tensorflow as tf
LAST = 1000
@tf.function
def simulate(x):
    i = 0
    while i < LAST:  # <-
        x = tf.sin(x) * 0.5 + x
        i += 1
    return x
''',
    "a while that counts from far to far": '''
import tensorflow as tf
@tf.function
def simulate(x):
    i = -2 ** 62
    while i <= 2 ** 62:  # <-
        x = tf.sin(x)
        i += 1
    return x
''',
    "a while that counts down": '''
import tensorflow as tf
@tf.function
def simulate(x):
    with tf.name_scope("loop"):
        left = 100
        while left >= 1:  # <-
            x = tf.tanh(tf.matmul(x, x))
            left -= 1
    return x
''',
    "enumerated range": '''
import tensorflow as tf
@tf.function
def f(x):
    for i, k in enumerate(range(200)):  # <-
        x = tf.sin(x) * k
    return x
''',
    "reversed and zipped ranges": '''
import tensorflow as tf
@tf.function
def f(x):
    for i, k in zip(reversed(range(200)), range(300)):  # <-
        x = tf.sin(x) * k
    return x
''',
    "parts of a tensor, with an inner loop that is left": '''
import tensorflow as tf
cell = tf.keras.layers.GRUCell(8)
@tf.function
def f(x, y: tf.Tensor, z, names):
    h = tf.zeros([2, 8])
    w = tf.random.normal([100, 8])
    print(z.shape)
    for t in range(100):  # <-
        h, _ = cell(x[:, t] + y[t] + z[t], [h])
        h = tf.tanh(h) + w[t]
        for name in names:
            if name == "a":
                break
    return h
''',
    "in an inner function that is called": '''
import tensorflow as tf
@tf.function
def f(x):
    def inner(x):
        with tf.name_scope("inner"):
            for i in range(1000):  # <-
                x = tf.tanh(x)
        return x
    return inner(x)
''',
}
OPS = """
import keras
from keras import ops
class Cell(keras.layers.Layer):
    def call(self, x):
        for k in range(100):
            x = ops.tanh(ops.matmul(x, x))
        return x
"""
FOUND.update({
    "operations of Keras": OPS.replace("(100):", "(100):  # <-"),
    "operations of TensorFlow's Keras": OPS.replace("(100):", "(100):  # <-").replace("keras\n", "tensorflow import keras\n", 1).replace(
        "import tensorflow", "from tensorflow").replace("from keras", "from tensorflow.keras"),
})
SILENT = {
    "in functions that call each other, and that no graph function calls": '''
import tensorflow as tf
def even(x, n):
    for _ in range(300):
        x = tf.tanh(x) + tf.sin(x)
    return odd(x, n - 1) if n else x
def odd(x, n):
    return even(x, n - 1)
print(even(tf.ones((2, 2)), 2))
@tf.function
def step(x):
    return tf.reduce_sum(x)
''',
    "a number that callers give": '''
import tensorflow as tf
def rollout(x, n):
    for _ in range(n):
        x = tf.tanh(x) + tf.sin(x)
    return x
@tf.function
def step(x):
    return rollout(x, 300)
''',
    "operations of Keras, in few rounds": OPS.replace("100", "7"),
    "operations of Keras, in a method that nothing traces": OPS.replace("def call", "def describe"),
    "operations of Keras, each with a layer of its own": OPS.replace("ops.matmul(x, x)", "self.cells[k](x)"),
    "what Keras says of a tensor": OPS.replace("x = ops.tanh(ops.matmul(x, x))", "size = ops.shape(x)"),
    "operations of Keras under another backend": 'import os\nos.environ["KERAS_BACKEND"] = "torch"' + OPS,
    "a while whose count never moves": '''
import tensorflow as tf
@tf.function
def simulate(x):
    i = 0
    while i < 1000:
        x = tf.sin(x) * 0.5 + x
        i = i * 2
    return x
''',
    "a while whose count is multiplied by a tensor": '''
import tensorflow as tf
@tf.function
def simulate(x, factor):
    i = 1
    while i < 1000:
        x = tf.nn.relu(tf.matmul(x, x)) + tf.tanh(x) * 2.0 + tf.nn.relu(x) * 3.0
        i = i * factor
    return x
''',
    "a while whose count soon is large": '''
import tensorflow as tf
@tf.function
def simulate(x):
    i = 1
    while i < 1000:
        x = tf.nn.relu(tf.matmul(x, x)) + tf.tanh(x) * 2.0 + tf.nn.relu(x) * 3.0
        i = i * 10
    return x
''',
    "a while whose count is taken from a number": '''
import tensorflow as tf
@tf.function
def simulate(x):
    i = 1
    while i < 1000:
        x = tf.sin(x) * 0.5 + x
        i = 1 - i
    return x
''',
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
    "a while over a tensor": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = tf.constant(0)
    while i < 1000:
        x = tf.sin(x)
        i += 1
    return x
''',
    "a while to a tensor": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    while i < tf.shape(x)[0]:
        x = tf.sin(x)
        i += 1
    return x
''',
    "a while to what is given": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    while i < n:
        x = tf.sin(x)
        i += 1
    return x
''',
    "a while that a tensor's size may end": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    while i < 1000 and tf.reduce_sum(x) < 5.0:
        x = tf.sin(x)
        i += 1
    return x
''',
    "a while whose count becomes a tensor": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    while i < 1000:
        x = tf.sin(x)
        i += tf.ones([], tf.int32)
    return x
''',
    "a while whose count is set elsewhere in it": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    while i < 1000:
        x = tf.sin(x)
        i += 1
        if n > 2:
            i = tf.constant(1000)
    return x
''',
    "a while that counts in a branch": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    while i < 1000:
        x = tf.sin(x)
        if tf.reduce_sum(x) > 1.0:
            i += 1
    return x
''',
    "a while in a loop of the graph": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    for _ in tf.range(3):
        while i < 1000:
            x = tf.sin(x)
            i += 1
    return x
''',
    "a while whose count a branch may make a tensor": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    if tf.reduce_sum(x) > 1.0:
        i = 5
    while i < 1000:
        x = tf.sin(x)
        i += 1
    return x
''',
    "a while that is left early": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    while i < 1000:
        x = tf.sin(x)
        i += 1
        if n == 3:
            break
    return x
''',
    "a while of few rounds": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 0
    while i < 1000:
        x = tf.sin(x)
        i += 400
    return x
''',
    "a while that never goes round": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 2000
    while i < 1000:
        x = tf.sin(x)
        i += 1
    return x
''',
    "a while that never ends": '''
import tensorflow as tf
@tf.function
def f(x, n):
    i = 2000
    while i > 1000:
        x = tf.sin(x)
        i += 1
    return x
''',
    "a while in plain Python": '''
import tensorflow as tf
def f(x):
    i = 0
    while i < 1000:
        x = tf.sin(x)
        i += 1
    return x
''',
    "a range beside something shorter": '''
import tensorflow as tf
@tf.function
def f(x, layers):
    for i, layer in zip(range(200), layers):
        x = tf.sin(layer(x)) * i
    return x
''',
    "layers of a list": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(8) for _ in range(64)]
@tf.function
def f(x):
    for i in range(64):
        x = layers[i](x)
    return x
''',
    "layers of an object's lists": '''
import tensorflow as tf
NUM_LAYERS = 12
class Encoder(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.att = [tf.keras.layers.MultiHeadAttention(2, 8) for _ in range(NUM_LAYERS)]
        self.ffn = [tf.keras.layers.Dense(8) for _ in range(NUM_LAYERS)]
    def call(self, x):
        for i in range(NUM_LAYERS):
            a = self.att[i](x, x)
            x = tf.nn.relu(x + self.ffn[i](x)) + tf.tanh(a) + tf.tanh(x) + tf.sin(x)
        return x
''',
    "variables of a list": '''
import tensorflow as tf
ws = [tf.Variable(tf.ones([4, 4])) for _ in range(64)]
@tf.function
def f(x):
    for i in range(64):
        x = tf.nn.relu(tf.matmul(x, ws[i]) + 1.0)
    return x
''',
    "what is handed over may be a list": '''
import tensorflow as tf
@tf.function
def f(x, weights):
    for i in range(64):
        x = tf.nn.relu(tf.matmul(x, weights[i]) + 1.0)
    return x
''',
    "layers by their names": '''
import tensorflow as tf
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        for i in range(50):
            setattr(self, f"d{i}", tf.keras.layers.Dense(4))
            setattr(self, "e" + str(i), tf.keras.layers.Dense(4))
    def call(self, x):
        for i in range(50):
            x = tf.nn.relu(getattr(self, f"d{i}")(x)) + 1.0
        for i in range(50):
            x = tf.nn.relu(getattr(self, "e" + str(i))(x)) + 1.0
        return x
''',
    "left early": '''
import tensorflow as tf
@tf.function
def f(x):
    for i in range(1000):
        x = tf.tanh(x) + 1.0 + tf.sin(x)
        if i == 2:
            break
    return x
''',
    "returned early": '''
import tensorflow as tf
@tf.function
def f(x):
    for i in range(1000):
        if i >= 3:
            return x
        x = tf.tanh(x) + tf.sin(x)
    return x
''',
    "rounds that are gone over": '''
import tensorflow as tf
@tf.function
def f(x):
    for i in range(1000):
        if i % 500 != 0:
            continue
        x = tf.tanh(x) + tf.sin(x)
    return x
''',
    "operations in a few rounds": '''
import tensorflow as tf
@tf.function
def f(x):
    for i in range(1000):
        if i % 500 == 0:
            x = tf.tanh(x) + tf.sin(x)
    return x
''',
    "in a function that nothing calls": '''
import tensorflow as tf
@tf.function
def f(x):
    def unused():
        for i in range(1000):
            print(tf.tanh(x))
    return x
''',
    "a thing of its own in each round, by a function": '''
import tensorflow as tf
class Net(tf.keras.Model):
    def call(self, x):
        for i in range(100):
            x = tf.nn.relu(self.get_layer(index=i)(x))
        for i in range(100):
            x = tf.nn.relu(self.layer_of(i + 1)(x))
        return x
layers = iter(build())
@tf.function
def f(x):
    for _ in range(100):
        x = tf.tanh(next(layers)(x))
    for _ in range(100):
        x = tf.tanh(stack.pop()(x))
    return x
''',
}
