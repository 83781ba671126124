FOUND = {
    "an operation in what is fetched": '''
import tensorflow.compat.v1 as tf
with tf.Session() as sess:
    for i in range(1000):
        print(sess.run(tf.reduce_mean(x)))  # <-
''',
    "variables made in the loop that runs": '''
import tensorflow as tf
for i in range(10):
    W = tf.compat.v1.Variable(tf.random.normal([100, 100]))  # <-
    with tf.compat.v1.Session() as sess:
        sess.run(W.initializer)
''',
    "an assignment in a method": '''
import tensorflow.compat.v1 as tf
class Agent:
    def __init__(self):
        self.sess = tf.Session()
        self.rate = tf.Variable(0.1)
    def train(self):
        for step in range(10000):
            self.sess.run(tf.assign(self.rate, 0.1 / (step + 1)))  # <-
''',
    "a variable's method": '''
import tensorflow.compat.v1 as tf
v = tf.Variable(0.0)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(100):
        sess.run(v.assign(i))  # <-
''',
    "an optimizer's method": '''
import tensorflow.compat.v1 as tf
with tf.Session() as sess:
    opt = tf.train.AdamOptimizer()
    for i in range(100):
        train = opt.minimize(loss)  # <-
        sess.run(train)
''',
    "evaluated": '''
import tensorflow.compat.v1 as tf
sess = tf.InteractiveSession()
for x in xs:
    print(tf.square(x).eval())  # <-
''',
    "over zip": '''
import tensorflow as tf
sess = tf.compat.v1.Session()
for a, b in zip(left, right):
    c = tf.add(a, b)  # <-
    print(sess.run(c))
''',
    "a graph of its own in each outer round, in which an inner loop runs what it makes": '''
import tensorflow.compat.v1 as tf
for n in range(100):
    with tf.Graph().as_default():
        with tf.Session() as s:
            for g in range(1000):
                print(s.run(tf.constant(g)))  # <-
''',
    "operations in a comprehension of a loop that runs them": '''
import tensorflow.compat.v1 as tf
with tf.Session() as s:
    for n in range(100):
        print(s.run([tf.square(g) for g in range(20)]))  # <-
''',
    "what a comprehension runs at once": '''
import tensorflow.compat.v1 as tf
for n in range(100):
    with tf.Graph().as_default():
        with tf.Session() as s:
            print([s.run(tf.square(g)) for g in range(20)])  # <-
''',
}
SILENT = {
    "a session of ONNX's runtime": '''
import numpy as np
import onnxruntime as ort
import tensorflow as tf
def compare(session, model, batches):
    for x in batches:
        y = tf.nn.softmax(model(x))
        z = session.run(None, {"x": x.numpy()})
        print(np.abs(y - z[0]).max())
''',
    "built before": '''
import tensorflow.compat.v1 as tf
mean = tf.reduce_mean(x)
with tf.Session() as sess:
    for i in range(1000):
        print(sess.run(mean))
''',
    "layers built in a loop, then run": '''
import tensorflow.compat.v1 as tf
h = tf.placeholder(tf.float32, [None, 10])
for units in (64, 64, 64, 10):
    w = tf.get_variable("w%d" % units, [10, units])
    h = tf.matmul(h, w)
with tf.Session() as sess:
    for _ in range(100):
        sess.run(h)
''',
    "eager": '''
import tensorflow as tf
for batch in data:
    loss = tf.reduce_mean(tf.square(model(batch)))
    loop.run(loss)
''',
    "a graph of its own in each round": '''
import tensorflow.compat.v1 as tf
for path in paths:
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32)
        with tf.Session() as sess:
            sess.run(tf.square(x), {x: 1.0})
''',
    "protocol buffers and files": '''
import tensorflow.compat.v1 as tf
with tf.Session() as sess:
    for step in range(100):
        value = sess.run(loss)
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=value)]), step)
        tf.logging.info("%s", value)
''',
    "a strategy's run": '''
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy()
for batch in data:
    strategy.run(step, args=(tf.constant(batch),))
''',
    "a graph of its own in each round, and operations in a comprehension": '''
import tensorflow.compat.v1 as tf
for n in range(100):
    with tf.Graph().as_default():
        with tf.Session() as s:
            ops = [tf.constant(g) for g in range(20)]
            print(s.run(ops))
''',
    "cleared at the end of each round, after operations of an inner loop": '''
import tensorflow.compat.v1 as tf
for n in range(100):
    ops = []
    for g in range(20):
        ops.append(tf.constant(g))
    more = {g: tf.square(g) for g in range(20)}
    with tf.Session() as s:
        print(s.run(ops))
    tf.reset_default_graph()
''',
    "cleared by a function at the start of each round": '''
import tensorflow.compat.v1 as tf
def anew():
    tf.reset_default_graph()
for n in range(100):
    anew()
    ops = [tf.constant(g) for g in range(20)]
    with tf.Session() as s:
        print(s.run(ops))
''',
    "in another graph of a list each round": '''
import tensorflow.compat.v1 as tf
graphs = [tf.Graph() for _ in range(9)]
for number, graph in enumerate(graphs):
    with graph.as_default(), tf.Session() as s:
        print(s.run(tf.constant(number)))
''',
}
