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
}
