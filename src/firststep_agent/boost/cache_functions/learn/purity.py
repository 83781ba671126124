"""Whether a build gives outside of a trace what it would give inside: values, names, positions of every random stream.

Initialisers of Keras with a seed of their own, and those that fill in constants, are functions of shape and type. What draws from
a stream gives other numbers outside than inside; TensorFlow's initialisers do, and so may the user's code. Such a build is left to
the trace, before anything is built; what gets past the look is stopped at its first draw, and undone.
"""

import contextlib
import sys
from _thread import get_ident

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.objects import looked_up
from firststep_agent.boost.traces import makers, once
from firststep_agent.frameworks.listening import Instead
from firststep_agent.frameworks.points import points_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from types import CodeType
    from typing import Any, NoReturn

    from firststep_agent.boost.cache_functions.reads.stands import Stands

OWN_OPTIMIZER = "own optimizer"
_IN_GRAPH = ("layer", OWN_OPTIMIZER)  # kinds of builds that may be the program's code, and run where they run plainly
_PURE = ("keras.src.initializers.", "tf_keras.src.initializers.", "keras.initializers.")
_NESTED = 5  # lists and dictionaries of losses and metrics within others
_HARMLESS = frozenset(("RandomNormal", "RandomUniform", "random_initializers"))  # Keras's, by name
_DRAWING = frozenset("""rand randn randint normal uniform truncated_normal shuffle permutation choice default_rng getrandbits urandom
    uuid4""".split())
# Through these a build sees the trace's graph, its names, Keras's call and its callers: others than where it is repeated alone.
_AROUND = frozenset("get_default_graph get_name_scope get_current_name_scope outer_graph call_context".split())
_CALLERS = frozenset("_getframe currentframe stack extract_stack print_stack".split())


class Drawn(Exception):
    """A build asked for a seed of TensorFlow's stream of operation seeds."""


def impurity(kind: str, target: "Any", parts: "list[Any]") -> "str | None":
    """Why the build of `target`, which touches `parts`, is left to the trace, in words; None where nothing is known against it."""
    if target is None:
        return None
    if "optimizer" in kind and kind not in _IN_GRAPH and ownership.module_owner(kinds.module(type(target))) != ownership.FRAMEWORK:
        return f"`{kinds.qualname(type(target))}` is an optimizer of the program's own"
    for part in parts:
        for name, value in kinds.own(part).items():
            if "initializer" in name and value is not None and not kinds.is_a(value, str) and not _may_fill(kind, value):
                return f"`{kinds.qualname(type(part))}` has an initialiser that may draw from a random stream (`{name}`)"
        made = None if kind in _IN_GRAPH or "optimizer" in kind else _makes(part)
        if made is not None:
            return f"that makes a {made} of the program's, whose code may ask where it runs: give it an object"
    return _of_users_code(target, _of_code) if kind in _IN_GRAPH else None  # the others hold the user's functions, and do not call them


def doubt(kind: str, target: "Any") -> "str | None":
    """Why it has to be looked at what the build of `target` changes besides, in words; None where it is known to leave all else alone."""
    return _of_users_code(target, _does_more) if kind in _IN_GRAPH else None


def _makes(container: "Any") -> "str | None":
    """The name of what a container of losses or metrics will make of a class of the program's, or of what describes one; else None."""
    todo = [(value, _NESTED) for value in kinds.own(container).values()]
    for value, deep in todo:
        if kinds.is_a(value, type) and ownership.is_user_class(value):
            return f"`{kinds.qualname(value)}`"
        if type(value) is str and _is_registered(value):
            return f"`{value}`"
        if kinds.is_a(value, dict) and "class_name" in dict.keys(value):
            return f"`{dict.get(value, 'class_name')}`"
        if deep:
            inner = dict.values(value) if kinds.is_a(value, dict) else list.__iter__(value) if kinds.is_a(value, list) else ()
            todo.extend((each, deep - 1) for each in (value if type(value) is tuple else inner))
    return None


