"""Serves a ResNet50 of 100 MB from a SavedModel: one request after the other, by its serving signature."""
import argparse
import hashlib

import numpy as np
import tensorflow as tf

from make_models import model_path

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=24, help="how many requests to answer")
args = parser.parse_args()

rng = np.random.default_rng(6)
loaded = tf.saved_model.load(model_path("resnet50_saved_model"))
serve = loaded.signatures["serving_default"]
(argument,) = serve.structured_input_signature[1]

digest = hashlib.sha256()
for _ in range(args.steps):
    image = rng.uniform(0, 255, (1, 224, 224, 3)).astype("float32")
    (predictions,) = serve(**{argument: tf.constant(image)}).values()
    digest.update(predictions.numpy().tobytes())

print("best classes of the last", np.argsort(predictions.numpy()[0])[-5:].tolist())
print("predictions", digest.hexdigest())
