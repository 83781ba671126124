"""`tf.function`s that a trace traces as well. TensorFlow keeps those traces: whoever calls such a function later gets the graph of then.

An answer makes none of them. So an entry names these functions by access path, and what was put off is made up for when one of
them is called (`answer.owed`).
"""

import types
import weakref

from firststep_agent import ownership
from firststep_agent.boost.cache_functions import carried
from firststep_agent.boost.cache_functions.key import callables, guards, tapes
from firststep_agent.boost.objects import roots
from firststep_agent.boost.objects.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

USED_APART = ("it traces a function that is called by itself, or from another function in another state, as well: TensorFlow would use "
              "the trace that was made with this one, which an answer does not make")

LOOKED_AT = ("it traces a function that is asked for its traces, as to be saved, as well: TensorFlow would tell of the trace that "
             "was made with this one, which an answer does not make")


def apart(python_function: "Any") -> "tuple[Any, Any]":
    """(function, the object that it is a method of or None) of what TensorFlow traces, or what a `tf.function` is of."""
    traced = callables.traced(python_function)
    return (traced.__func__, traced.__self__) if isinstance(traced, types.MethodType) else (traced, None)


def known(options: "Iterable[Any]", codes: "Iterable[types.CodeType]") -> "list[tuple[Any, Any]]":
    """Those of the traced functions that somebody can call later on, each once: not a framework's own, nor those that the trace itself
    has made. codes: what ran in it."""
    made = {id(constant) for code in codes for constant in code.co_consts if isinstance(constant, types.CodeType)}
    found = {}
    for each in options:
        function, owner = apart(each.python_function)
        code = getattr(roots.innermost(function), "__code__", None)
        if code is None or not (id(code) in made or ownership.owner(code.co_filename) == ownership.FRAMEWORK):
            found[id(function), id(owner)] = (function, owner)
    return list(found.values())


def describe(functions: "Iterable[tuple[Any, Any]]", path_of: "Callable[[Any], list[str] | None]") -> "list[list[Any]]":
    """[[path of the function, path of the object that it is a method of]]. Raises Refused where one has none."""
    return [[_path(function, path_of), None if owner is None else _path(owner, path_of)] for function, owner in functions]


def _path(value: "Any", path_of: "Callable[[Any], list[str] | None]") -> "list[str]":
    path = path_of(value)
    if path is None:
        name = getattr(value, "__name__", None) or type(value).__name__
        raise Refused(f"it traces `{name}` as well, which cannot be reached from the function")
    return path


def bind(described: "list[list[Any]] | None", resolve: "Callable[[list[str]], Any]") -> "list[list[Any]]":
    """[[function, owner]] of this process. Raises LookupError."""
    found = [[path and resolve(path) for path in paths] for paths in described or ()]
    for paths, values in zip(described or (), found):
        if any(path is not None and value is None for path, value in zip(paths, values)):
            raise LookupError("a function that is traced with it is not where it was when this was learned")
    return found


def forget(traced: "Iterable[tuple[Any, Any]]") -> None:
    """Has TensorFlow know nothing of these traces, [(its options, concrete function)]. What it knew of before stays."""
    for options, concrete in traced:
        cache = options.function_cache
        for (context, function_type), each in list(cache._primary.items()):
            if each is concrete:
                cache.delete(function_type, context)


def would_be_another(has_changed: "Callable[[], bool]") -> bool:
    """Whether a trace that an answer has put off could come out as another if it were made now. has_changed(): of what it reads."""
    return guards.top_level() or not tapes.Tapes().can_be_taken_away() or has_changed()


def watch(traced: "Iterable[tuple[Any, Any]]", functions: "Iterable[tuple[Any, Any]]", has_changed: "Callable[[], bool]",
          use: "Callable[[], object]") -> None:
    """use() is called when one of the functions is used where a trace that is made then could be another.

    traced: [(TensorFlow's options for a trace, concrete function)] of all that were traced. has_changed(): whether what the function reads
    that has traced them could be another now: it is what would be traced then."""
    wanted = {(id(function), id(owner)) for function, owner in functions}
    for options, concrete in traced:
        if tuple(map(id, apart(options.python_function))) in wanted:
            _watch(concrete, has_changed, use)


def _watch(traced: "Any", has_changed: "Callable[[], bool]", use: "Callable[[], object]") -> None:
    reference, plain = weakref.ref(traced), type(traced)._call_flat

    def _call_flat(tensor_inputs, captured_inputs):
        function = reference()
        if would_be_another(has_changed):
            function.__dict__.pop("_call_flat", None)
            use()
        return plain(function, tensor_inputs, captured_inputs)

    carried.call(traced, _call_flat)
