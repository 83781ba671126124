"""The same Keras fit on the backend that KERAS_BACKEND names; says when the first training step has ended."""
import keras
import numpy as np


class FirstStep(keras.callbacks.Callback):
    """The losses that a callback is given are numbers: the step's work is done."""

    def on_train_batch_end(self, batch, logs=None):
        if batch == 0:
            print("first step", logs["loss"], flush=True)


keras.utils.set_random_seed(7)
rng = np.random.default_rng(7)
images = rng.uniform(0, 255, (16, 64, 64, 3)).astype("float32")
labels = rng.integers(0, 10, 16).astype("int32")

model = keras.applications.ResNet50(weights=None, input_shape=(64, 64, 3), classes=10)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(images, labels, batch_size=8, epochs=1, verbose=0, callbacks=[FirstStep()])
