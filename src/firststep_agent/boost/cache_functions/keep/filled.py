"""Tensors of a graph that are filled with constants: what they hold is known without running anything.

`tf.Variable(tf.zeros(shape))` in a layer's `build` makes such a tensor where the layer is built inside a trace. TensorFlow lifts
it out of that graph, runs it, and assigns what comes out.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OPERATIONS = frozenset(("Const", "Fill"))  # what `tf.zeros`, `tf.ones`, `tf.fill` and `tf.constant` make; exact in every bit


def contents(tensor: "Any", dtype: "Any") -> "Any":
    """The array that it holds; None where that is not known of all that it is made of, or a variable of `dtype` (None: any) would not
    take it."""
    if dtype is not None and dtype != tensor.dtype or not (tensor.dtype.is_floating or tensor.dtype.is_integer or tensor.dtype.is_bool):
        return None
    made_of = [tensor.op, *(each.op for each in tensor.op.inputs)]
    if not all(operation.type in _OPERATIONS for operation in made_of):
        return None
    import tensorflow

    return tensorflow.get_static_value(tensor)
