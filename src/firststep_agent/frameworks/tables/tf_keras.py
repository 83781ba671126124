"""Keras 2 as tf_keras: where steps and remedies stand."""

from firststep_agent.frameworks.tables.keras2 import points

POINTS = tuple(points("tf_keras.src.", "tf_keras", None))
