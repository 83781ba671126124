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
}
