"""What a second trace of a function would change beyond the first one, where the first made variables.

TensorFlow traces a function whose first trace made variables a second time, and runs that trace. Where the variables
are made apart from the trace, the second one is not needed for the graph; but its code also takes names from Keras's
counters, by which later layers and variables are named. One open FirstTrace accounts for them, per thread.
"""

import threading
from contextlib import contextmanager
from types import FunctionType

from firststep_agent import counted, kinds, ownership, streams
from firststep_agent.boost.traces import scopes
from firststep_agent.frameworks.points import points_at
from firststep_agent.frameworks.resolve import is_own
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Literal

    from firststep_agent.boost.traces.speech import Speech
    from firststep_agent.boost.traces.unchanged import AsItWas

_open = threading.local()
_CAPTURES, _REFUSES = "variable_capturing_scope", "invalid_creator_scope"  # TensorFlow's creators of variables: first trace, second
_CREATORS_IN = "/tensorflow/python/eager/polymorphic_function/", "/tensorflow/python/distribute/"
_OUTERMOST = 1000  # its priority: it is asked before all others
_CREATION = "tensorflow.python.eager.polymorphic_function.polymorphic_function", "UnliftedInitializerVariable.__init__"


class FirstTrace:
    """One function's trace. made: variables made apart from it, by builds of its own and not of a function inside.

    settled: another remedy has traced it as often as TensorFlow would have. unsure: a second trace could come out as
    another graph, or could take other names, whatever the function's own code does. said: whether it printed, warned
    or logged, as far as `heard`, the Speech that listens to it, or another has told. values: the function and what it is
    called with; before: what could be reached from there when it began (unchanged.AsItWas), once that was looked at. first: whether it is
    that of the function's first call, the only one in which TensorFlow lets it make variables. failed: a second one made some, and has
    raised what TensorFlow raises then.
    """

    def __init__(self, heard: "Speech | None" = None, values: "Any" = None, first: bool = True) -> None:
        self.heard = heard
        self.first = first
        self.failed = False
        self.before: AsItWas | None = None
        self._values = values
        self._options = None  # of the trace that has begun
        self.said = False
        self.made = 0
        self.settled = False
        self.unsure = False
        self._once: dict[str, int] = {}  # names taken by builds, which only happen once: prefix -> count
        self._inner = False  # a function inside took names: it is not traced again with this one
        self._building = 0

    def __enter__(self) -> "FirstTrace":
        self.outer = current()
        _open.trace = self
        self._before, self._counted = streams.names(), counted.now()
        return self

    def __exit__(self, *exception: "Any") -> "Literal[False]":
        _open.trace = self.outer
        self._taken = streams.moved(self._before, streams.names())
        self.unsure = self.unsure or self._counted != counted.now()  # a second trace would count them again
        if self.outer is not None and self._taken:
            self.outer._inner = True
        return False

    @contextmanager
    def build(self) -> "Iterator[None]":
        """What happens inside happens once, however often the function is traced."""
        before, self._building = streams.names(), self._building + 1
        try:
            yield
        finally:
            self._building -= 1
            if not self._building:
                streams.add(self._once, streams.moved(before, streams.names()))

    def look(self, options: "Any") -> None:
        """The trace begins now, with these options of TensorFlow's; later ones are of functions inside it, or of its second trace."""
        if self._values is None or self._options is not None:
            return
        from firststep_agent.boost.traces import unchanged

        self._options = options
        if self.outer is not None and self.outer.before is not None and self.outer.before.is_nothing:
            self.before = self.outer.before
            return
        try:
            self.before = unchanged.AsItWas(self._values)
        except Exception as error:  # a look at the program's objects that does not come to its end is never the program's error
            if is_theirs(error):
                raise

    def fail(self) -> None:
        """A second trace makes a variable."""
        self.failed = True

    def is_of(self, options: "Any") -> bool:
        """Whether a trace with these options of TensorFlow's is this one."""
        return self._values is not None and self._options is options

    def before_of(self, options: "Any") -> "AsItWas | None":
        """What was looked at where these options began it, else None."""
        return self.before if options is self._options else None

    def taken(self) -> "dict[str, int]":
        """How far this trace, which has ended, moved the counters, builds apart: {prefix: count}."""
        again = {prefix: count - self._once.get(prefix, 0) for prefix, count in self._taken.items()}
        return {prefix: count for prefix, count in again.items() if count}

    def names_again(self, graph: "Any") -> "dict[str, int] | None":
        """How far a second trace would move the counters, {prefix: count}; None where that cannot be told.

        graph: the FuncGraph of this trace, which has ended. One whose operations carry such a name would have other
        names in it the second time.
        """
        again = self.taken()
        if self.unsure or (again and (self._inner or _carries(graph, again))):
            return None
        return again


@contextmanager
def unheard() -> "Iterator[None]":
    """While this is open nothing listens to the open trace: what listens stands in Python's own functions."""
    trace = current()
    heard = None if trace is None else trace.heard
    if heard is None:
        yield
        return
    trace.heard = None  # nobody listens who could be told to stop
    heard.__exit__()
    try:
        yield
    finally:
        heard.__enter__()
        trace.heard = heard


@contextmanager
def apart() -> "Iterator[None]":
    """While this is open no trace is: what is traced meanwhile is no part of one that is."""
    with unheard():
        trace, _open.trace = current(), None
        try:
            yield
        finally:
            _open.trace = trace


