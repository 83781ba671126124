FOUND = {
    "a literal": '''
import tensorflow as tf
model = make()
model.load_weights("model.keras")  # <-
''',
    "a path that is put together": '''
import os
import keras
PATH = os.path.join(folder, "best.keras")
model = keras.Sequential(layers)
model.load_weights(filepath=PATH)  # <-
''',
    "formatted": '''
import keras
model.load_weights(f"{folder}/model.keras")  # <-
model.load_weights("{}/model.keras".format(folder))  # <-
model.load_weights(folder / "model.keras")  # <-
''',
}
SILENT = {
    "a whole model": '''
import keras
model = keras.models.load_model("model.keras")
''',
    "a whole model in HDF5, which is not slower": '''
import tensorflow as tf
model = tf.keras.models.load_model("model.h5")
''',
    "a SavedModel": '''
import tensorflow as tf
model = tf.keras.models.load_model("model_h5/")
''',
    "weights alone": '''
import keras
model.load_weights("model.weights.h5")
model.load_weights("old.h5")
''',
    "a path that is not known": '''
import sys
import keras
model.load_weights(sys.argv[1])
''',
    "saved, not loaded": '''
import keras
model.save("model.keras")
''',
}
