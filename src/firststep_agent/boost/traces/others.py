"""Whether other code of the program's may run meanwhile: what is put back then would be taken from it.

Threads of Python's are counted. Those of TensorFlow's own come to Python through functions that are registered for it: `tf.py_function`,
and the generators of data sets.
"""

import sys
from _thread import _count as threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def may_run() -> bool:
    """Whether any other thread may run Python code now."""
    return bool(threads() or called_by_tensorflow())


def called_by_tensorflow() -> "Mapping[Any, Any]":
    """The functions that TensorFlow's threads may call, as TensorFlow keeps them."""
    module = sys.modules.get("tensorflow.python.ops.script_ops")
    return {} if module is None else module._py_funcs._funcs
