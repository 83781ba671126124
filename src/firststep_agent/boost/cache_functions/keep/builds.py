"""Builds that happen inside a trace: optimizer, metrics, loss, layers, Keras's global seed generator.

With `metrics=[…]` the metrics' variables do not exist before the first trace, and the optimizer is not built. On the
learning run each such build is done at the moment the trace asks for it, its variables outside the trace, and noted as a
recipe; a replay repeats the recipes in the same order before captures are bound. A recipe names its object by access path and its
arguments by shape, dtype and access path, and says what the build left behind: one that comes out otherwise is undone.
"""

import contextlib
import sys

from firststep_agent import kinds, ownership, streams
from firststep_agent.boost.cache_functions.keep import left
from firststep_agent.boost.traces import first_traces, scopes

_KINDS: dict = {}
SCOPES: dict = {"current": lambda target: [], "enter": None}  # Keras's name scopes; filled by keras3


class NotRepeatable(Exception):
    """A build that cannot be written as a recipe, or a recipe that does not fit this process; says why."""


class _Kind:
    """How one kind of object is built."""

    def __init__(self, build, symbolic, read_before, in_graph, goes_on):
        self.build, self.symbolic, self.read_before, self.in_graph, self.goes_on = build, symbolic, read_before, in_graph, goes_on


def add(kind, build, symbolic, read_before=False, in_graph=False, goes_on=False):
    """Makes a kind of build known: build(object, arguments), and symbolic(shape, dtype) for its tensors.

    read_before: a trace may have asked before such a build whether it was done, and gone another way.
    in_graph: plainly it runs in the graph that is being traced, and its code may be the program's, which may ask for that. Only the
    variables are made outside then.
    goes_on: it adds to what may be built.
    """
    _KINDS[kind] = _Kind(build, symbolic, read_before, in_graph, goes_on)


def check():
    """Raises NotRepeatable where nothing can be built outside a trace in this process, or the program has a say in how."""
    from tensorflow.python.framework import ops

    creators = [creator for _, creator in ops.get_default_graph()._variable_creator_stack]
    if not all(type(one) is kinds.FUNCTION and not ownership.is_user(one) for one in creators):
        raise NotRepeatable("the program has a say in how its variables are made (`tf.variable_creator_scope`)")
    reason = first_traces.why_not_apart()
    if reason is not None:
        raise NotRepeatable(reason)


def do(kind, target, arguments, known_scopes=None):
    """Builds so that nothing of it is in the graph under way; what it has left behind, in a digest, and the name scopes of its variables.
    known_scopes: those that they had when it was learned. Raises NotRepeatable, once it is begun, where something of it is in the graph."""
    from tensorflow.python.framework import ops

    known, before = _KINDS[kind], state(target)
    with contextlib.nullcontext() if known.in_graph else scopes.outside():
        # init_scope leaves the traced graph's creator of variables in place, which would note them as the trace's.
        graph = ops.get_default_graph()
        creators, operations = graph._variable_creator_stack, graph.version
        maker = _Maker(known_scopes)
        graph._variable_creator_stack = [(100, maker.make)]
        with _names_if_it_succeeds(graph):
            try:
                with first_traces.build(read_before=known.read_before):
                    known.build(target, arguments)
            finally:
                graph._variable_creator_stack = creators
                maker.check()
        if known.in_graph and known_scopes is None and graph.version != operations:
            raise NotRepeatable("that puts operations into the graph")
    return left.digest(before, state(target), maker.made), maker.scopes


@contextlib.contextmanager
def _names_if_it_succeeds(graph):
    """A build that fails, and is undone, gives the graph the names back that it took; unless operations have them."""
    names, operations = dict(graph._names_in_use), graph.version
    try:
        yield
    except BaseException:
        if graph.version == operations:
            graph._names_in_use.clear()
            graph._names_in_use.update(names)
        raise


