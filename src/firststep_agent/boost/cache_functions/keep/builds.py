"""Builds that happen inside a trace: optimizer, metrics, loss, layers, Keras's global seed generator.

With `metrics=[…]` the metrics' variables do not exist before the first trace, and the optimizer is not built. On the
learning run each such build is done at the moment the trace asks for it, its variables outside the trace, and noted as a
recipe; a replay repeats the recipes in the same order before captures are bound. A recipe names its object by access path and its
arguments by shape, dtype and access path, and says what the build left behind: one that comes out otherwise is undone.
"""

import contextlib

from firststep_agent.boost.cache_functions.keep import build_arguments, left, lifted, undo
from firststep_agent.boost.cache_functions.keep.build_arguments import NotRepeatable
from firststep_agent.boost.cache_functions.reads import executed
from firststep_agent.boost.traces import first_traces, scopes, speech

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from typing import Any, Literal

_CAPTURED = "Placeholder"  # the kind of operation that stands for what a graph captures
_KINDS: "dict[str, _Kind]" = {}
SCOPES: "dict[str, Any]" = {"current": lambda target: [], "enter": None}  # Keras's name scopes; filled by keras3


class _Kind:
    """How one kind of object is built."""

    def __init__(self, build: "Callable[[Any, Any], object]", symbolic: "Callable[[Any, str], Any]", read_before: bool, in_graph: bool,
                 goes_on: bool, restores: bool) -> None:
        self.build, self.symbolic, self.read_before, self.in_graph, self.goes_on = build, symbolic, read_before, in_graph, goes_on
        self.restores = restores


def add(kind: str, build: "Callable[[Any, Any], object]", symbolic: "Callable[[Any, str], Any]", read_before: bool = False,
        in_graph: bool = False, goes_on: bool = False, restores: bool = False) -> None:
    """Makes a kind of build known: build(object, arguments), and symbolic(shape, dtype) for its tensors.

    read_before: a trace may have asked before such a build whether it was done, and gone another way.
    in_graph: plainly it runs in the graph that is being traced, and its code may be the program's, which may ask for that. Only the
    variables are made outside then.
    goes_on: it adds to what may be built.
    restores: none of the program's code runs in it, and what a checkpoint has for it is given back where it is undone.
    """
    _KINDS[kind] = _Kind(build, symbolic, read_before, in_graph, goes_on, restores)


def check() -> None:
    """Raises NotRepeatable where nothing can be built outside a trace in this process, or the program has a say in how."""
    reason = first_traces.why_not_apart()
    if reason is not None:
        raise NotRepeatable(reason)


def do(kind: str, target: "Any", arguments: "Any", known_scopes: "list[Any] | None" = None) -> "tuple[str, list[Any]]":
    """Builds so that nothing of it is in the graph under way; what it has left behind, in a digest, and the name scopes of its variables.
    known_scopes: those that they had when it was learned. Raises NotRepeatable where something of it would be in the graph."""
    from tensorflow.python.framework import ops

    known, before, awaits = _KINDS[kind], left.Unbuilt(target), bool(undo.checkpoints(target))
    if awaits and not known.restores:
        raise NotRepeatable("a checkpoint was restored before it is there")
    # What restores reads a file, as it does in each start: no reading of the trace's.
    with contextlib.nullcontext() if known.in_graph else scopes.outside(), executed.suspended() if awaits else contextlib.nullcontext():
        # init_scope leaves the traced graph's creator of variables in place, which would note them as the trace's.
        graph = ops.get_default_graph()
        creators = graph._variable_creator_stack
        maker = _Maker(known_scopes)
        graph._variable_creator_stack = [(100, maker.make)]
        with _no_names(), _without_operations(graph, maker) if known.in_graph else contextlib.nullcontext():
            try:
                with first_traces.build(read_before=known.read_before):
                    known.build(target, arguments)
            finally:
                graph._variable_creator_stack = creators
                maker.check()
    return before.digest(maker.made), maker.scopes


@contextlib.contextmanager
def _no_names() -> "Iterator[None]":
    """A build gives the graph the names back that it took, unless operations have them: the trace that counts finds all built."""
    from tensorflow.python.framework import ops

    graph = ops.get_default_graph()
    names, operations = dict(graph._names_in_use), graph.version
    try:
        yield
    finally:
        if graph.version == operations:
            graph._names_in_use.clear()
            graph._names_in_use.update(names)


@contextlib.contextmanager
def _without_operations(graph: "Any", maker: "_Maker") -> "Iterator[None]":
    """No operation gets into the graph: it could not be taken out again, and what is drawn in a graph depends on how many it has. But for
    captures of what is outside: a trace that builds captures the same, and nothing twice."""
    graph._create_op_internal = maker.instead_of(graph._create_op_internal)
    try:
        yield
    finally:
        del graph._create_op_internal


