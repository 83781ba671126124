"""tf.data's functions (`map`, `filter`, `flat_map`, …): what stands around the user's function, and what its trace leaves there.

tf.data traces a wrapper of its own around the user's function, once, when the dataset is made. The object that does so (a
StructuredFunctionWrapper) is given the structure of the function's elements by the trace. Nobody calls such a function
from Python: the dataset's kernels take it by its name, as it was traced.
"""

from firststep_agent.boost.cache_functions import outputs

_FILE = "/tensorflow/python/data/ops/structured_function.py"


def of(function):
    """The DataFunction behind what TensorFlow traces, or None where that is another kind of function."""
    code = getattr(function, "__code__", None)
    if code is None or not code.co_filename.endswith(_FILE) or code.co_name != "wrapped_fn":
        return None
    if "wrapper_helper" not in code.co_freevars:  # debug mode: a callback into Python
        return None
    return DataFunction(_cells(_cells(function)["wrapper_helper"]))


class DataFunction:
    """The user's function, and tf.data's object around it."""

    def __init__(self, cells):
        self._wrapper = cells["self"]
        self._autograph = cells["ag_ctx"]
        self.function = self._wrapper._func

    def describe(self):
        """What, besides function and types, decides what is traced, as text. Raises outputs.NotEncodable."""
        return "\n".join(["tf.data", f"autograph {self._autograph.status}", _options(self._autograph.options),
                          str(outputs.encode_nest(self._wrapper._input_structure))])

    def element(self):
        """JSON-able structure of what the function gives, set by its trace. Raises outputs.NotEncodable."""
        return outputs.encode_nest(self._wrapper._output_structure)

    def settle(self, element):
        """Leaves what the trace would have left: `element` is of `element()`. Raises outputs.NotEncodable."""
        self._wrapper._output_structure = outputs.decode_nest(element)


def _options(options):
    """AutoGraph's options as text, the same in every process."""
    if options is None:
        return "no options"
    features = sorted(str(feature) for feature in options.optional_features)
    return f"{options.recursive} {options.user_requested} {options.internal_convert_user_code} {features}"


def _cells(function):
    return {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, function.__closure__)}