class _Maker:
    """Makes variables outside the graph. made: what they are, in words; scopes: those that they are named by. known: such as they were
    when it was learned, or None."""

    def __init__(self, known):
        self.made: list = []
        self.scopes: list = []
        self._known = iter(known or ())
        self._of_graph = None

    def make(self, next_creator, initial_value=None, **keywords):
        if getattr(initial_value, "graph", None) is not None:
            self._of_graph = "a variable's initial value is a tensor of the graph"
            self.check()
        self.made.append(left.of_variable(initial_value, keywords))
        with scopes.outside():
            variable, scope = first_traces.make_apart(next_creator, next(self._known, None), initial_value=initial_value, **keywords)
        self.scopes.append(scope)
        return variable

    def check(self):
        """Once more at the end: whoever built may have caught it."""
        if self._of_graph is not None:
            raise NotRepeatable(self._of_graph)


def _is_built(target):
    return target is not None and (getattr(target, "built", False) or getattr(target, "_built", False))


def _as_in_a_trace(kind):
    """A graph to build in, where plainly it would be that of the trace."""
    from tensorflow.python.framework import func_graph

    return func_graph.FuncGraph("builds").as_default() if _KINDS[kind].in_graph else contextlib.nullcontext()


def state(target):
    """{id: (object, its attributes)} of what a build may have changed, right after it."""
    return {} if target is None else {id(part): (part, dict(vars(part))) for part in parts(target)}


def contents(target):
    """{id: (container, what it holds)} of what a build may have changed, right after it."""
    held = [] if target is None else [each for part in parts(target) for each in _containers(vars(part))]
    return {id(each): (each, _copy(each)) for each in held}


class Repetition:
    """The recipes of one entry, done in this process, and undone if the entry turns out not to hold."""

    def __init__(self, recipes, resolve):
        self._recipes = recipes
        self._resolve = resolve
        self._undo = None

    def perform(self):
        """Does what is not built yet. Raises NotRepeatable where a path leads nowhere; then undo() is the caller's.

        Each path leads from where the builds before it have left the objects.
        """
        if not self._recipes:
            return
        check()
        self._undo = Undo()
        for recipe in self._recipes:
            target = self._target(recipe)
            if _is_built(target) and not _KINDS[recipe["kind"]].goes_on:
                raise NotRepeatable(f"{type(target).__name__} is built already, when it was learned it was not")
            self._undo.add(target)
            self._do(recipe, target)

    def _do(self, recipe, target):
        arguments = decode(recipe["kind"], recipe["arguments"], self._resolve)
        with _as_in_a_trace(recipe["kind"]), SCOPES["enter"](recipe["scope"]) if recipe["scope"] else contextlib.nullcontext():
            left_behind, _ = do(recipe["kind"], target, arguments, recipe["scopes"])
            if left_behind != recipe["left"]:
                raise NotRepeatable(f"{name(target)} is built otherwise than when it was learned")

    def _target(self, recipe):
        if recipe["path"] is None:
            return None
        target = self._resolve(recipe["path"])
        if target is None or type(target).__qualname__ != recipe["class"]:
            raise NotRepeatable(f"there is no {recipe['class']} where it was when this was learned")
        return target

    def undo(self):
        """As if nothing had been built."""
        if self._undo is not None:
            self._undo.now()


class Undo:
    """Objects and random streams as they are now, to be put back after a build."""

    def __init__(self):
        self._streams = streams.positions()
        self._states: list = []

    def add(self, target):
        """Before the target is built; None: Keras's global seed generator."""
        self._states.extend([_GlobalState()] if target is None else [_State(part) for part in parts(target)])

    def now(self):
        """As if nothing had been built since."""
        while self._states:
            self._states.pop().restore()
        streams.restore(self._streams)


class _State:
    """An object's attributes, and the content of the lists, dictionaries and sets among them, to be put back; with what tracked ones
    note of themselves, by which TensorFlow tells that nobody has changed them behind its back."""

    def __init__(self, target):
        notes = [kinds.own(value) for value in vars(target).values() if _is_tracked(value)]
        self._attributes = [(held, dict(held)) for held in (vars(target), *notes)]
        self._contents = [(c, _copy(c)) for held in (vars(target), *notes) for c in _containers(held)]

    def restore(self):
        for attributes, kept in self._attributes:
            attributes.clear()
            attributes.update(kept)
        for container, content in self._contents:
            kind = list if isinstance(container, list) else dict if isinstance(container, dict) else set
            kind.clear(container)
            (kind.extend if kind is list else kind.update)(container, content)


def _is_tracked(value):
    """Whether it is a list or a dictionary with attributes of its own."""
    return kinds.is_a(value, (list, dict)) or type(value).__name__ == "_DictWrapper"


