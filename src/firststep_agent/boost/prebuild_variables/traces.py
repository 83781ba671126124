"""Watches the first trace of each tf.function: one that drew from a random stream is traced twice, as it would be
plainly.
"""

import functools
import sys
import weakref


def watch(function_type, lifting):
    """function_type: TensorFlow's class of tf.functions."""
    original = function_type._initialize

    @functools.wraps(original)
    def _initialize(self, *arguments, **keywords):
        before = lifting.lifted, streams()
        original(self, *arguments, **keywords)
        if lifting.lifted > before[0] and not self._created_variables and streams() != before[1]:
            self._created_variables.append(weakref.ref(self))  # TensorFlow takes it as "made variables": traces again

    function_type._initialize = _initialize


def streams():
    """Where the random streams of Python, NumPy and eager TensorFlow stand, as far as the program uses them."""
    found = []
    if "random" in sys.modules:
        found.append(sys.modules["random"].getstate())
    if "numpy.random" in sys.modules:
        name, keys, *rest = sys.modules["numpy.random"].get_state(legacy=True)
        found.append((name, keys.tobytes(), *rest))
    context = sys.modules.get("tensorflow.python.eager.context")
    generator = context and getattr(context.context(), "_rng", None)
    if generator is not None:
        found.append(generator.getstate())
    return found
