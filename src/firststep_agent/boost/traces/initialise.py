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
                try:
                    yield CALL
                except BaseException:
                    if trace.failed:  # plainly this ends with the first trace, and the second one fails
                        _end(function)
                    elif trace.made:
                        _has_made_variables(function)
                    raise
        if not trace.made or function._created_variables:
            return
        _has_made_variables(function)  # it traces again
        if trace.settled or _is_enough(function, trace, heard, before):
            _stands_for_both(function)

    return _initialize


def _is_enough(function: "Any", trace: "first_traces.FirstTrace", heard: "speech.Speech", before: "dict[str, Any]") -> bool:
    """Whether a second trace would come out as the first. before: where the random streams stood."""
    if heard.said or trace.said or streams.drew(before, streams.positions()):
        return False
    return once.is_enough(trace, function._concrete_variable_creation_fn.graph, trace.before)


def _has_made_variables(function: "Any") -> None:
    """As far as TensorFlow knows: it looks whether there is any, alive or not."""
    if not function._created_variables:
        function._created_variables.append(weakref.ref(function))


def _stands_for_both(function: "Any") -> None:
    """TensorFlow finds the function's first trace where it looks for the second one."""
    from tensorflow.python.eager.polymorphic_function import function_context, tracing_compilation

    context = function_context.make_function_context(tracing_compilation.ScopeType.NO_VARIABLE_CREATION)
    function._function_cache.add(function._concrete_variable_creation_fn, context)


def _end(function: "Any") -> None:
    """What TensorFlow does after the first trace."""
    from tensorflow.python.eager.polymorphic_function import tracing_compilation

    _has_made_variables(function)
    function._no_variable_creation_config = function._generate_scoped_tracing_options(
        first_traces.refusal(), tracing_compilation.ScopeType.NO_VARIABLE_CREATION)
