"""Keras 2 as tf_keras: private attributes of its objects."""

from firststep_agent.frameworks.tables.keras2_objects import points

POINTS = tuple(points("tf_keras.src.", "tf_keras", None))