def settle() -> None:
    """The function whose trace is open, if one is, has been traced as often as TensorFlow would have, or need not be."""
    trace = current()
    if trace is not None:
        trace.settled = True


def current() -> "FirstTrace | None":
    """The FirstTrace that is open in this thread, or None."""
    return getattr(_open, "trace", None)


@contextmanager
def build(read_before: bool = False) -> "Iterator[None]":
    """A build of an optimizer, of metrics, of a loss or of a layer, inside whatever trace is open, or none.

    read_before: the trace may have asked before this whether it was done, and gone another way.
    """
    trace = current()
    if trace is None:
        yield
        return
    trace.unsure = trace.unsure or read_before
    with trace.build():
        yield


def look(options: "Any") -> None:
    """A trace with these options of TensorFlow's begins: where it is the open FirstTrace's, what it may change is looked at."""
    trace = current()
    if trace is not None:
        with unheard():
            trace.look(options)


def may_make() -> bool:
    """Whether TensorFlow would let what is traced here, or is answered, make variables."""
    trace = current()
    return trace is not None and trace.first


def refusal() -> "Callable[..., Any]":
    """TensorFlow's creator of variables in a second trace, which raises. Raises LookupError where there is none."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    initialise = polymorphic_function.Function._initialize
    while hasattr(initialise, "__wrapped__"):
        initialise = initialise.__wrapped__
    code = next((each for each in initialise.__code__.co_consts if getattr(each, "co_name", "") == _REFUSES), None)
    if code is None:
        raise LookupError(_REFUSES)
    return FunctionType(code, vars(polymorphic_function))


@contextmanager
def again() -> "Iterator[None]":
    """A second trace, as TensorFlow would make it: who makes a variable gets TensorFlow's error. Raises LookupError where that cannot be
    found."""
    from tensorflow.python.framework import ops

    refuses, first = refusal(), current()

    def creator(next_creator, **keywords):
        if _functions(ops.get_default_graph()._variable_creator_stack) > functions + 1:
            return next_creator(**keywords)  # a function inside makes its own
        if first is not None:
            first.fail()
        return refuses(next_creator, **keywords)

    around = ops.get_default_graph()  # a function's own graph takes its creators over from the one around it
    creators = around._variable_creator_stack
    functions = _functions(creators)
    around._variable_creator_stack = [*creators, (_OUTERMOST, creator)]
    try:
        with FirstTrace(first=False):
            yield
    finally:
        around._variable_creator_stack = creators


def _functions(creators: "Iterable[tuple[int, Any]]") -> int:
    """How many functions' traces these creators are of."""
    return sum(getattr(creator, "__name__", "") in (_CAPTURES, _REFUSES) for _, creator in creators)


def why_not_apart() -> "str | None":
    """Why no variable may be made apart from a trace, in words; None where it may.

    What TensorFlow calls to make one inside is not called then, and so neither is what somebody has put in its place. A creator of
    variables of the program's would run outside the trace, and draw other numbers.
    """
    try:
        if are_programs_creators():
            return "the program has a say in how its variables are made (`tf.variable_creator_scope`)"
        _classes()
        scopes.check()
    except (AttributeError, ImportError) as error:  # told now: a build that fails on its way cannot be begun again
        return str(error)
    (creation,) = points_at("tensorflow", *_CREATION)
    return None if is_own(creation) else f"{creation.attribute} is not TensorFlow's own here, and would not be called"


def are_programs_creators() -> bool:
    """Whether any creator of variables that is open may be the program's: is none of TensorFlow's, that its functions and strategies open
    (Keras 2 does everything within the default strategy's), or of ours. A library's decorator may call one of the program's."""
    from tensorflow.python.framework import ops

    functions = [kinds.plain_function(creator) for _, creator in ops.get_default_graph()._variable_creator_stack]
    return not all(function is not None and _is_known(function.__code__.co_filename) for function in functions)


def _is_known(file: str) -> bool:
    return ownership.is_ours(file) or (ownership.owner(file) == ownership.FRAMEWORK and any(part in file for part in _CREATORS_IN))


def make_apart(next_creator: "Callable[..., Any]", scope: "str | None" = None, **keywords: "Any") -> "tuple[Any, str]":
    """TensorFlow's creator of variables where they are made apart from the open trace: counted there, of the class it would give them.
    With the name scope that it is named by; scope: another one than the open one."""
    plain, of_a_trace = _classes()
    trace = current()
    if trace is not None:
        trace.made += 1
    with scopes.making(keywords.get("name"), scope) as scope:
        variable = next_creator(**keywords)
    if type(variable) is plain:
        variable.__class__ = of_a_trace
    return variable, scope


def _classes() -> "tuple[type, type]":
    """A variable's class where it is made by itself, and where TensorFlow makes it inside a trace."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function
    from tensorflow.python.ops import resource_variable_ops

    return resource_variable_ops.ResourceVariable, polymorphic_function.UnliftedInitializerVariable


def _carries(graph: "Any", prefixes: "Iterable[str]") -> bool:
    """Whether an operation of the graph has an automatic name of these prefixes in its path: `relu`, `relu_3`."""
    parts = {part for operation in graph.get_operations() for part in operation.name.split("/")}
    for part in parts:
        prefix, _, number = part.rpartition("_")
        if part in prefixes or (number.isdigit() and prefix in prefixes):
            return True
    return False
