"""Why a function was traced again, in words: what differs from the traces before."""

import weakref

from firststep_agent import kinds
from firststep_agent.ownership import is_programs_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Traces:
    """All traces of this process so far, by the function they are of."""

    def __init__(self) -> None:
        self._of: dict[int, list[dict[str, Any]]] = {}  # function -> [parameters by name, ...]
        self._of_code: dict[Any, list[int]] = {}  # code -> functions
        self._functions: dict[int, tuple[Any, int]] = {}  # id of its cache -> (what gives the user's function, or None; its number)
        self._newest = 0  # number

    def describe(self, python_function: "Any", cache: int, parameters: "Mapping[str, Any]", scope: str) -> "dict[str, Any]":
        """Labels of one trace: "source", "trace" (its number for this function), "why".

        cache: the id of its cache. parameters: {name: object with `type_constraint`}. scope: TensorFlow's name for what the trace may do.
        """
        code, function = code_of(python_function), self._number(cache, python_function)
        shown = {name: getattr(parameter, "type_constraint", None) for name, parameter in parameters.items()}
        before = self._of.setdefault(function, [])
        functions = self._of_code.setdefault(code, [])
        why = _why(before, shown, scope) if before else _why_new(code, functions, function)
        before.append(shown)
        if function not in functions:
            functions.append(function)
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


def code_of(function: "Any") -> "Any":
    """The code object that the user wrote, under all that wraps it; None where there is none."""
    function = _innermost(function)
    code = getattr(function, "__code__", None)
    return code or getattr(vars(type(function)).get("__call__"), "__code__", None)


def _innermost(function: "Any") -> "Any":
    for _ in range(20):
        inner = getattr(function, "__wrapped__", None) or getattr(function, "python_function", None)
        inner = inner or getattr(function, "__func__", None) or getattr(function, "func", None)
        if inner is None or inner is function:
            break
        function = inner
    return function


def _why_new(code: "Any", functions: "list[int]", function: int) -> str:
    if functions and function not in functions and code is not None and is_programs_line(code.co_filename):
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
