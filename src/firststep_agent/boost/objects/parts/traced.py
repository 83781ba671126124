"""A traced function (`ConcreteFunction`) that the program holds, as a SavedModel brings them: its graph, and what that captures."""

import weakref

from firststep_agent import kinds
from firststep_agent.boost.objects import canonical, gradients
from firststep_agent.boost.objects.special import NO_FILTER, OWN, put_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.objects.reading import Reading
    from firststep_agent.boost.objects.special import Parts

_NAME = "a traced function (`ConcreteFunction`)"

_graphs: "weakref.WeakKeyDictionary[Any, str]" = weakref.WeakKeyDictionary()  # what TensorFlow calls -> its graph, in a word


def of_traced(value: "Any", reading: "Reading") -> "Parts":
    if any(map(callable, value._captured_inputs)):
        return f"!{_NAME} that computes what it captures at each call", (), NO_FILTER
    function = value._inference_function
    graph = _graphs.get(function)
    if graph is None:
        graph = _graphs[function] = _graph(function)
    if graph[0] == "!":
        return graph, (), NO_FILTER
    takes = [f"{each.name} {each.kind.name} {each.type_constraint!r}" for each in value.function_type.parameters.values()]
    children = [(f"captured {n}", each) for n, each in enumerate(captured(value))]
    return f"{graph} {takes} {value.function_type.output!r}", [*children, *put_on(value, _own(type(value)))], OWN


def captured(value: "Any") -> "list[Any]":
    """The variables and other tensors that a traced function captures, in its order."""
    variables = {id(variable.handle): variable for variable in value.graph.variables}
    return [variables.get(id(each), each) for each in value._captured_inputs]


def _own(cls: type) -> "frozenset[str]":
    """The attributes that TensorFlow sets itself, and what goes by ours while it is watched."""
    made_by = (kinds.plain_function(kinds.namespace(base).get("__init__")) for base in kinds.mro(cls))
    return frozenset(name for function in made_by if function is not None for name in function.__code__.co_names) | OURS


LATE_USE = "_firststep_late_use"  # what a function that is confirmed keeps for its first use that an answer would be traced for
OURS = {"_call_flat", "__reduce_ex__", LATE_USE}


def _graph(function: "Any") -> str:
    if gradients.are_users(function):
        return f"!{_NAME} with gradients of the program's own"
    return f"traced function {canonical.exact_digest(function)}"
