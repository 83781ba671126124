"""Watches the first trace of each tf.function, where builds made variables apart from it: it is traced twice, as it would
be plainly, unless that comes to the same as taking its automatic names once more.
"""

import functools
import weakref

from firststep_agent.boost.cache_functions import first_traces, once, random_streams, speech


def watch(function_type):
    """function_type: TensorFlow's class of tf.functions. Watching it again changes nothing."""
    original = function_type._initialize
    if hasattr(original, "firststep_watches"):
        return

    @functools.wraps(original)
    def _initialize(self, *arguments, **keywords):
        before, heard = random_streams.positions(), speech.Speech()
        with first_traces.FirstTrace(heard) as trace, heard:
            original(self, *arguments, **keywords)
        if not trace.made or trace.settled or self._created_variables:
            return
        drew = random_streams.drew(before, random_streams.positions())
        graph = self._concrete_variable_creation_fn.graph
        if heard.said or trace.said or drew or not once.is_enough(trace, self._python_function, graph):
            self._created_variables.append(weakref.ref(self))  # TensorFlow takes it as "made variables": traces again

    _initialize.firststep_watches = True  # type: ignore[attr-defined]
    function_type._initialize = _initialize
