"""Why a function was traced again, in words: what differs from the traces before."""

import weakref

from firststep_agent import kinds
from firststep_agent.observe.labels import arguments, said
from firststep_agent.ownership import is_programs_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from firststep_agent.observe.labels.arguments import Kind

_DEEP = 20  # wrappers
_INNER = ("__wrapped__", "python_function", "__func__", "func")
_LOOKED_AT = 100  # traces of one code, the latest
_SHOWN = 300  # characters of a signature


class Traces:
    """All traces of this process so far, by the function they are of."""

    def __init__(self) -> None:
        self._of: dict[int, list[dict[str, Kind]]] = {}  # function -> [parameters by name, ...]
        self._of_code: dict[Any, list[_MadeOf]] = {}  # code -> what was traced of it
        self._functions: dict[int, tuple[Any, int]] = {}  # id of its cache -> (what gives the user's function, or None; its number)
        self._newest = 0  # number

    def describe(self, python_function: "Any", cache: int, parameters: "Mapping[str, Any]", scope: str,
                 captured: "Iterable[Any]" = ()) -> "dict[str, Any]":
        """Labels of one trace: "source", "trace" (its number for this function), "why", and of one with parameters "signature".

        cache: the id of its cache. parameters: {name: object with `type_constraint`}. scope: TensorFlow's name for what the trace may do.
        captured: the tensors that it captures.
        """
        code, function = code_of(python_function), self._number(cache, python_function)
        shown = {name: arguments.kind_of(getattr(parameter, "type_constraint", None)) for name, parameter in parameters.items()}
        before, earlier = self._of.setdefault(function, []), self._of_code.setdefault(code, [])
        made = _MadeOf(python_function, shown, captured)
        why = _why(before, shown, scope) if before else _why_new(code, earlier, made)
        before.append(shown)
        earlier.append(made)
        labels = {"trace": len(before), "why": why}
        if shown:
            labels["signature"] = f"({', '.join(f'{name}: {kind[1]}' for name, kind in shown.items())})"[:_SHOWN]
        if code is not None:
            labels["source"] = f"{code.co_filename}:{code.co_firstlineno}"
        return labels

    def _number(self, cache: int, python_function: "Any") -> int:
        """Which function it is: a later one may have the cache's id of one that is gone."""
        known, number = self._functions.get(cache, (None, 0))
        if not number or known is not None and known() is None:
            users = _innermost(python_function)
            self._newest = number = self._newest + 1
            self._functions[cache] = (weakref.ref(users) if type(users) is kinds.FUNCTION else None), number
        return number


class _MadeOf:
    """What a trace was made of, beside its code: two that agree in all of it give one graph, as far as can be told.

    A method is its instance's as long as that lives: two objects may differ in whatever the trace reads of them. Whether what the function
    names is another is told by values where they are plain, else by identity.
    """

    def __init__(self, python_function: "Any", shown: "dict[str, Kind]", captured: "Iterable[Any]") -> None:
        self.shown = shown
        self.variables = {id(tensor) for tensor in captured if getattr(getattr(tensor, "dtype", None), "name", "") == "resource"}
        self.cells = _held(_innermost(python_function))
        self.instance = next(filter(None, map(_instance, _layers(python_function))), None)

    def is_like(self, later: "_MadeOf") -> bool:
        """Whether the later one could have been spared."""
        mine, its = (None if one.instance is None else one.instance() for one in (self, later))
        return (later.variables == self.variables and later.cells == self.cells and (mine is None or mine is its)
                and not differences(self.shown, later.shown))


def _instance(layer: "Any") -> "Any":
    """A weak reference to what a bound method belongs to; None where it is none."""
    owner = said.attribute(layer, "__self__")
    known = said.attribute(owner, "weakrefself_target__")  # TensorFlow's own, of a decorated method
    if owner is None or known is not None:
        return known
    try:
        return weakref.ref(owner)
    except TypeError:
        return None


def _held(function: "Any") -> "tuple[Any, ...]":
    """What a function's closure, its defaults and the globals that it names hold, so that it can be compared and keeps nothing alive."""
    if type(function) is not kinds.FUNCTION:
        return ()
    values = [function.__globals__.get(name) for name in function.__code__.co_names]
    values += function.__defaults__ or ()
    for cell in function.__closure__ or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:  # not assigned yet
            values.append(None)
    return tuple((type(value), value) if id(type(value)) in arguments.PLAIN else id(value) for value in values)


def code_of(function: "Any") -> "Any":
    """The code object that the user wrote, under all that wraps it; None where there is none."""
    function = _innermost(function)
    code = said.attribute(function, "__code__")
    return code or said.attribute(kinds.namespace(type(function)).get("__call__"), "__code__")


def _innermost(function: "Any") -> "Any":
    *_, last = _layers(function)
    return last


def _layers(function: "Any") -> "Iterator[Any]":
    """All that wraps the user's function, and in the end that."""
    yield function
    for _ in range(_DEEP):
        inner = next((inner for name in _INNER if (inner := said.attribute(function, name)) is not None), None)
        if inner is None or inner is function:
            break
        function = inner
        yield function


def _why_new(code: "Any", earlier: "list[_MadeOf]", made: "_MadeOf") -> str:
    if code is not None and is_programs_line(code.co_filename) and any(one.is_like(made) for one in earlier[-_LOOKED_AT:]):
        return "new function with the same code (made in a loop)"
    return "first trace"


def _why(before: "list[dict[str, Kind]]", shown: "dict[str, Kind]", scope: str) -> str:
    nearest = min((differences(earlier, shown) for earlier in before), key=len)
    if nearest:
        return "; ".join(nearest)
    if scope == "NO_VARIABLE_CREATION":
        return "variables were made in the first trace"
    return "same arguments, traced elsewhere (device, strategy or graph)"


def differences(earlier: "dict[str, Kind]", later: "dict[str, Kind]") -> "list[str]":
    """In words, one each, what differs between two {parameter: its kind}."""
    found = []
    for name in {**earlier, **later}:
        if name not in earlier or name not in later:
            found.append(f"{name}: {'not given' if name in earlier else 'given'} this time")
        else:
            found += [f"{name}: {what}" for what in arguments.differences(earlier[name], later[name])]
    return found
