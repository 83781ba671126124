"""Registrations say where they were made, in the same words."""

from __future__ import annotations

import pytest

PROGRAM = """
import traceback
import tensorflow as tf
from tensorflow.python.framework import ops, registry

@tf.RegisterGradient("FirststepMine")
def gradient(op, upstream):
    return upstream

try:
    tf.RegisterGradient("FirststepMine")(gradient)
except KeyError as error:
    print(error)
for name in ("MatMul", "FirststepMine"):
    place = ops.gradient_registry._registry[name]["location"]
    print(type(place), place.filename, place.lineno, place.name, repr(place.line), len(list(place)))
    print(traceback.format_list([place]), place == tuple(place))
print(registry.traceback.format_exc is not None, len(ops.gradient_registry.list()))
"""


@pytest.mark.tensorflow
def test_places_and_errors_are_as_plainly(box, tensorflow_python):
    box.write("program.py", PROGRAM)
    boosted = box.boost("program.py", options=("--only", "defer-source-lines"), python=tensorflow_python)
    plain = box.plain("program.py", python=tensorflow_python)
    assert boosted.out == plain.out and "Previous registration" in plain.out, plain.said
    assert boosted.live("defer-source-lines"), boosted.said
