FOUND = {
    "a definition": '''
import tensorflow as tf
for epoch in range(10):
    @tf.function  # <-
    def step(x):
        return x * 2
    step(x)
''',
    "a call": '''
import tensorflow as tf
for batch in data:
    step = tf.function(train)  # <-
    step(batch)
''',
    "with options, from an alias": '''
from tensorflow import function as graph
for batch in data:
    @graph(jit_compile=True)  # <-
    def step(x):
        return x + 1
    step(batch)
''',
    "a partial": '''
import functools
import tensorflow as tf
compiled = functools.partial(tf.function, jit_compile=True)
while more():
    @compiled  # <-
    def step(x):
        return x + 1
    step(get())
''',
    "in a function that a loop calls": '''
import tensorflow as tf
def run_epoch(data):
    @tf.function  # <-
    def step(x):
        return tf.reduce_sum(x)
    for x in data:
        step(x)
for epoch in range(20):
    run_epoch(train_data)
''',
    "called where it is made": '''
import tensorflow as tf
for batch in data:
    loss = tf.function(lambda x: tf.square(x))(batch)  # <-
''',
    "in a function that a function calls, which a loop calls": '''
import tensorflow as tf
def main(data):
    def inner(data):
        @tf.function  # <-
        def step(x):
            return tf.reduce_sum(x)
        for x in data:
            step(x)
    def run_epoch(data):
        inner(data)
    for epoch in range(20):
        run_epoch(data)
''',
    "returned to a loop that calls it": '''
import tensorflow as tf
def make_step():
    @tf.function  # <-
    def step(x):
        return tf.reduce_sum(x)
    return step
for epoch in range(20):
    step = make_step()
    step(x)
''',
    "returned to a function that calls it, and that a loop calls": '''
import tensorflow as tf
def make():
    return tf.function(lambda x: x + 1)  # <-
def once(x):
    return make()(x)
for i in range(10):
    once(x)
''',
    "in a function that is given to map": '''
import tensorflow as tf
def total(x):
    return tf.function(tf.reduce_sum)(x)  # <-
totals = list(map(total, batches))
''',
    "imported with a star": '''
from tensorflow import *
for batch in data:
    @function  # <-
    def step(x):
        return x + 1
    step(batch)
''',
    "in an async loop": '''
import asyncio
import tensorflow as tf
async def train(queue):
    async for batch in queue:
        @tf.function  # <-
        def step(x):
            return tf.reduce_sum(x)
        step(batch)
async def main():
    await asyncio.gather(*(train(q) for q in queues))
asyncio.run(main())
''',
    "a method": '''
import tensorflow as tf
class Trainer:
    def fit(self, data, epochs):
        for epoch in range(epochs):
            step = tf.function(self.step)  # <-
            for x, y in data:
                step(x, y)
    def step(self, x, y):
        return tf.reduce_sum(x * y)
''',
    "by a property": '''
import tensorflow as tf
class Trainer:
    @property
    def step(self):
        return tf.function(lambda x: x + 1)  # <-
    @property
    def other(self):
        @tf.function  # <-
        def double(x):
            return x * 2
        return double
    def train(self, x):
        for i in range(100):
            x = self.step(x)
            x = self.other(x)
        return x
''',
    "in a loop that does much else, and changes nothing that the function reads": '''
import tensorflow as tf
import numpy as np
from data import loader
units = 8
model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.MeanSquaredError()
train_loss = tf.keras.metrics.Mean()
writer = tf.summary.create_file_writer("logs")
manager = tf.train.CheckpointManager(tf.train.Checkpoint(model=model), "d", 3)
history, best = [], 9.0
def evaluate(data):
    return np.mean([loss_fn(y, model(x)) for x, y in data])
for epoch in range(10):
    @tf.function  # <-
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        train_loss.update_state(loss)
        return loss
    total = 0.0
    for x, y in loader(train=True):
        total += step(x, y)
    with writer.as_default():
        tf.summary.scalar("loss", train_loss.result(), step=epoch)
    score = evaluate(test)
    history.append(score)
    print(f"epoch {epoch}", score)
    if score < best:
        best = score
        model.save_weights("best.h5")
    manager.save()
    train_loss.reset_state()
''',
    "of a model from elsewhere, beside sums and lists": '''
import tensorflow as tf
from models import get_model
model = get_model()
history = []
for epoch in range(10):
    step = tf.function(lambda x: model(x))  # <-
    loss = 0.0
    for x in data:
        loss += step(x)
    history.append(float(loss))
''',
    "of a model that the round asks, too": '''
import tensorflow as tf
from data import load
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for epoch in range(10):
    net(load())
    step = tf.function(net)  # <-
    for x in load():
        step(x)
''',
    "of arguments alone, whatever the round sets": '''
import tensorflow as tf
import helpers
for i in range(3):
    helpers.configure(i)
    @tf.function  # <-
    def f(x):
        return tf.nn.relu(x)
    print(f(tf.ones((2,))))
''',
    "beside the writer of a summary": '''
import tensorflow as tf
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
writer = tf.summary.create_file_writer("logs")
for epoch in range(10):
    step = tf.function(net)  # <-
    with writer.as_default():
        tf.summary.scalar("loss", step(x), step=epoch)
''',
    "timed": '''
import tensorflow as tf
import time
x = tf.ones((3,))
times = []
for i in range(5):
    begin = time.perf_counter()
    f = tf.function(lambda x: x * 2)  # <-
    f(x)
    times.append(time.perf_counter() - begin)   # a benchmark of tracing
print(times)
''',
}
SILENT = {
    "at module level": '''
import tensorflow as tf
@tf.function
def step(x):
    return x * 2
for epoch in range(10):
    step(x)
''',
    "one for each model": '''
import tensorflow as tf
for model in models:
    @tf.function
    def step(x):
        return model(x)
    step(x)
''',
    "kept in a dictionary": '''
import tensorflow as tf
steps = {}
for name in names:
    steps[name] = tf.function(build)
''',
    "kept in a list": '''
import tensorflow as tf
steps = [tf.function(layer.call) for layer in layers]
''',
    "made by a factory": '''
import tensorflow as tf
def make_step(model):
    @tf.function
    def step(x):
        return model(x)
    return step
for model in models:
    run(make_step(model))
''',
    "when it is missing": '''
import tensorflow as tf
step = None
for batch in data:
    if step is None:
        step = tf.function(train)
    step(batch)
''',
    "in a class in a loop": '''
import tensorflow as tf
for name in names:
    class Layer:
        @tf.function
        def call(self, x):
            return x
''',
    "another function": '''
import tensorflow as tf
from other import function
for i in range(10):
    @function
    def f(x):
        return x
    f(i)
''',
    "handed over": '''
import tensorflow as tf
for name in names:
    @tf.function
    def serve(x):
        return x
    export(serve, name)
''',
    "with a default that changes": '''
import tensorflow as tf
for i in range(10):
    @tf.function
    def step(x, i=i):
        return x * i
    print(step(x))
''',
    "with what the function that makes it computes": '''
import tensorflow as tf
def run_epoch(epoch, data):
    rate = 0.1 * epoch
    @tf.function
    def step(x):
        return x * rate
    for x in data:
        step(x)
for epoch in range(20):
    run_epoch(epoch, data)
''',
    "with a model that is made with it": '''
import tensorflow as tf
def train(data):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    step = tf.function(lambda x: model(x))
    for x in data:
        step(x)
for run in range(20):
    train(data)
''',
    "returned and kept": '''
import tensorflow as tf
def make_step():
    @tf.function
    def step(x):
        return tf.reduce_sum(x)
    return step
steps = []
for epoch in range(20):
    step = make_step()
    steps.append(step)
    step(x)
    export(make_step())
''',
    "returned for what changes": '''
import tensorflow as tf
def make_step(rate):
    @tf.function
    def step(x):
        return x * rate
    return step
for rate in rates:
    step = make_step(rate)
    step(x)
''',
    "taken away at the end of each round": '''
import tensorflow as tf
for epoch in range(20):
    @tf.function
    def step(x):
        return tf.reduce_sum(x)
    step(x)
    del step
''',
    "two rounds of zip": '''
import tensorflow as tf
for name, units in zip(["a", "b"], [1, 2]):
    @tf.function
    def step(x):
        return x + 1
    step(tf.ones([2]))
''',
    "for some events": '''
import tensorflow as tf
for event in events:
    match event:
        case {"data": data}:
            step = tf.function(lambda x: x + 1)
            step(data)
''',
    "twice": '''
import tensorflow as tf
for jit in (True, False):
    @tf.function(jit_compile=jit)
    def f(x):
        return x + 1
    f(x)
''',
    "by a property that is kept, or made once": '''
import functools
import tensorflow as tf
class Trainer:
    @functools.cached_property
    def step(self):
        return tf.function(lambda x: x + 1)
    @property
    def other(self):
        if self._other is None:
            self._other = tf.function(lambda x: x * 2)
        return self._other
    @property
    def once(self):
        return tf.function(lambda x: x * 2)
    @property
    def by_units(self):
        return tf.function(lambda x: x * self.units)
    def train(self, x):
        once = self.once
        for i in range(100):
            x = self.step(x)
            x = self.other(x)
            x = once(x)
        for self.units in range(100):
            x = self.by_units(x)
        for n in range(100):
            self.units = n
            x = self.by_units(x)
        return x
''',
    "a list that grows, read by what the function calls": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(2)]
