"""Answers one request with a saved classifier: by TensorFlow Lite (`lite FILE`), or by TensorFlow (`full FOLDER`)."""
import sys

import numpy as np
import tensorflow as tf

kind, path = sys.argv[1:]
image = np.zeros((1, 32, 32, 3), dtype="float32")
if kind == "convert":
    source, made = path.split(":")
    with open(made, "wb") as file:
        file.write(tf.lite.TFLiteConverter.from_saved_model(source).convert())
elif kind == "lite":
    interpreter = tf.lite.Interpreter(model_path=path)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], image)
    interpreter.invoke()
    print(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).tolist())
else:
    model = tf.saved_model.load(path)
    print(model.serve(image).numpy().tolist())
