FOUND = {
    "in a loop over zip": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
for x, y in zip(xs, ys):
    optimizer = tf.keras.optimizers.Adam(1e-3)  # <-
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
''',
    "in an enumerated loop, never named": '''
import keras
import tensorflow as tf
model = keras.Sequential([keras.layers.Dense(1)])
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_weights)
    keras.optimizers.RMSprop().apply_gradients(zip(grads, model.trainable_weights))  # <-
''',
    "in a function that a while loop calls": '''
import tensorflow as tf
from tensorflow.keras.optimizers import Adam
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
def train_step(x, y):
    opt = Adam(learning_rate=0.01)  # <-
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss
step = 0
while step < 1000:
    train_step(*next(batches))
    step += 1
''',
    "variables in a list": '''
import tensorflow as tf
w = tf.Variable(1.0)
b = tf.Variable(0.0)
for epoch in range(100):
    tf.keras.optimizers.Adam(0.1).minimize(lambda: (w * 2 + b) ** 2, [w, b])  # <-
''',
    "in a function that a comprehension calls": '''
import tensorflow as tf
w = tf.Variable(1.0)
def step():
    opt = tf.keras.optimizers.Adam(0.1)  # <-
    variables = [w]
    with tf.GradientTape() as tape:
        loss = w ** 2
    opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return float(loss)
losses = [step() for _ in range(100)]
''',
    "in a method that a loop calls": '''
import tensorflow as tf
class GAN:
    def __init__(self):
        self.g = build_g()
    def train_epoch(self, data):
        opt = tf.keras.optimizers.Adam(1e-4)  # <-
        for x in data:
            with tf.GradientTape() as tape:
                loss = self.loss(x)
            opt.apply_gradients(zip(tape.gradient(loss, self.g.trainable_variables), self.g.trainable_variables))
    def train(self, data):
        for epoch in range(10):
            self.train_epoch(data)
''',
    "in each epoch over the same data, told with its number": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for epoch in range(10):
    opt = tf.keras.optimizers.Adam()  # <-
    for number, (x, y) in enumerate(data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        print(epoch, number, float(loss))
''',
    "in each epoch of a while": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
epoch = 0
while epoch < 10:
    opt = tf.keras.optimizers.Adam()  # <-
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    epoch += 1
''',
}
PAIRS = """
import tensorflow as tf
weight = tf.Variable(1.0)
for i in range(10):
    with tf.GradientTape() as tape:
        loss = weight * weight
    opt = tf.keras.optimizers.Adam(1e-3)
    opt.apply_gradients([(tape.gradient(loss, weight), weight)])
"""
FOUND["pairs in a list"] = PAIRS.replace("Adam(1e-3)", "Adam(1e-3)  # <-")
SILENT = {
    "pairs in a list, of a variable of each round": PAIRS.replace("    with", "    weight = tf.Variable(1.0)\n    with"),
    "pairs in a list, without slots": PAIRS.replace("Adam(1e-3)", "SGD(1e-3)"),
    "pairs in a list, where each round begins anew": PAIRS.replace("    with", "    weight.assign(1.0)\n    with"),
    "pairs that are not all seen": PAIRS.replace("weight)])", "weight), *more])"),
    "one optimizer for each model": '''
import tensorflow as tf
for n in (8, 16, 32):
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(n)])
    opt = tf.keras.optimizers.Adam()
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
''',
    "one for each rate": '''
import tensorflow as tf
model = make()
for rate in rates:
    opt = tf.keras.optimizers.Adam(rate)
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
''',
    "one for each image": '''
import tensorflow as tf
for style, content in zip(styles, contents):
    image = tf.Variable(content)
    opt = tf.keras.optimizers.Adam(0.02)
    for _ in range(100):
        with tf.GradientTape() as tape:
            loss = total_loss(image, style)
        opt.apply_gradients([(tape.gradient(loss, image), image)])
''',
    "for a copy of the model": '''
import tensorflow as tf
for task in tasks:
    learner = copy_model(meta_model, x)
    inner = tf.keras.optimizers.SGD(0.01)
    with tf.GradientTape() as tape:
        loss = task.loss(learner)
    inner.apply_gradients(zip(tape.gradient(loss, learner.trainable_variables), learner.trainable_variables))
''',
    "made once": '''
