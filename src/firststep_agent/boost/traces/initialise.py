"""Watches the first trace of each tf.function, where builds made variables apart from it: it is traced twice, as it would
be plainly, unless that comes to the same as taking its automatic names once more.
"""

import weakref

from firststep_agent import streams
from firststep_agent.boost.traces import first_traces, once, speech
from firststep_agent.frameworks.listening import CALL

_FUNCTIONS = "tensorflow.python.eager.polymorphic_function.polymorphic_function"


def watch(run, by):
    """A While (frameworks/door.py) that is open while a first trace is under way. The first of the remedies `by` has it watched."""
    from firststep_agent.frameworks.points import points_at

    scope, new = run.door.scope("first trace")
    if new:
        (point,) = points_at("tensorflow", _FUNCTIONS, "Function._initialize")
        run.wrap(point, _listener(scope), by, until="exit")
    return scope


def _listener(scope):
    def _initialize(function, *arguments, **keywords):
        before, heard = streams.positions(), speech.Speech()
        with scope, first_traces.FirstTrace(heard) as trace, heard:
            yield CALL
        if not trace.made or trace.settled or function._created_variables:
            return
        drew = streams.drew(before, streams.positions())
        graph = function._concrete_variable_creation_fn.graph
        if heard.said or trace.said or drew or not once.is_enough(trace, function._python_function, graph):
            function._created_variables.append(weakref.ref(function))  # TensorFlow takes it as "made variables": traces again

    return _initialize
