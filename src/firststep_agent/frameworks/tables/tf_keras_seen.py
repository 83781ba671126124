"""Keras 2 as tf_keras: what else a start waits for."""

from firststep_agent.frameworks.tables.keras2_seen import points

POINTS = tuple(points("tf_keras.src.", "tf_keras", None))
