"""Example 2: Utilizing TensorFlow Lite for Mobile/Embedded Deployment.

The model building code is a small classifier, trained and exported to a temporary folder; what was converted
is then used, as the snippet's last comment asks.
"""
import contextlib
import hashlib
import os
import sys
import tempfile

import numpy as np
import tensorflow as tf

# ... model building code ...
tf.keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)
model = tf.keras.Sequential([
    tf.keras.Input(shape=(784,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
x_train, y_train = rng.random((24 * 32, 784), dtype=np.float32), rng.integers(0, 10, 24 * 32)
history = model.fit(x_train, y_train, batch_size=32, verbose=0)

with tempfile.TemporaryDirectory() as folder:
    saved_model_dir = os.path.join(folder, "model")
    with contextlib.redirect_stdout(sys.stderr):  # it prints the temporary folder's name
        model.export(saved_model_dir)

    # Convert the model to TensorFlow Lite format
    converter = tf.lite.TFLiteConverter.from_saved_model(saved_model_dir)
    tflite_model = converter.convert()

    # Save the TensorFlow Lite model
    with open(os.path.join(folder, "model.tflite"), "wb") as f:
        f.write(tflite_model)

    # ... load and use the tflite model in your application ...
    interpreter = tf.lite.Interpreter(model_path=os.path.join(folder, "model.tflite"))
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x_train[:1])
    interpreter.invoke()
    prediction = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])

print("history", history.history)
print("prediction", prediction[0].tolist())
print("weights", hashlib.sha256(b"".join(w.tobytes() for w in model.get_weights())).hexdigest())
