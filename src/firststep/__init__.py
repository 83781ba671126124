"""firststep: why a TensorFlow program starts slowly, and how to make it start fast. This package is the tool."""

from firststep.marks import keras_callback, mark, phase, result

__all__ = ["keras_callback", "mark", "phase", "result"]