def net(x):
    for l in layers:
        x = l(x)
    return x
for k in (1, 2, 3):
    layers.append(tf.keras.layers.Dense(k))
    f = tf.function(net)
    print(f(tf.ones((1, 2))).shape)
''',
    "a list that grows, read by the function": '''
import tensorflow as tf
SCALES = [1.0]
def net(x):
    return x * SCALES[-1]
for k in (1.0, 2.0, 3.0):
    SCALES.append(k)
    f = tf.function(net)
    print(f(tf.ones((1, 2))))
''',
    "a model that a function grows": '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(2)])
def grow(k):
    model.add(tf.keras.layers.Dense(k))
for k in (1, 2, 3):
    grow(k)
    @tf.function
    def f(x):
        return model(x)
    f(tf.ones((1, 2)))
''',
    "what a function of another module may set": '''
import tensorflow as tf
import helpers
for i in range(3):
    helpers.configure(i)
    @tf.function
    def f(x):
        return tf.nn.relu(x) * helpers.SCALE
    print(f(tf.ones((2,))))
''',
    "another device in each round": '''
import tensorflow as tf
def f(x):
    return tf.nn.relu(x) * 2
for i in range(3):
    with tf.device("/CPU:%d" % i):
        g = tf.function(f)
        print(g(tf.ones(3)))
''',
    "a device in each round": '''
import tensorflow as tf
for i in range(3):
    with tf.device("/CPU:0"):
        @tf.function
        def f(x):
            return x * 2
        print(f(tf.ones((2,))))
''',
    "a graph in each round": '''
import tensorflow as tf
for i in range(3):
    g = tf.Graph()
    with g.as_default():
        @tf.function
        def f(x):
            return x * 2
        y = f(tf.constant(1.))
''',
    "options of the compiler in each round": '''
import tensorflow as tf

def f(x):
    return tf.nn.relu(tf.matmul(x, x))

for i in range(3):
    tf.config.optimizer.set_experimental_options({"auto_mixed_precision_onednn_bfloat16": i == 1})
    g = tf.function(f)
    print(g(tf.random.stateless_normal((256, 256), (1, 2)))[0, 0].numpy())
''',
    "a list under another name": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
