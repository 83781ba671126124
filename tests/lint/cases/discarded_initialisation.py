FOUND = {
    "ImageNet's, then one's own": '''
import keras
model = keras.applications.MobileNetV2(weights="imagenet")  # <-
model.load_weights("mine.weights.h5")
''',
    "nothing, then one's own": '''
from tensorflow.keras.applications.resnet50 import ResNet50
model = ResNet50(weights=None, classes=10)  # <-
model.compile("adam", "mse")
model.load_weights(path)
''',
    "by default": '''
import tensorflow as tf
def build(path):
    model = tf.keras.applications.VGG16()  # <-
    model.load_weights(path)
    return model
''',
    "initialised, then restored": '''
import tensorflow.compat.v1 as tf
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())  # <-
    saver.restore(sess, path)
''',
    "orthogonal": '''
import keras
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(8, kernel_initializer="orthogonal")])  # <-
model.load_weights("a.weights.h5")
''',
    "loaded twice": '''
import keras
model = keras.models.load_model("a.keras")
model.load_weights("b.weights.h5")  # <-
''',
    "ImageNet's in a function, then one's own": '''
import keras
def build_model():
    base = keras.applications.ResNet50(weights="imagenet", classes=1000)
    return base
model = build_model()  # <-
model.load_weights("mine.weights.h5")
''',
    "orthogonal in a function, then set": '''
import keras
def build_model(units):
    inputs = keras.Input((8,))
    x = keras.layers.Dense(units, kernel_initializer="orthogonal")(inputs)
    return keras.Model(inputs, x)
model = build_model(64)  # <-
model.compile("adam", "mse")
model.set_weights(weights)
''',
    "orthogonal in a layer that a function adds": '''
import tensorflow as tf
from tensorflow.keras import layers
def create():
    model = tf.keras.Sequential()
    model.add(layers.Input((8,)))
    model.add(layers.Dense(128, kernel_initializer=tf.keras.initializers.Orthogonal()))
    return model
target = create()  # <-
target.set_weights(online.get_weights())
''',
    "large recurrent in a function": '''
import tensorflow as tf
def create():
    return tf.keras.Sequential([tf.keras.Input((None, 8)), tf.keras.layers.LSTM(2048)])
model = create()  # <-
model.load_weights("a.weights.h5")
''',
    "ImageNet's, then set": '''
from tensorflow.keras.applications import VGG16
model = VGG16(weights="imagenet")  # <-
model.set_weights(saved)
''',
    "by a function that others call, too": '''
import keras
def build():
    return keras.applications.ResNet50(weights="imagenet")
model = build()  # <-
model.load_weights("a.weights.h5")
other = build()
other.predict(x)
''',
    "by a function, under a strategy": '''
import keras
def build():
    return keras.applications.ResNet50(weights=None)
with strategy.scope():
    model = build()  # <-
    model.load_weights("a.weights.h5")
''',
    "a status that is kept": '''
import keras
model = keras.applications.ResNet50(weights=None)  # <-
status = model.load_weights("ckpt")
''',
    "a status that is asked": '''
import keras
model = keras.applications.ResNet50(weights=None)  # <-
model.load_weights("ckpt").expect_partial()
''',
    "an attribute": '''
import keras
class Agent:
    def build(self):
        return keras.applications.MobileNetV2()
    def load(self, path):
        return keras.models.load_model(path)
    def __init__(self, path):
        self.model = self.build()  # <-
        self.path = path
        self.model.load_weights(self.path)
''',
    "layers that are added": '''
import keras
model = keras.Sequential()  # <-
model.add(keras.layers.Input((8,)))
model.add(keras.layers.Dense(64, kernel_initializer="orthogonal"))
model.load_weights("a.weights.h5")
''',
    "a Saver made behind all variables, and what makes none in between": '''
import argparse
import os
import tensorflow.compat.v1 as tf
def named(folder):
    return os.path.join(folder, "model.ckpt")
parser = argparse.ArgumentParser()
parser.add_argument("--folder")
v = tf.get_variable("v", [10])
opt = tf.train.AdamOptimizer().minimize(tf.reduce_sum(v))
saver = tf.train.Saver()
args = parser.parse_args()
loss = tf.reduce_mean(v)
writer = tf.summary.FileWriter(args.folder)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(tf.global_variables_initializer())  # <-
    print("restoring", "from {}".format(args.folder))
    saver.restore(sess, named(args.folder))
''',
}
SILENT = {
    "ImageNet's alone": '''
import keras
model = keras.applications.MobileNetV2(weights="imagenet")
model.fit(x, y)
''',
    "a part": '''
import keras
model = keras.applications.MobileNetV2(weights="imagenet")
model.load_weights("mine.h5", by_name=True)
''',
    "used between": '''
import keras
model = keras.applications.MobileNetV2(weights="imagenet")
first = model.get_weights()
model.load_weights("mine.weights.h5")
''',
    "on a condition": '''
import keras
model = keras.applications.MobileNetV2(weights=None)
if resume:
    model.load_weights("mine.weights.h5")
''',
    "a new top": '''
import keras
base = keras.applications.MobileNetV2(weights="imagenet", include_top=False)
model = keras.Sequential([base, keras.layers.Dense(10)])
model.load_weights("mine.weights.h5")
''',
    "trained, then the best loaded": '''
import keras
model = keras.applications.MobileNetV2(weights=None)
model.compile("adam", "mse")
model.fit(x, y)
model.load_weights("best.weights.h5")
''',
    "restored in part": '''
import tensorflow.compat.v1 as tf
saver = tf.train.Saver(var_list=trained)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver.restore(sess, path)
''',
    "restored if there is something": '''
import tensorflow.compat.v1 as tf
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    if path:
        saver.restore(sess, path)
''',
    "a plain model": '''
import keras
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(8)])
model.load_weights("a.weights.h5")
''',
    "a plain model by a function, then set": '''
import keras
def build():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(2)])
online = build()
target = build()
target.set_weights(online.get_weights())
''',
    "initial weights read first": '''
import keras
def build():
    return keras.applications.MobileNetV2()
model = build()
first = model.get_weights()
model.set_weights(first)
''',
    "own values mixed in": '''
import keras
model = keras.applications.MobileNetV2()
model.set_weights([0.9 * w for w in model.get_weights()])
''',
    "the weights are an argument": '''
import keras
def build(weights="imagenet"):
    return keras.applications.MobileNetV2(weights=weights)
model = build(None)
model.load_weights("a.weights.h5")
''',
    "one of two is returned": '''
import keras
def build(kind):
    if kind == "large":
        return keras.applications.ResNet50()
    return keras.Sequential([keras.layers.Dense(3)])
model = build(kind)
model.load_weights("a.weights.h5")
''',
    "a part of what a function gives": '''
import keras
def build():
    return keras.applications.ResNet50(weights="imagenet")
model = build()
model.load_weights("a.h5", by_name=True)
''',
    "used in the function": '''
import keras
def build():
    model = keras.applications.ResNet50(weights="imagenet")
    model.predict(x)
    return model
model = build()
model.load_weights("a.weights.h5")
''',
    "a new top in a function": '''
import keras
def build():
    base = keras.applications.ResNet50(weights="imagenet", include_top=False)
    return keras.Sequential([base, keras.layers.Dense(10)])
model = build()
model.load_weights("a.weights.h5")
''',
    "an attribute that a method may read": '''
import keras
class Agent:
    def build(self):
        return keras.applications.MobileNetV2()
    def load(self, path):
        return keras.models.load_model(path)
    def __init__(self, path):
        self.model = self.build()
        self.first = self.evaluate()
        self.model.load_weights(path)
''',
    "a Saver made before the optimizer makes its variables": '''
import tensorflow.compat.v1 as tf
v = tf.get_variable("v", [10])
saver = tf.train.Saver()
opt = tf.train.AdamOptimizer().minimize(tf.reduce_sum(v))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver.restore(sess, "ck/m")
    sess.run(opt)
''',
    "a Saver made before further variables": '''
import tensorflow.compat.v1 as tf
v = tf.get_variable("v", [10])
saver = tf.train.Saver()
w = tf.get_variable("w", [10])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver.restore(sess, "ck/m")
''',
    "a Saver made before a function of the file makes variables": '''
import tensorflow.compat.v1 as tf
def head(x):
    return tf.layers.dense(x, 10)
v = tf.get_variable("v", [10, 10])
saver = tf.train.Saver()
logits = head(v)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver.restore(sess, "ck/m")
''',
    "a Saver made before another module may make variables": '''
import tensorflow.compat.v1 as tf
from mine import head
v = tf.get_variable("v", [10, 10])
saver = tf.train.Saver()
logits = head(v)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    saver.restore(sess, "ck/m")
''',
    "a Saver that another function has": '''
import tensorflow.compat.v1 as tf
v = tf.get_variable("v", [10, 10])
saver = tf.train.Saver()
def main():
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        saver.restore(sess, "ck/m")
w = tf.get_variable("w", [10])
main()
''',
}
