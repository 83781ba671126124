"""Why a function was traced again, in words: what differs from the traces before."""

import weakref

from firststep_agent import kinds
from firststep_agent.ownership import is_programs_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

_DEEP = 20  # wrappers
_LOOKED_AT = 100  # traces of one code, the latest
_PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Traces:
    """All traces of this process so far, by the function they are of."""

    def __init__(self) -> None:
        self._of: dict[int, list[dict[str, Any]]] = {}  # function -> [parameters by name, ...]
        self._of_code: dict[Any, list[_MadeOf]] = {}  # code -> what was traced of it
        self._functions: dict[int, tuple[Any, int]] = {}  # id of its cache -> (what gives the user's function, or None; its number)
        self._newest = 0  # number

    def describe(self, python_function: "Any", cache: int, parameters: "Mapping[str, Any]", scope: str,
                 captured: "Iterable[Any]" = ()) -> "dict[str, Any]":
        """Labels of one trace: "source", "trace" (its number for this function), "why".

        cache: the id of its cache. parameters: {name: object with `type_constraint`}. scope: TensorFlow's name for what the trace may do.
        captured: the tensors that it captures.
        """
        code, function = code_of(python_function), self._number(cache, python_function)
        shown = {name: getattr(parameter, "type_constraint", None) for name, parameter in parameters.items()}
        before, earlier = self._of.setdefault(function, []), self._of_code.setdefault(code, [])
        made = _MadeOf(python_function, shown, captured)
        why = _why(before, shown, scope) if before else _why_new(code, earlier, made)
        before.append(shown)
        earlier.append(made)
        labels = {"trace": len(before), "why": why}
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

    def __init__(self, python_function: "Any", shown: "dict[str, Any]", captured: "Iterable[Any]") -> None:
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
    owner = getattr(layer, "__self__", None)
    known = getattr(owner, "weakrefself_target__", None)  # TensorFlow's own, of a decorated method
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
    return tuple((type(value), value) if type(value) in _PLAIN else id(value) for value in values)


def code_of(function: "Any") -> "Any":
    """The code object that the user wrote, under all that wraps it; None where there is none."""
    function = _innermost(function)
    code = getattr(function, "__code__", None)
    return code or getattr(vars(type(function)).get("__call__"), "__code__", None)


def _innermost(function: "Any") -> "Any":
    *_, last = _layers(function)
    return last


def _layers(function: "Any") -> "Iterator[Any]":
    """All that wraps the user's function, and in the end that."""
    yield function
    for _ in range(_DEEP):
        inner = getattr(function, "__wrapped__", None) or getattr(function, "python_function", None)
        inner = inner or getattr(function, "__func__", None) or getattr(function, "func", None)
        if inner is None or inner is function:
            break
        function = inner
        yield function


def _why_new(code: "Any", earlier: "list[_MadeOf]", made: "_MadeOf") -> str:
    if code is not None and is_programs_line(code.co_filename) and any(one.is_like(made) for one in earlier[-_LOOKED_AT:]):
        return "new function with the same code (made in a loop)"
    return "first trace"


def _why(before: "list[dict[str, Any]]", shown: "dict[str, Any]", scope: str) -> str:
    nearest = min((differences(earlier, shown) for earlier in before), key=len)
    if nearest:
        return "; ".join(nearest)
    if scope == "NO_VARIABLE_CREATION":
        return "variables were made in the first trace"
    return "same arguments, traced elsewhere (device, strategy or graph)"


def differences(earlier: "dict[str, Any]", later: "dict[str, Any]") -> "list[str]":
    """In words, one each, what differs between two {parameter: type}."""
    found = []
    for name in {**earlier, **later}:
        if name not in earlier or name not in later:
            found.append(f"{name}: {'not given' if name in earlier else 'given'} this time")
        else:
            found += [f"{name}: {what}" for what in _type_differences(earlier[name], later[name])]
    return found


def _type_differences(earlier: "Any", later: "Any") -> "list[str]":
    if earlier == later:
        return []
    if hasattr(earlier, "value") and hasattr(later, "value"):
        return [f"Python value {_short(earlier.value)} -> {_short(later.value)}"]
    if hasattr(earlier, "shape") and hasattr(later, "shape"):
        found = []
        if str(earlier.shape) != str(later.shape):
            found.append(f"shape {earlier.shape} -> {later.shape}")
        if getattr(earlier, "dtype", None) != getattr(later, "dtype", None):
            found.append(f"dtype {_dtype(earlier)} -> {_dtype(later)}")
        return found or [f"{_short(earlier)} -> {_short(later)}"]
    inner, other = _components(earlier), _components(later)
    if inner and other and len(inner) == len(other):
        return [what for one, two in zip(inner, other) for what in _type_differences(one, two)]
    return [f"{_short(earlier)} -> {_short(later)}"]


def _components(kind: "Any") -> "Any":
    """The types inside a tuple's, list's or dict's type."""
    inner = getattr(kind, "components", None)
    if inner is None:
        mapping = getattr(kind, "mapping", None)
        inner = list(mapping.values()) if mapping else None
    return getattr(inner, "components", inner)


def _dtype(spec: "Any") -> "Any":
    return getattr(spec.dtype, "name", spec.dtype)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
