"""firststep: why a TensorFlow program starts slowly, and how to make it start fast. This package is the tool."""

from firststep.marks import mark, result

__all__ = ["mark", "result"]
