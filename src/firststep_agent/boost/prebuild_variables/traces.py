"""Watches the first trace of each tf.function: one that drew from a random stream, said something, or may have changed
something of the user's, is traced twice, as it would be plainly.
"""

import functools
import weakref

from firststep_agent.boost.cache_functions import learning, random_streams, speech
from firststep_agent.boost.prebuild_variables import effects


def watch(function_type, lifting):
    """function_type: TensorFlow's class of tf.functions."""
    original = function_type._initialize

    @functools.wraps(original)
    def _initialize(self, *arguments, **keywords):
        lifted, retraced, before = lifting.lifted, learning.retraced(), random_streams.positions()
        heard = speech.Speech()
        with heard:
            original(self, *arguments, **keywords)
        if lifting.lifted == lifted or self._created_variables or learning.retraced() != retraced:
            return
        moved = random_streams.moved(before, random_streams.positions())
        if heard.said or moved or lifting.attempt(effects.possible, self._python_function, failed=True):
            self._created_variables.append(weakref.ref(self))  # TensorFlow takes it as "made variables": traces again

    function_type._initialize = _initialize
