"""Watches the first trace of each tf.function, where builds made variables apart from it: it is traced twice, as it would
be plainly, unless that comes to the same as taking its automatic names once more.
"""

import weakref

from firststep_agent import streams
from firststep_agent.boost.traces import first_traces, once, speech
from firststep_agent.frameworks.listening import CALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from firststep_agent.frameworks.door import While

_FUNCTIONS = "tensorflow.python.eager.polymorphic_function.polymorphic_function"


def watch(run: "Any", by: str, tells: bool = False) -> "Any":
    """A While (frameworks/door.py) that is open while a first trace is under way. The first of the remedies `by` has it watched.

    tells: this one calls `first_traces.look` when a trace begins, which an answer of its may make needless.
    """
    from firststep_agent.frameworks.points import points_at

    scope, new = run.door.scope("first trace")
    if tells:
        _told.append(scope)
    if new:
        (point,) = points_at("tensorflow", _FUNCTIONS, "Function._initialize")
        run.wrap(point, _listener(scope), by, until="exit")
    return scope


_told: "list[While]" = []  # scopes in which another tells when a trace begins


def _listener(scope: "While") -> "Callable[..., Iterator[Any]]":
    def _initialize(function, *arguments, **keywords):
        before, heard = streams.positions(), speech.Speech()
        given = arguments[:2] or (keywords.get("args"), keywords.get("kwds"))  # the third is TensorFlow's list of what the trace makes
        with scope, first_traces.FirstTrace(heard, (function._python_function, given)) as trace:
            if scope not in _told:
                trace.look(function)
            with heard:
                yield CALL
        if not trace.made or trace.settled or function._created_variables:
            return
        drew = streams.drew(before, streams.positions())
        graph = function._concrete_variable_creation_fn.graph
        if heard.said or trace.said or drew or not once.is_enough(trace, graph, trace.before):
            function._created_variables.append(weakref.ref(function))  # TensorFlow takes it as "made variables": traces again

    return _initialize
