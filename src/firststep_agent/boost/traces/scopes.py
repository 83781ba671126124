"""Name scopes around variables that are made apart from the trace which asks for them: as they are where that trace makes them.

TensorFlow names a variable by the scopes that are open around it, and the graph of a trace gives each of them a name of its own: the
second `mean` is `mean_1`. Outside of graphs a scope is called what it is asked to be.
"""

import collections
import contextlib
import weakref


class _Names:
    """Names that a graph would have given to scopes of builds, besides those that it has given. It does not give them: plainly its second
    trace counts, which builds nothing."""

    _name_stack = ""  # names are whole here

    def __init__(self, graph):
        self._of_graph = graph._names_in_use
        self._names_in_use = collections.ChainMap({}, self._of_graph)
        self._taken: list = []

    def give(self, name):
        """One that nothing in the graph has. What the graph has given since it was taken here would have been called otherwise there."""
        for taken in [each for each in self._taken if each in self._of_graph]:
            self._taken.remove(taken)
            self._take(taken)
        return self._take(name)

    def _take(self, name):
        from tensorflow.python.framework import ops

        given = ops.Graph.unique_name(self, name)  # asks the graph for no more than the two attributes
        self._taken.append(given.lower())
        return given


_names: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # graph -> _Names


class _Scope(str):
    """An open scope, or none, outside of the graph. TensorFlow opens one inside it as `scope + name + "/"`."""

    names: _Names

    @classmethod
    def of(cls, text, names):
        made = cls(text)
        made.names = names
        return made

    def __bool__(self):
        return True  # else TensorFlow would add to none that is there

    def __add__(self, more):
        return self.of(str(self) + more if more == "/" else self.give(more), self.names)

    def give(self, name):
        """The name that the graph would give within this scope."""
        return self.names.give(str(self) + name)


def check():
    """Raises AttributeError or ImportError where TensorFlow has not what this rests on."""
    from tensorflow.python.framework import ops

    _Scope.of(_now(), _Names(ops.get_default_graph())).give("scope")


@contextlib.contextmanager
def outside():
    """Leaves the graph that is under way, as TensorFlow's `init_scope`."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    graph = None if context.executing_eagerly() else ops.get_default_graph()
    with ops.init_scope(), contextlib.nullcontext() if graph is None else _open(_Scope.of(_now(), _names_of(graph))):
        yield


@contextlib.contextmanager
def making(name, scope=None):
    """Around the making of a variable of this name, in the scope that is open, or another one. Gives the scope."""
    if scope is None:
        open_now = _now()
        if type(open_now) is _Scope:
            open_now.give(name or "Variable")  # TensorFlow opens one for its first value
        scope = str(open_now)
    with _open(scope):
        yield scope


def left():
    """Around what plainly has left the graph by itself: scopes are called there what they are asked to be."""
    return _open(str(_now()))


def _names_of(graph):
    if graph not in _names:
        _names[graph] = _Names(graph)
    return _names[graph]


def _now():
    from tensorflow.python.eager import context

    return context.context().scope_name


@contextlib.contextmanager
def _open(scope):
    from tensorflow.python.eager import context

    here = context.context()
    before, here.scope_name = here.scope_name, scope
    try:
        yield
    finally:
        here.scope_name = before