def _is_registered(name: str) -> bool:
    """Whether Keras makes an object of the program's of this name."""
    kerases = (sys.modules.get("keras"), sys.modules.get("tf_keras"))
    return any(keras is not None and keras.saving.get_registered_object(name) is not None for keras in kerases)


def _may_fill(kind: str, initializer: "Any") -> bool:
    """Whether it fills in the same outside, or is code of the program's, which is looked through, and run as in the trace (keep/lifted)."""
    if kind not in _IN_GRAPH or _is_pure(initializer):
        return _is_pure(initializer)
    function = kinds.plain_function(initializer)
    return ownership.is_user_class(type(initializer)) if function is None else ownership.is_user(function)


def _is_pure(value: "Any") -> bool:
    if not str(kinds.module(type(value))).startswith(_PURE):
        return False
    seed = getattr(value, "seed", None)
    return seed is None or kinds.is_a(seed, int)


def _of_users_code(target: "Any", reason_of: "Callable[[CodeType, dict[str, Any], dict[int, list[Any]]], str | None]") -> "str | None":
    met: dict = {}
    taken: dict = {}
    for _ in once.reachable(target, met, taken):
        pass
    holders = once.holders_of(met)
    for function in makers.may_run(target, taken):
        if ownership.is_installed(function.__code__.co_filename):
            continue
        for code in once.nested(function.__code__):
            reason = reason_of(code, function.__globals__, holders)
            if reason is not None:
                return f"`{code.co_name}` {reason}"
    return None


def _does_more(code: "CodeType", scope: "dict[str, Any]", holders: "dict[int, list[Any]]") -> "str | None":
    return "may do more than build" if once.tells(code, scope, holders, asks=frozenset()) else None  # what is built is as it would be there


def _of_code(code: "CodeType", scope: "dict[str, Any]", holders: "dict[int, list[Any]]") -> "str | None":
    if not _AROUND.isdisjoint(code.co_names):
        return "may ask what it is called from"
    named = {name for name in code.co_names if name in _DRAWING or name in _CALLERS or ("random" in name.lower() and name not in _HARMLESS)}
    if named:
        named -= looked_up.known(code, scope, ())  # `tf.stack`; TensorFlow's draws are met where they happen
    if named & _CALLERS:
        return "may ask what it is called from"
    return "may draw from a random stream" if named else None


def listen(run: "Any", stands: "Stands") -> None:
    """Waits for TensorFlow's stream of operation seeds. stands: the Stands of the run, which stand in every trace that builds."""
    (seeds,) = points_at("tensorflow", "tensorflow.python.framework.random_seed", "get_seed")
    run.wrap(seeds, _get_seed, ID, until=stands.scope, installed=stands.needs(seeds))


_builds: "list[list[Any]]" = []  # innermost last: the thread that builds, and whether it was stopped at a draw


@contextlib.contextmanager
def no_draws() -> "Iterator[None]":
    """Raises Drawn where this thread draws from TensorFlow's stream of operation seeds inside, and once more at the end: whoever built may
    have caught it, as Keras does. In a graph it does not: each graph has seeds of its own, and that in which a layer is called to be
    built goes when it is."""
    building = [get_ident(), False]
    _builds.append(building)
    try:
        yield
    finally:
        _builds[:] = [each for each in _builds if each is not building]
    if building[1]:
        raise Drawn(_DRAWS)


_DRAWS = "it draws from TensorFlow's random stream"


def _get_seed(*arguments: "Any", **keywords: "Any") -> "Generator[Any, Any, None]":
    if any(thread == get_ident() for thread, _ in _builds) and sys.modules["tensorflow.python.eager.context"].executing_eagerly():
        yield Instead(_drawn, guarded=True)


def _drawn(proceed: "Callable[..., Any]") -> "NoReturn":
    for building in _builds:
        if building[0] == get_ident():
            building[1] = True
    raise Drawn(_DRAWS)
