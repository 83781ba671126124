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
}
