FOUND = {
    "a strategy": '''
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy()  # <-
with strategy.scope():
    model = build()
model.fit(data)
''',
    "a second GPU": '''
import tensorflow as tf
def main():
    with tf.device("/GPU:1"):  # <-
        train()
if __name__ == "__main__":
    main()
''',
    "several workers": '''
from tensorflow import distribute
strategy = distribute.experimental.MultiWorkerMirroredStrategy()  # <-
model.fit(data)
''',
    "every number of a loop": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device("/gpu:%d" % i):  # <-
        towers.append(tower(i))
session.run(towers)
''',
    "every number of a loop, in a tuple": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device("/device:GPU:%d" % (i,)):  # <-
        towers.append(tower(i))
session.run(towers)
''',
    "every number of a loop, in braces": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(GPUS):
    with tf.device(f"/gpu:{i}"):  # <-
        towers.append(tower(i))
session.run(towers)
''',
    "every number of a loop, by format": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device("GPU:{}".format(i)):  # <-
        towers.append(tower(i))
session.run(towers)
''',
    "every number of a loop, by addition": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device("/gpu:" + str(i)):  # <-
        towers.append(tower(i))
session.run(towers)
''',
    "every number of a loop, and of a later one with the same name": '''
import tensorflow.compat.v1 as tf
for i in range(2):
    with tf.device("/gpu:%d" % i):  # <-
        for step in (1, 2):
            towers.append(tower(i))
for i in range(steps):
    session.run(towers)
''',
    "every number of a comprehension": '''
import tensorflow.compat.v1 as tf
def place(device):
    with device:
        return tower()
towers = [place(tf.device(f"/gpu:{i}")) for i in range(4)]  # <-
session.run(towers)
''',
}
SILENT = {
    "growth": '''
import tensorflow as tf
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
strategy = tf.distribute.MirroredStrategy()
model.fit(data)
''',
    "in the environment": '''
import os
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
import tensorflow as tf
strategy = tf.distribute.MirroredStrategy()
model.fit(data)
''',
    "visible devices": '''
import os
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
import tensorflow as tf
with tf.device("/GPU:1"):
    model.fit(data)
''',
    "one GPU": '''
import tensorflow as tf
with tf.device("/GPU:0"):
    model.fit(data)
''',
    "a module": '''
import tensorflow as tf
def make():
    return tf.distribute.MirroredStrategy()
''',
    "no strategy": '''
import tensorflow as tf
model.fit(data)
''',
    "TPUs": '''
import tensorflow as tf
strategy = tf.distribute.TPUStrategy(resolver)
model.fit(data)
''',
    "as many GPUs as are asked for": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(flags.gpus):
    with tf.device("/gpu:%d" % i):
        towers.append(tower(i))
session.run(towers)
''',
    "one number of a loop": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(1):
    with tf.device("/gpu:%d" % i):
        towers.append(tower(i))
session.run(towers)
''',
    "the processors of a loop": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device("/cpu:%d" % i):
        towers.append(tower(i))
session.run(towers)
''',
    "workers of a loop": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device("/job:worker/task:%d" % i):
        towers.append(tower(i))
session.run(towers)
''',
    "the first GPU of each worker": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device("/job:worker/task:%d/gpu:0" % i):
        towers.append(tower(i))
session.run(towers)
''',
    "the next GPU": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    with tf.device("/gpu:%d" % (i % 1)):
        towers.append(tower(i))
session.run(towers)
''',
    "a number that is given anew": '''
import tensorflow.compat.v1 as tf
GPUS = 4
for i in range(4):
    i = 0
    with tf.device("/gpu:%d" % i):
        towers.append(tower(i))
session.run(towers)
''',
    "a number that an inner loop gives anew": '''
import tensorflow.compat.v1 as tf
for i in range(4):
    for i in numbers:
        with tf.device("/gpu:%d" % i):
            towers.append(tower(i))
session.run(towers)
''',
    "a number of a loop that has ended": '''
import tensorflow.compat.v1 as tf
for i in range(4):
    print(i)
with tf.device("/gpu:%d" % i):
    session.run(towers)
''',
}