ls = layers
for k in range(5):
    ls.append(k)
    f = tf.function(net)
    f(x)
''',
    "a list that a model was made of": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
for k in range(5):
    layers.append(k)
    f = tf.function(lambda x: model(x))
    f(x)
''',
    "an attribute of an element": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
for k in range(5):
    layers[0].activation = k
    f = tf.function(net)
    f(x)
''',
    "elements in a loop": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
for k in range(5):
    for l in layers: l.rate = k
    f = tf.function(net)
    f(x)
''',
    "a layer that a model gives": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
for k in range(5):
    l = model.get_layer(index=0)
    l.trainable = k > 2
    f = tf.function(lambda x: model(x))
    f(x)
''',
    "layers, enumerated": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
for k in range(5):
    for i, l in enumerate(model.layers): l.trainable = i > k
    f = tf.function(lambda x: model(x))
    f(x)
''',
    "a list that shrinks": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
for k in range(5):
    del layers[0]
    f = tf.function(net)
    f(x)
''',
    "a list that is emptied": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
while layers:
    layers.pop()
    f = tf.function(net)
    f(x)
''',
    "a global that a function counts up": '''
import tensorflow as tf
K = 1
def bump():
    global K
    K += 1
def g(x): return x * K
for k in range(5):
    bump()
    f = tf.function(g)
    f(x)
''',
    "a global that the function's function reads": '''
import tensorflow as tf
K = 1
def h(): return K
def g(x): return x * h()
for k in range(5):
    K = k
    f = tf.function(g)
    f(x)
''',
    "a function of who knows what, beside a model of the same module": '''
import tensorflow as tf
from helpers import model, tweak
for k in range(5):
    tweak(k)
    @tf.function
    def f(x): return model(x)
    f(x)
''',
    "a model that is given to who knows what": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
for k in range(5):
    unknown(model)
    @tf.function
    def f(x): return model(x)
    f(x)
''',
    "a model that an object holds and grows": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
class T:
    def __init__(self, m): self.m = m
    def grow(self, k): self.m.add(k)
t = T(model)
for k in range(5):
    t.grow(k)
    @tf.function
    def f(x): return model(x)
    f(x)
''',
    "a callback": '''
import tensorflow as tf
import helpers
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
def cb(k): layers.append(k)
for k in range(5):
    helpers.each(cb)
    @tf.function
    def f(x): return net(x)
    f(x)
''',
    "a lambda": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
