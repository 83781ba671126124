FOUND = {
    "a session in every round": '''
import tensorflow as tf
for i in range(10):
    with tf.compat.v1.Session() as sess:  # <-
        sess.run(y)
''',
    "in a function that a loop calls": '''
import tensorflow.compat.v1 as tf1
def predict(image):
    with tf1.Session() as sess:  # <-
        return sess.run(out, {x: image})
for image in images:
    print(predict(image))
''',
    "in a method, with while": '''
from tensorflow.compat import v1
class Trainer:
    def step(self):
        sess = v1.Session()  # <-
        sess.run(self.op)
        sess.close()
    def loop(self):
        while self.more():
            self.step()
''',
    "in a comprehension": '''
import tensorflow as tf
results = [tf.compat.v1.InteractiveSession().run(y) for _ in range(100)]  # <-
''',
    "in a function that is given to map": '''
import tensorflow.compat.v1 as tf
def predict(image):
    with tf.Session() as sess:  # <-
        return sess.run(out, {x: image})
results = list(map(predict, images))
''',
    "in a lambda that is given to map": '''
import tensorflow.compat.v1 as tf
results = list(map(lambda image: tf.Session().run(out, {x: image}), images))  # <-
''',
    "in a function that a lambda calls for map": '''
import tensorflow.compat.v1 as tf
def predict(image, name):
    with tf.Session() as sess:  # <-
        return sess.run(name, {x: image})
results = list(map(lambda image: predict(image, "out:0"), images))
''',
    "for each batch": '''
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4])
w = tf.get_variable("w", [4, 1])
y = tf.matmul(x, w)
for step, batch in enumerate(batches):
    with tf.Session() as sess:  # <-
        sess.run(tf.global_variables_initializer())
        print(sess.run(y, feed_dict={x: batch}))
''',
    "closed in the end": '''
import tensorflow.compat.v1 as tf
for batch in batches:
    sess = tf.Session()  # <-
    try:
        sess.run(y, {x: batch})
    finally:
        sess.close()
''',
    "session with config object": '''
import tensorflow.compat.v1 as tf
def run(batch):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:  # <-
        return sess.run(y, {x: batch})
for batch in batches:
    run(batch)
''',
    "in a while": '''
import tensorflow.compat.v1 as tf
i = 0
while i < 10:
    sess = tf.Session()  # <-
    sess.run(y)
    sess.close()
    i += 1
''',
    "on both sides of a condition": '''
import tensorflow.compat.v1 as tf
c = tf.constant(1.0)
for a in names:
    if a == "x":
        with tf.Session() as s:  # <-
            print(s.run(c))
    elif a == "y":
        s = tf.Session()
    else:
        with tf.device("/cpu:0"), tf.Session() as s:
            print(s.run(c + 1))
''',
}
SILENT = {
    "one session": '''
import tensorflow.compat.v1 as tf
with tf.Session() as sess:
    for i in range(10):
        sess.run(y)
''',
    "a graph of its own in every round": '''
import tensorflow.compat.v1 as tf
for path in paths:
    with tf.Graph().as_default():
        with tf.Session() as sess:
            load(path, sess)
''',
    "tried until it works": '''
import tensorflow.compat.v1 as tf
while True:
    try:
        sess = tf.Session(target)
        break
    except tf.errors.UnavailableError:
        pass
''',
    "another server each": '''
import tensorflow.compat.v1 as tf
for server in servers:
    with tf.Session(server.target) as sess:
        sess.run(init)
''',
    "kept": '''
import tensorflow.compat.v1 as tf
sessions = []
for _ in range(4):
    sessions.append(tf.Session())
''',
    "a session of another library": '''
import requests
import tensorflow as tf
for url in urls:
    with requests.Session() as session:
        session.get(url)
''',
    "made once when it is missing": '''
import tensorflow.compat.v1 as tf
sess = None
for batch in batches:
    if sess is None:
        sess = tf.Session()
    sess.run(step, {x: batch})
''',
    "cleared in every round": '''
import tensorflow.compat.v1 as tf
for fold in range(5):
    tf.reset_default_graph()
    build(fold)
    with tf.Session() as sess:
        train(sess)
''',
    "a function that is called once": '''
import tensorflow.compat.v1 as tf
def main():
    with tf.Session() as sess:
        for i in range(10):
            sess.run(y)
main()
''',
    "two rounds": '''
import tensorflow.compat.v1 as tf
for name in ("train", "test"):
    with tf.Session() as sess:
        sess.run(y)
''',
    "given to map for two elements": '''
import tensorflow.compat.v1 as tf
def evaluate(name):
    with tf.Session() as sess:
        return sess.run(name)
results = list(map(evaluate, ["train", "test"]))
''',
    "given to a map that makes a graph for each": '''
import tensorflow.compat.v1 as tf
def evaluate(path):
    with tf.Graph().as_default(), tf.Session() as sess:
        return load(path, sess)
results = list(map(evaluate, paths))
''',
    "given to map with a server each": '''
import tensorflow.compat.v1 as tf
sessions = list(map(lambda server: tf.Session(server.target), servers))
''',
    "sessions that map gives": '''
import tensorflow.compat.v1 as tf
def connect(number):
    return tf.Session()
sessions = list(map(connect, range(8)))
others = list(map(lambda _: tf.Session(), range(8)))
''',
    "given to a dataset's or a pool's map": '''
import multiprocessing
import tensorflow.compat.v1 as tf
def work(part):
    with tf.Session() as sess:
        for row in part:
            sess.run(y, {x: row})
multiprocessing.Pool(8).map(work, parts)
dataset = dataset.map(work)
''',
    "a map of one's own": '''
import tensorflow.compat.v1 as tf
def map(function, options):
    return function(options)
def work(options):
    with tf.Session() as sess:
        sess.run(y)
map(work, options)
''',
    "twice in a while": '''
import tensorflow.compat.v1 as tf
i = 0
while i < 2:
    sess = tf.Session()
    sess.run(y)
    i += 1
''',
    "for another graph each": '''
import tensorflow.compat.v1 as tf
def infer(path):
    graph = load(path)
    with tf.Session(graph=graph) as sess:
        return sess.run("y:0")
for path in paths:
    infer(path)
''',
    "graph by a function": '''
import tensorflow.compat.v1 as tf
def fresh():
    tf.reset_default_graph()
    return build()
for i in range(9):
    y = fresh()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(y)
''',
    "on one side of a condition": '''
import tensorflow.compat.v1 as tf
c = tf.constant(1.0)
for a in names:
    if a == "x":
        with tf.Session() as s:
            print(s.run(c))
    elif a == "y":
        s = tf.Session()
    else:
        print("nothing")
''',
    "each with a graph of its own": '''
import tensorflow.compat.v1 as tf
for a in names:
    if a == "x":
        with tf.Graph().as_default(), tf.Session() as s:
            print(s.run(tf.constant(1.0)))
    else:
        with tf.Graph().as_default(), tf.Session() as s:
            print(s.run(tf.constant(2.0)))
''',
    "in another graph of a list each round": '''
import tensorflow.compat.v1 as tf
graphs = [tf.Graph() for _ in range(9)]
for graph in graphs:
    with graph.as_default(), tf.Session() as s:
        print(s.run("loss:0"))
''',
}
