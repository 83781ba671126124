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
}