grow = lambda k: layers.append(k)
for k in range(5):
    grow(k)
    @tf.function
    def f(x): return net(x)
    f(x)
''',
    "setattr": '''
import tensorflow as tf
import helpers
for k in range(5):
    setattr(helpers, 'K', k)
    @tf.function
    def f(x): return x * helpers.K
    f(x)
''',
    "an attribute of the method's object": '''
import tensorflow as tf
class A:
    def step(self, x): return x * self.k
    def run(self):
        for k in range(5):
            self.k = k
            f = tf.function(self.step)
            f(1)
''',
    "an attribute that a method sets": '''
import tensorflow as tf
class A:
    def step(self, x): return x * self.k
    def set(self, k): self.k = k
    def run(self):
        for k in range(5):
            self.set(k)
            f = tf.function(self.step)
            f(1)
''',
    "a method from elsewhere": '''
import tensorflow as tf
import helpers
class A(helpers.B):
    def step(self, x): return x * self.k
    def run(self):
        for k in range(5):
            self.set(k)
            f = tf.function(self.step)
            f(1)
''',
    "an attribute of what is given": '''
import tensorflow as tf
import helpers
cfg = helpers.Cfg()
for k in range(5):
    cfg.k = k
    @tf.function
    def f(cfg, x): return x * cfg.k
    f(cfg, x)
''',
    "code in a string": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
K=1
for k in range(5):
    exec('K = k')
    @tf.function
    def f(x): return net(x)
    f(x)
''',
    "in a function that the loop calls": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
def round(k):
    layers.append(k)
    f = tf.function(net)
    f(1)
for k in range(5):
    round(k)
''',
    "before the loop calls the function": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
def round():
    f = tf.function(net)
    f(1)
for k in range(5):
    layers.append(k)
    round()
''',
    "by what makes it": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
def make():
    return tf.function(net)
for k in range(5):
    layers.append(k)
    f = make()
    f(1)
''',
    "in a comprehension": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
def net(x):
    for l in layers:
        x = l(x)
    return x
def make(k):
    layers.append(k)
    return tf.function(net)(1)
[make(k) for k in range(5)]
''',
    "in a context of who knows what": '''
import tensorflow as tf
import helpers
from helpers import model, tweak
for k in range(5):
    with helpers.using(k):
        f = tf.function(lambda x: model(x))
        f(1)
''',
    "an array that is shuffled": '''
import tensorflow as tf
import numpy as np
w = np.ones(3)
for k in range(5):
    np.random.shuffle(w)
    f = tf.function(lambda x: x * w)
    f(1)
''',
    "a view of an array": '''
import tensorflow as tf
import numpy as np
w = np.ones(3)
v = w.reshape(3, 1)
for k in range(5):
    v[0] = k
    f = tf.function(lambda x: x * w)
    f(1)
''',
    "an array that a function adds to": '''
import tensorflow as tf
import numpy as np
w = np.ones(3)
def shift(a, k):
    a += k
for k in range(5):
    shift(w, k)
    f = tf.function(lambda x: x * w)
    f(1)
''',
    "an array that is computed in place": '''
import tensorflow as tf
import numpy as np
w = np.ones(3)
for k in range(5):
    np.add(w, k, out=w)
    f = tf.function(lambda x: x * w)
    f(1)
''',
    "a model that is compiled": '''
import tensorflow as tf
layers = [tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
for k in range(5):
    model.compile(loss=k)
    f = tf.function(lambda x: model.compute_loss(x))
    f(1)
''',
    "a strategy": '''
import tensorflow as tf
s = tf.distribute.MirroredStrategy()
for k in range(5):
    with s.scope():
        f = tf.function(lambda x: x)
        f(1)
''',
    "a session": '''
import tensorflow as tf
for k in range(5):
    with tf.compat.v1.Session() as s:
        f = tf.function(lambda x: x)
        f(1)
''',
    "a scope without `with`": '''
import tensorflow as tf
for k in range(5):
    stack.enter_context(s.scope())
    f = tf.function(lambda x: x)
    f(1)
''',
    "a dictionary": '''
import tensorflow as tf
cfg = dict(k=1)
for k in range(5):
    cfg['k'] = k
    f = tf.function(lambda x: x * cfg['k'])
    f(1)
''',
    "an attribute of a class": '''
import tensorflow as tf
class C: k = 1
for k in range(5):
    C.k = k
    f = tf.function(lambda x: x * C.k)
    f(1)
''',
}
