FOUND = {
    "the second alone": '''
import tensorflow as tf
with tf.device("/GPU:1"):  # <-
    model.fit(data)
''',
    "by its long name": '''
import tensorflow as tf
with tf.device("/job:localhost/replica:0/task:0/device:GPU:3"):  # <-
    model.fit(data)
''',
    "a strategy of one": '''
import tensorflow as tf
strategy = tf.distribute.OneDeviceStrategy("/gpu:2")  # <-
model.fit(data)
''',
    "all but the first": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(1, 4):
    with tf.device(f"/gpu:{i}"):  # <-
        towers.append(tower(i))
session.run(towers)
''',
    "computed on one by the module itself": '''
import tensorflow as tf
with tf.device("/GPU:3"):  # <-
    print(tf.constant(1.0) + 1)
''',
}
SILENT = {
    "the first": '''
import tensorflow as tf
with tf.device("/GPU:0"):
    model.fit(data)
''',
    "the first two": '''
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
model.fit(data)
''',
    "visible": '''
import tensorflow as tf
gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[1], "GPU")
with tf.device("/GPU:1"):
    model.fit(data)
''',
    "in the environment": '''
import os
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
import tensorflow as tf
with tf.device("/GPU:1"):
    model.fit(data)
''',
    "the processor": '''
import tensorflow as tf
with tf.device("/CPU:1"):
    model.fit(data)
''',
    "a module": '''
import tensorflow as tf
def place():
    return tf.device("/GPU:1")
''',
    "spoken of": '''
import tensorflow as tf
print("/GPU:1")
model.fit(data)
''',
    "all of a loop": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device(f"/gpu:{i}"):
        towers.append(tower(i))
session.run(towers)
''',
    "more than anyone has": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(10**12):
    with tf.device(f"/gpu:{i}"):
        towers.append(tower(i))
session.run(towers)
''',
    "computed on one by a function of a module": '''
import tensorflow as tf
def compute():
    with tf.device("/GPU:3"):
        return tf.constant(1.0) + 1
''',
}