class _Maker:
    """Makes variables outside the graph. made: what they are, in words; scopes: those that they are named by. known: such as they were
    when it was learned, or None."""

    def __init__(self, known: "list[Any] | None") -> None:
        self.made: list[str] = []
        self.scopes: list[Any] = []
        self._known = iter(known or ())
        self._of_graph: str | None = None
        self._plain: Any = None  # the graph's own way to make an operation

    def make(self, next_creator: "Callable[..., Any]", initial_value: "Any" = None, **keywords: "Any") -> "Any":
        if not first_traces.may_make():
            self._refuse("it makes variables in a call that is not the function's first")
        given = initial_value
        try:
            initial_value = lifted.value(given, keywords.get("dtype"))
        except lifted.Unliftable as error:
            self._refuse(str(error))
        self.made.append(left.of_variable(given if callable(given) else lifted.held(initial_value), keywords))
        with scopes.outside():
            variable, scope = first_traces.make_apart(next_creator, next(self._known, None), initial_value=initial_value, **keywords)
        self.scopes.append(scope)
        return variable

    def instead_of(self, plain: "Callable[..., Any]") -> "Callable[..., Any]":
        """What stands in the place of a graph's way to make an operation."""
        self._plain = plain
        return self.operation

    def operation(self, *arguments, **keywords):
        """In the place of what adds one to the graph."""
        if arguments[:1] != (_CAPTURED,):
            self._refuse("that puts operations into the graph")
        return self._plain(*arguments, **keywords)

    def _refuse(self, reason: str) -> None:
        self._of_graph = reason
        self.check()

    def check(self) -> None:
        """Once more at the end: whoever built may have caught it."""
        if self._of_graph is not None:
            raise NotRepeatable(self._of_graph)


def arguments(kind: str, description: "dict[str, Any]", resolve: "Callable[[list[str]], Any]") -> "Any":
    """Those that the recipe describes, as this kind of build takes them."""
    return build_arguments.decode(description, _KINDS[kind].symbolic, resolve)


def _is_built(target: "Any") -> bool:
    return target is not None and (getattr(target, "built", False) or getattr(target, "_built", False))


def _as_in_a_trace(kind: str) -> "contextlib.AbstractContextManager[Any]":
    """A graph to build in, where plainly it would be that of the trace."""
    from tensorflow.python.framework import func_graph

    return func_graph.FuncGraph("builds").as_default() if _KINDS[kind].in_graph else contextlib.nullcontext()


class RepeatedBuilds:
    """The recipes of one entry, done in this process, and undone if the entry turns out not to hold. said: what they say, all in all."""

    def __init__(self, recipes: "list[dict[str, Any]] | None", resolve: "Callable[[list[str]], Any]", said: "list[Any]") -> None:
        self._recipes = recipes
        self._resolve = resolve
        self._said = said
        self._undo: undo.Undo | None = None
        self._quiet = Quietly()

    def perform(self, asked: "Container[int]") -> "dict[int, list[Any]]":
        """Does what is not built yet: {number: what it touched} of the builds that are asked for. Raises NotRepeatable where a path leads
        nowhere; then undo() is the caller's.

        Each path leads from where the builds before it have left the objects.
        """
        touched: dict[int, list[Any]] = {}
        if not self._recipes:
            return touched
        check()
        self._undo = undo.Undo()
        with self._quiet:
            for number, recipe in enumerate(self._recipes):
                target = self._target(recipe)
                if _is_built(target) and not _KINDS[recipe["kind"]].goes_on:
                    raise NotRepeatable(f"{type(target).__name__} is built already, when it was learned it was not")
                self._undo.add(target)
                self._do(recipe, target)
                if number in asked:
                    touched[number] = [part for part, _ in undo.state(target).values()]
        if self._quiet.said() != self._said:
            raise NotRepeatable("what it builds says something else than when it was learned")
        return touched

    def tell(self) -> None:
        """Says what was said while it was done."""
        self._quiet.let_out()

    def _do(self, recipe: "dict[str, Any]", target: "Any") -> None:
        known = arguments(recipe["kind"], recipe["arguments"], self._resolve)
        with _as_in_a_trace(recipe["kind"]), SCOPES["enter"](recipe["scope"]) if recipe["scope"] else contextlib.nullcontext():
            left_behind, _ = do(recipe["kind"], target, known, recipe["scopes"])
            if left_behind != recipe["left"]:
                raise NotRepeatable(f"{name(target)} is built otherwise than when it was learned")

    def _target(self, recipe: "dict[str, Any]") -> "Any":
        if recipe["path"] is None:
            return None
        target = self._resolve(recipe["path"])
        if target is None or type(target).__qualname__ != recipe["class"]:
            raise NotRepeatable(f"there is no {recipe['class']} where it was when this was learned")
        return target

    def undo(self) -> None:
        """As if nothing had been built."""
        if self._undo is not None:
            self._undo.now()
        self._quiet.drop()


class Quietly:
    """A build that may be undone, as a context manager: what it says is kept back until it is known to stay."""

    def __init__(self) -> None:
        self._speech = speech.Speech(aloud=False)
        self._warned: speech.Warned | None = None

    def __enter__(self) -> None:
        self._warned = speech.Warned()
        self._speech.__enter__()

    def __exit__(self, *error: object) -> "Literal[False]":
        return self._speech.__exit__(*error)

    def said(self) -> "list[Any]":
        """What was kept back, as `Speech.said`. Raises NotRepeatable where it belongs to this process alone."""
        try:
            self._speech.check()
        except speech.Unrepeatable as error:
            raise NotRepeatable(f"that cannot be said again: {error}") from None
        return self._speech.said

    def let_out(self) -> None:
        """Says it."""
        self._speech.let_out()

    def drop(self) -> None:
        """As if nothing had been said."""
        if self._warned is not None:
            self._warned.put_back()


def name(target: "Any") -> str:
    """What is built, for people."""
    return "Keras's global seed generator" if target is None else f"{type(target).__name__} `{getattr(target, 'name', '')}`"
