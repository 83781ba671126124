"""Name scopes around variables that are made apart from the trace which asks for them: as they are where that trace makes them.

TensorFlow names a variable by the scopes that are open around it, and the graph of a trace gives each of them a name of its own: the
second `mean` is `mean_1`. Outside of graphs a scope is called what it is asked to be.
"""

import collections
import contextlib
import weakref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class _Names:
    """Names that a graph would have given to scopes of builds, besides those that it has given. It does not give them: plainly its second
    trace counts, which builds nothing."""

    _name_stack = ""  # names are whole here

    def __init__(self, graph: "Any") -> None:
        self._of_graph = graph._names_in_use
        self._names_in_use = collections.ChainMap({}, self._of_graph)
        self._taken: list[str] = []

    def give(self, name: str) -> str:
        """One that nothing in the graph has. What the graph has given since it was taken here would have been called otherwise there."""
        for taken in [each for each in self._taken if each in self._of_graph]:
            self._taken.remove(taken)
            self._take(taken)
        return self._take(name)

    def _take(self, name: str) -> str:
        from tensorflow.python.framework import ops

        given: str = ops.Graph.unique_name(self, name)  # asks the graph for no more than the two attributes
        self._taken.append(given.lower())
        return given


_names: "weakref.WeakKeyDictionary[Any, _Names]" = weakref.WeakKeyDictionary()  # graph -> _Names


class _Scope(str):
    """An open scope, or none, outside of the graph. TensorFlow opens one inside it as `scope + name + "/"`."""

    names: "_Names"

    @classmethod
    def of(cls, text: str, names: "_Names") -> "Any":
        made = cls(text)
        made.names = names
        return made

    def __bool__(self) -> bool:
        return True  # else TensorFlow would add to none that is there

    def __add__(self, more: str) -> "Any":
        return self.of(str(self) + more if more == "/" else self.give(more), self.names)

    def give(self, name: str) -> str:
        """The name that the graph would give within this scope."""
        return self.names.give(str(self) + name)


def check() -> None:
    """Raises AttributeError or ImportError where TensorFlow has not what this rests on."""
    from tensorflow.python.framework import ops

    _Scope.of(_now(), _Names(ops.get_default_graph())).give("scope")


@contextlib.contextmanager
def outside() -> "Iterator[None]":
    """Leaves the graph that is under way, as TensorFlow's `init_scope`."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    graph = None if context.executing_eagerly() else ops.get_default_graph()
    with ops.init_scope(), contextlib.nullcontext() if graph is None else _open(_Scope.of(_now(), _names_of(graph))):
        yield


@contextlib.contextmanager
def making(name: "str | None", scope: "str | None" = None) -> "Iterator[str]":
    """Around the making of a variable of this name, in the scope that is open, or another one. Gives the scope."""
    if scope is None:
        open_now = _now()
        if type(open_now) is _Scope:
            open_now.give(name or "Variable")  # TensorFlow opens one for its first value
        scope = str(open_now)
    with _open(scope):
        yield scope


def _names_of(graph: "Any") -> "_Names":
    if graph not in _names:
        _names[graph] = _Names(graph)
    return _names[graph]


def _now() -> "Any":
    from tensorflow.python.eager import context

    return context.context().scope_name


@contextlib.contextmanager
def _open(scope: str) -> "Iterator[None]":
    from tensorflow.python.eager import context

    here = context.context()
    before, here.scope_name = here.scope_name, scope
    try:
        yield
    finally:
        here.scope_name = before
