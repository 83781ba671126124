FOUND = {
    "a literal": '''
import tensorflow as tf
model = tf.keras.models.load_model("model.h5")  # <-
''',
    "a path that is put together": '''
import os
from tensorflow.keras.models import load_model
PATH = os.path.join(folder, "best.hdf5")
model = load_model(PATH, compile=False)  # <-
''',
    "formatted": '''
from keras.models import load_model
a = load_model(f"{folder}/model.h5")  # <-
b = load_model("{}/model.h5".format(folder))  # <-
c = load_model(folder / "model.h5")  # <-
''',
    "by keras.saving": '''
import keras
model = keras.saving.load_model("model.h5")  # <-
''',
}
SILENT = {
    "keras": '''
import keras
model = keras.models.load_model("model.keras")
''',
    "a SavedModel": '''
import tensorflow as tf
model = tf.keras.models.load_model("model_h5/")
''',
    "weights alone": '''
import keras
model.load_weights("model.weights.h5")
''',
    "a path that is not known": '''
import sys
import keras
model = keras.models.load_model(sys.argv[1])
''',
    "saved, not loaded": '''
import keras
model.save("model.h5")
''',
    "another library": '''
import keras
import h5py
file = h5py.File("model.h5")
''',
    "a load_model of one's own": '''
import keras
from mine import load_model
model = load_model("model.h5")
''',
}
