"""The program's own objects, and all namespaces and variables, whoever holds them: a local name of a caller, a library's module.

What a trace does to them is seen although no path from the function or from a module of the program's leads there.
"""

import gc
import sys
import types

from firststep_agent import ownership


def now():
    """Addresses of those that there are now."""
    is_held = _Held()
    return frozenset(id(value) for value in gc.get_objects() if is_held(value))


def roots(known):
    """[(name, value)] of those whose addresses are `known`, in an order that two forks share."""
    is_held = _Held()
    found = [value for value in gc.get_objects() if id(value) in known and is_held(value) and is_held.has_value(value)]
    return [(f"a `{type(value).__qualname__}` of the program's", value) for value in sorted(found, key=id)]


class _Held:
    """Whether a value is one of them."""

    def __init__(self):
        self._kinds: dict = {}
        module = sys.modules.get("tensorflow.python.ops.resource_variable_ops")
        self._variable = () if module is None else module.BaseResourceVariable

    def __call__(self, value):
        kind = type(value)
        found = self._kinds.get(kind)
        if found is None:
            found = self._kinds[kind] = (ownership.is_programs(kind.__module__) or kind is types.SimpleNamespace
                                         or issubclass(kind, self._variable))
        return found

    def has_value(self, value):
        """False for a variable of a graph, and for one that was not assigned yet."""
        return not isinstance(value, self._variable) or (not value._in_graph_mode and bool(value.is_initialized()))