def _containers(held):
    """The lists, dictionaries and sets among an object's attributes."""
    found = []
    for value in held.values():
        value = getattr(value, "__wrapped__", value) if type(value).__name__ == "_DictWrapper" else value
        if isinstance(value, (list, dict, set)):
            found.append(value)
            storage = vars(value).get("_storage") if hasattr(value, "__dict__") else None
            if isinstance(storage, list):  # TensorFlow's tracked lists keep their items there
                found.append(storage)
            if isinstance(value, dict):  # Keras's trackers keep what they have seen in sets by name
                found.extend(inner for inner in dict.values(value) if type(inner) is set)
    return found


def _copy(container):
    if isinstance(container, list):
        return list(list.__iter__(container))
    return dict(dict.items(container)) if isinstance(container, dict) else set(container)


class _GlobalState:
    """Keras's global seed generator as it is."""

    def __init__(self):
        from keras.src.backend.common import global_state

        self._generator = global_state.get_global_attribute("global_seed_generator")

    def restore(self):
        from keras.src.backend.common import global_state

        global_state.set_global_attribute("global_seed_generator", self._generator)


def parts(target):
    """The object and all that its build may touch, with Keras's tracker of each: once built, it is locked."""
    objects = [target]
    inner = getattr(target, "_flatten_layers", None)
    if inner is not None:
        objects.extend(inner(include_self=False, recursive=True))
    optimizer = vars(target).get("inner_optimizer")
    if optimizer is not None:
        objects.append(optimizer)
    if type(target).__name__ in _CONTAINERS:
        objects.extend(_held(target))
    for each in objects:
        yield each
        if vars(each).get("_tracker") is not None:
            yield vars(each)["_tracker"]


_CONTAINERS = ("LossesContainer", "MetricsContainer")  # Keras 2's


def _held(container):
    """Losses and metrics that the program made: a container's build writes on them that a mean over the batch is allowed."""
    waiting = [getattr(container, name, None) for name in ("_losses", "_metrics", "_weighted_metrics")]
    for each in waiting:
        if isinstance(each, (list, tuple)):
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(each.values())
        elif hasattr(each, "get_config") and not isinstance(each, type):
            yield each


def encode(value, path_of):
    """Arguments of a build as JSON: structure, plain values, shape and dtype of tensors, access path of variables."""
    if value is None or type(value) in (bool, int, float, str):
        return {"value": value}
    if isinstance(value, dict):
        return {"dict": [[k, encode(v, path_of)] for k, v in value.items()]}
    if type(value) in (list, tuple):
        return {type(value).__name__: [encode(v, path_of) for v in value]}
    if _is_variable(value):
        path = path_of(value)
        if path is None:
            raise NotRepeatable(f"the variable {value.name} cannot be reached from the function")
        return {"variable": path}
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return {"tensor": [[None if d is None else int(d) for d in value.shape], _dtype_name(value.dtype)]}
    raise NotRepeatable(f"an argument is a {type(value).__name__}")


def decode(kind, description, resolve):
    """The arguments of `encode` in this process: variables resolved, tensors as the kind's symbolic ones."""
    if "value" in description:
        return description["value"]
    if "dict" in description:
        return {k: decode(kind, v, resolve) for k, v in description["dict"]}
    if "list" in description:
        return [decode(kind, v, resolve) for v in description["list"]]
    if "tuple" in description:
        return tuple(decode(kind, v, resolve) for v in description["tuple"])
    if "variable" in description:
        found = resolve(description["variable"])
        if found is None:
            raise NotRepeatable("a variable of a build is not there")
        return found
    shape, dtype = description["tensor"]
    return _KINDS[kind].symbolic(tuple(shape), dtype)


def _is_variable(value):
    from tensorflow.python.ops import variables

    if isinstance(value, variables.Variable):
        return True
    keras_variables = sys.modules.get("keras.src.backend.common.variables")
    return keras_variables is not None and isinstance(value, keras_variables.Variable)


def name(target):
    """What is built, for people."""
    return "Keras's global seed generator" if target is None else f"{type(target).__name__} `{getattr(target, 'name', '')}`"


def _dtype_name(dtype):
    return getattr(dtype, "name", None) or str(dtype)