import tensorflow as tf
w = tf.Variable(1.0)
opt = tf.keras.optimizers.Adam(0.1)
for epoch in range(100):
    opt.minimize(lambda: w ** 2, [w])
''',
    "no slots": '''
import tensorflow as tf
w = tf.Variable(1.0)
for epoch in range(100):
    opt = tf.keras.optimizers.SGD(0.1)
    opt.minimize(lambda: w ** 2, [w])
''',
    "where the weights begin anew": '''
import keras
import tensorflow as tf
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
first = model.get_weights()
for fold in folds:
    model.set_weights(first)
    opt = keras.optimizers.Adam()
    for x, y in fold:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
''',
    "given to who keeps it": '''
import tensorflow as tf
w = tf.Variable(1.0)
def make():
    opt = tf.keras.optimizers.Adam(0.1)
    opt.minimize(lambda: w ** 2, [w])
    return opt
opts = [make() for _ in range(10)]
''',
    "a model that is handed over": '''
import tensorflow as tf
def train(model, data):
    opt = tf.keras.optimizers.Adam(0.1)
    for x in data:
        with tf.GradientTape() as tape:
            loss = model(x)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for model in models:
    train(model, data)
''',
    "twice": '''
import tensorflow as tf
w = tf.Variable(1.0)
for phase, rate in zip(("warm", "hot"), rates):
    opt = tf.keras.optimizers.Adam()
    opt.minimize(lambda: w ** 2, [w])
''',
    "where a function lets the weights begin anew": '''
import keras
import tensorflow as tf
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
first = model.get_weights()
def reset():
    model.set_weights(first)
def run(data):
    opt = keras.optimizers.Adam()
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
for fold in folds:
    reset()
    run(fold)
''',
    "one image for one target after the other": '''
import tensorflow as tf
image = tf.Variable(tf.zeros((8, 8)))
for target in tf.random.normal((5, 8, 8)):
    opt = tf.keras.optimizers.Adam(.1)
    for _ in range(100):
        with tf.GradientTape() as t:
            l = tf.reduce_sum((image - target) ** 2)
        opt.apply_gradients([(t.gradient(l, image), image)])
    print(image.numpy())
''',
    "targets in a function": '''
import tensorflow as tf
image = tf.Variable(tf.zeros((8, 8)))
def fit(target):
    opt = tf.keras.optimizers.Adam(.1)
    for _ in range(100):
        with tf.GradientTape() as t:
            l = tf.reduce_sum((image - target) ** 2)
        opt.apply_gradients([(t.gradient(l, image), image)])
for target in targets:
    fit(target)
''',
    "targets by their number": '''
import tensorflow as tf
image = tf.Variable(tf.zeros((8, 8)))
for number in range(5):
    opt = tf.keras.optimizers.Adam(.1)
    target = tf.gather(targets, number)
    for _ in range(100):
        with tf.GradientTape() as t:
            l = tf.reduce_sum((image - target) ** 2)
        opt.apply_gradients([(t.gradient(l, image), image)])
''',
    "targets that a while takes": '''
import tensorflow as tf
image = tf.Variable(tf.zeros((8, 8)))
while targets:
    target = targets.pop()
    opt = tf.keras.optimizers.Adam(.1)
    for _ in range(100):
        with tf.GradientTape() as t:
            l = tf.reduce_sum((image - target) ** 2)
        opt.apply_gradients([(t.gradient(l, image), image)])
''',
    "steps in a function that the inner loop calls": '''
import tensorflow as tf
image = tf.Variable(tf.zeros((8, 8)))
def step(target):
    with tf.GradientTape() as t:
        l = tf.reduce_sum((image - target) ** 2)
    opt.apply_gradients([(t.gradient(l, image), image)])
for target in targets:
    opt = tf.keras.optimizers.Adam(.1)
    for _ in range(100):
        step(target)
''',
    "steps in a function that reads the target": '''
import tensorflow as tf
image = tf.Variable(tf.zeros((8, 8)))
def step():
    with tf.GradientTape() as t:
        l = tf.reduce_sum((image - target) ** 2)
    opt.apply_gradients([(t.gradient(l, image), image)])
for target in targets:
    opt = tf.keras.optimizers.Adam(.1)
    losses = [step() for _ in range(100)]
''',
    "data of one task after the other": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for task in tasks:
    opt = tf.keras.optimizers.Adam()
    for x, y in task:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
''',
}
