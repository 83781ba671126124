"""One top-level trace on the learning run: what it builds, what it moves, what it was made from."""

import threading

from firststep_agent import counted, streams
from firststep_agent.boost.cache_functions.keep import build_arguments, builds, undo
from firststep_agent.boost.cache_functions.learn import purity
from firststep_agent.boost.cache_functions.learn.elsewhere import Elsewhere
from firststep_agent.boost.cache_functions.reads import executed
from firststep_agent.boost.cache_functions.reads.built import Built
from firststep_agent.boost.traces import first_traces, once, others, speech
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

_current: "Learning | None" = None


def current() -> "Learning | None":
    """The Learning whose trace is running in this thread, or None."""
    learning = _current
    if learning is not None and learning.thread == threading.get_ident():
        return learning
    return None


def trains(name: str) -> None:
    """A training step is being traced (run.on_training)."""
    learning = current()
    if learning is not None:
        learning.trains()


def calls_model() -> None:
    """A model is called by what is being traced."""
    learning = current()
    if learning is not None:
        learning.has_called_a_model()


class Learning:
    """Wraps the trace of one function. `refused` says, in words, why the function is not kept, or is None."""

    def __init__(self, name: str, function: "Any", path_of: "Callable[[Any], list[str] | None]") -> None:
        self.thread = threading.get_ident()
        self.name = name
        self.function = function
        self.refused: str | None = None
        self.training = self.model = False
        self.recipes: list[dict[str, Any]] = []
        self.built = Built()
        self.names: dict[str, int] = {}  # Keras's counters of names: prefix -> how far the trace moved it, builds apart
        self.names_first: dict[str, int] = {}  # so far before the trace that runs, where a first one made variables
        self.asked: list[list[Any]] = []  # how the trace moved TensorFlow's counters (counted.moved)
        self.twice = False  # a first trace, which made variables, cannot be told from the second by the graph alone
        self.twice_inside: list[int] = []  # the same of functions inside: which of them, as they are begun, builds apart
        self._begun = 0  # of those
        self.inner: list[tuple[Any, Any]] = []  # the functions that were traced inside: (TensorFlow's options for it, concrete function)
        self.building = False
        self.path_of = path_of
        self.speech = speech.Speech()  # what both traces say, one after the other
        self.said_by_builds = 0  # of that, which comes first
        self.drawn: list | None = None  # where NumPy's stream stood before the trace and stands after it, where the trace draws from it
        self._numpys: tuple[Any, ...] | None = None
        self._streams: Any = None
        self._names_before: Any = None
        self._counted_before: Any = None
        self._depth = 0

    def __enter__(self) -> "Learning":
        global _current
        self._streams, self._names_before = streams.positions(), streams.names()
        self._numpys = self._streams.get(streams.NUMPYS)
        self._counted_before = counted.now()
        _current = self
        return self

    def __exit__(self, *exception: "Any") -> "Literal[False]":
        global _current
        _current = None
        self._check_streams()
        if self.drawn is not None:
            self.drawn = [self._numpys, streams.numpys_position()]
        self._check_counted()
        return False

    def trains(self) -> None:
        self.training = True

    def has_called_a_model(self) -> None:
        self.model = True

    def refuse(self, reason: str) -> None:
        self.refused = self.refused or reason

    def trace(self, create: "Callable[..., Any]", function_type: "Any", type_context: "Any", func_graph: "Any", options: "Any") -> "Any":
        """The trace of the learned function, or of one inside it.

        In a plain run, a function whose first trace makes variables is traced again, and the second trace is what is
        called: a scaled loss, for one, is another graph there. So also here, where a build made them.
        """
        from tensorflow.python.framework import func_graph as func_graphs

        self._depth += 1
        try:
            traced = self._trace(create, function_type, type_context, func_graph, options, func_graphs)
        finally:
            self._depth -= 1
        if self._depth:
            self.inner.append((options, traced))
        return traced

    def _trace(self, create: "Callable[..., Any]", function_type: "Any", type_context: "Any", func_graph: "Any", options: "Any",
               func_graphs: "Any") -> "Any":
        outer = first_traces.current()
        number = self._begun
        self._begun += self._depth > 1 and not self.building
        with executed.suspended():
            first_traces.look(options)
        with first_traces.FirstTrace(first=outer is not None and outer.is_of(options)) as trace:
            try:
                traced = create(function_type, type_context, func_graph, options)
            finally:  # whether it fails or not
                if outer is not None and not self.building:
                    outer.made += trace.made
        if not trace.made or self.building:
            return traced
        self._check_streams()
        if self.refused:  # whether it is traced again is left to TensorFlow
            if outer is not None:
                outer.said = self._says_itself()
            return traced
        first_traces.settle()
        before = None if outer is None else outer.before_of(options)
        if not self._says_itself() and self.drawn is None and once.is_enough(trace, traced.graph, before):
            streams.add(self.names_first, trace.taken())
            return traced
        if self._depth == 1:
            self.twice = True
        else:
            self.twice_inside.append(number)
        with first_traces.again():
            return create(function_type, type_context, func_graphs.FuncGraph(options.name), options)

    def build(self, kind: str, target: "Any", arguments: "Any") -> bool:
        """Builds eagerly what the trace is about to build, and notes the recipe. False: let the trace do it."""
        if self.building or self.refused:
            return False
        try:
            with executed.suspended():
                builds.check()
                path = None if target is None else self.path_of(target)
                if target is not None and path is None:
                    if kind == "layer":  # the trace's own: what it makes of variables is told where it makes them
                        return False
                    raise builds.NotRepeatable("it cannot be reached from the function")
                encoded = build_arguments.encode(arguments, self.path_of)
                reason = purity.impurity(kind, target, [] if target is None else list(undo.parts(target)))
                doubt = None if target is None or reason is not None else purity.doubt(kind, target)
                elsewhere = None if doubt is None else Elsewhere(self.function)
        except Exception as error:  # besides NotRepeatable, whatever keeps a walk from its end
            if is_theirs(error):
                raise
            self.refuse(f"it builds {builds.name(target)} while it is traced, and {error}")
            return False
        if reason is not None:
            self.refuse(f"it builds {builds.name(target)} while it is traced, and {reason}")
            return False
        self._check_streams()
        before = undo.state(target), undo.contents(target)
        done = self._build_apart(kind, target, arguments, encoded)
        if done is None:
            return False
        left, scopes = done
        self.built.attributes(before[0], undo.state(target))
        self.built.contents(before[1], undo.contents(target))
        self._look_elsewhere(target, doubt, elsewhere)
        self.recipes.append({"kind": kind, "path": path, "arguments": encoded, "scope": builds.SCOPES["current"](target),
                             "class": None if target is None else type(target).__qualname__, "left": left, "scopes": scopes})
        return True

    def _look_elsewhere(self, target: "Any", doubt: "str | None", elsewhere: "Elsewhere | None") -> None:
        """The build is as it would be in the trace, whatever it did; repeated it may only be where it leaves all else alone."""
        if elsewhere is None:
            return
        try:
            with executed.suspended():
                changed = elsewhere.changed(set(undo.state(target)))
        except Exception as error:  # whatever keeps a walk from its end
            if is_theirs(error):
                raise
            changed = str(error)
        if changed is not None:
            self.refuse(f"it builds {builds.name(target)} while it is traced, and {doubt}: {changed}")

    def _build_apart(self, kind: str, target: "Any", arguments: "Any", encoded: "dict[str, Any]") -> "tuple[str, list[Any]] | None":
        """What `builds.do` gives; None where it turned out to draw from a random stream or to be a part of the graph, and all is as
        before."""
        as_before = undo.Undo()
        as_before.add(target)
        said = counted.now()
        quiet = builds.Quietly()
        self.building = True
        try:
            with purity.no_draws(), quiet:
                done = self._do(kind, target, arguments, encoded)
            self._drew_while_building()
        except BaseException as error:
            if is_theirs(error):
                quiet.let_out()
                raise
            reason = error if isinstance(error, (purity.Drawn, builds.NotRepeatable)) else "that fails"
            as_before.now()
            quiet.drop()  # the trace builds, and says it
            self.refuse(f"it builds {builds.name(target)} while it is traced, and {reason}")
            return None
        finally:
            self.building = False
            self._streams, self._names_before = streams.positions(), streams.names()
        if said != counted.now():  # repeated it would count again, from elsewhere
            self.refuse(f"it builds {builds.name(target)} while it is traced, and that says something a limited number of times")
        self._tell(target, quiet)
        return done

    def _tell(self, target: "Any", quiet: "builds.Quietly") -> None:
        """What the build says goes out as it would. Repeated, builds come before all else of the trace: so does what they say."""
        before = len(self.speech.said)
        quiet.let_out()
        after = len(self.speech.said)
        if before < after:
            if before != self.said_by_builds:
                self.refuse(f"it builds {builds.name(target)} while it is traced, which says something after the trace has said something")
            self.said_by_builds = after

    def _says_itself(self) -> bool:
        """Whether the trace has said something besides what it builds."""
        return len(self.speech.said) > self.said_by_builds

    def _drew_while_building(self) -> None:
        """Python's and NumPy's streams are drawn from by Python code, which a trace runs once as well; TensorFlow's is another matter."""
        if streams.eager_seeds(self._streams) != streams.eager_seeds(streams.positions()):
            raise purity.Drawn("it draws from TensorFlow's random stream")

    def _do(self, kind: str, target: "Any", arguments: "Any", encoded: "dict[str, Any]") -> "tuple[str, list[Any]]":
        return builds.do(kind, target, builds.arguments(kind, encoded, self._resolved(arguments, encoded)))

    @staticmethod
    def _resolved(arguments: "Any", encoded: "dict[str, Any]") -> "Callable[[list[str]], Any]":
        """Answers each path of `encoded` with the very variable it was made from."""
        known: dict = {}
        _pair(arguments, encoded, known)
        return lambda path: known[repr(path)]

    def _check_streams(self) -> None:
        try:
            self._compare_streams()
        except Exception as error:
            if is_theirs(error):
                raise
            self.refuse(f"where its random streams stand could not be told ({error!r})")

    def _check_counted(self) -> None:
        try:
            self.asked = counted.moved(self._counted_before, counted.now())
        except counted.Unfindable as error:
            self.refuse(f"TensorFlow counts for `{error}` what it says, which cannot be found by its name")
        except Exception as error:  # somebody counts otherwise
            if is_theirs(error):
                raise
            self.refuse(f"how often it was asked to say something could not be told ({error!r})")
        if any("__autograph_generated" in str(whose) for _, whose, *_ in self.asked):
            self.refuse("it counts what it says by a line of a file that AutoGraph writes anew in each start")

    def _compare_streams(self) -> None:
        now, names = streams.positions(), streams.names()
        streams.add(self.names, streams.moved(self._names_before, names))
        known = () if self._numpys is None else (streams.NUMPYS,)
        stream = streams.drew(self._streams, now, but=known)
        if stream is not None:
            self.refuse(f"its trace draws from {stream}")
        if known and streams.drew(self._streams, now) == streams.NUMPYS:
            if others.may_run():
                self.refuse(f"{streams.NUMPYS} is drawn from while it is traced, by the trace or by another thread of the program's")
            self.drawn = []
        self._streams, self._names_before = now, names


def _pair(arguments: "Any", encoded: "dict[str, Any]", known: "dict[str, Any]") -> None:
    if "variable" in encoded:
        known[repr(encoded["variable"])] = arguments
    elif "dict" in encoded:
        for key, inner in encoded["dict"]:
            _pair(arguments[key], inner, known)
    else:
        for kind in ("list", "tuple"):
            for value, inner in zip(arguments if kind in encoded else (), encoded.get(kind, ())):
                _pair(value, inner, known)
