"""Make, fill and read variables without a TensorFlow function around each operation.

TensorFlow puts every new kind of eager operation into a function of its own and sends that through its graph passes:
half a millisecond each. A variable's name makes the operation that creates it a new kind, so a model pays for each of its
variables, and again for each slot of its optimizer.

Exact because these operations compute nothing: they make a handle, store a tensor, hand it out.

It leaves alone: every other operation; processes with other devices than one CPU; moments when another thread runs,
or a `tf.py_function` exists; errors, which come from the function as plainly.
"""

SHORT = "variables made directly"
ORDER = 45
NEEDS_CACHE = False
SETTINGS: dict[str, object] = {}
