"""Whether tracing a function once instead of twice could be seen by the program.

A plain first trace that makes variables is followed by a second one. Where the user's own code changes something while
it is traced (a counter, a list, what is printed), the second trace finds it changed, and is the one that runs. The
search errs on one side: code that might do so counts as doing it, and the function is then traced twice as before.
"""

import sys
import types

from firststep_agent import streams
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from firststep_agent.boost.objects.special import Parts
    from firststep_agent.boost.traces.first_traces import FirstTrace
    from firststep_agent.boost.traces.unchanged import AsItWas

_BUILDS = frozenset(("__init__", "__new__", "build"))  # what they store belongs to an object that is being made
_ASKING = frozenset("built _built variables weights metrics".split())  # names through which code asks what the builds have made
# Those through which it changes or says something that no store shows, or gets what no second time gives.
_NAMES = """append appendleft extend insert pop popleft popitem remove discard clear update add setdefault sort reverse put
    send next write writelines print input exec eval setattr delattr __setattr__ __setitem__ __dict__ vars globals
    heappush heappop shuffle open log debug info warning warn error exception critical
    time perf_counter monotonic now today urandom uuid1 uuid4 environ"""
_TELLING = frozenset(_NAMES.split())
_OF_CONTAINERS = frozenset("append extend insert pop popitem remove discard clear update add setdefault reverse".split())


def is_enough(trace: "FirstTrace", graph: "Any", before: "AsItWas | None") -> bool:
    """Whether the ended FirstTrace, of `graph`, stands for both; the names of a second one are then taken already.

    before: an unchanged.AsItWas, None where nothing was looked at. What was drawn from random streams and what was said is the
    caller's to judge.
    """
    try:
        names = trace.names_again(graph)
        if names is None or before is None or not before.is_unchanged():
            return False
    except Exception as error:  # a walk over the user's objects that does not come to its end is never the program's error
        if is_theirs(error):
            raise
        return False
    streams.move_names(names)
    return True


def users_functions(value: "Any", met: "dict[int, list[Any]]", taken: "dict[int, Parts]") -> "Iterator[types.FunctionType]":
    """The user's functions that a trace may run which begins at this function, or with these values. met, taken: as of `reachable`."""
    from firststep_agent import ownership
    from firststep_agent.boost.objects import registries

    yield from filter(ownership.is_user, reachable(value, met, taken))
    yield from filter(ownership.is_user, registries.user_functions())
    yield from filter(ownership.is_user, _patches(met))  # by now, all is met


def _patches(met: "dict[int, list[Any]]") -> "Iterator[Any]":
    """The user's functions that stand in the frameworks' classes of what was met, and in the modules of these: put there by the program."""
    from firststep_agent import kinds, ownership

    spaces: dict[Any, Any] = {}
    for objects in list(met.values()):
        for one in kinds.mro(type(objects[0])):
            name = kinds.module(one)
            if ownership.module_owner(name) == ownership.FRAMEWORK:
                spaces[id(one)] = kinds.namespace(one)
                spaces[name] = vars(sys.modules[name]) if name in sys.modules else {}
    for space in spaces.values():
        for function in map(kinds.plain_function, list(space.values())):
            # the library's own namedtuples and data classes are compiled from strings; so is a program that is given by `-c`
            if function is not None and ownership.is_user(function) and (
                    function.__code__.co_filename[:1] != "<" or function.__globals__.get("__name__") == "__main__"):
                yield function


def reachable(python_function: "Any", met: "dict[int, list[Any]] | None" = None, taken: "dict[int, Parts] | None" = None,
              ) -> "Iterator[types.FunctionType]":
    """Every Python function that can be reached from the traced one, or from an object, tensors and arrays left closed.

    met: takes, under the number of its class, each object of a class of the user's that is met, and one object of each other class.
    taken: takes the parts of each object, under its address. It holds all that was met but the first.
    """
    from firststep_agent import ownership
    from firststep_agent.boost.objects.expand import expand
    from firststep_agent.boost.objects.leaves import LEAVES
    from firststep_agent.boost.objects.reading import Reading
    from firststep_agent.boost.objects.special import holds_data

    reading, todo, seen = Reading(), [python_function], set()
    met, taken = {} if met is None else met, {} if taken is None else taken
    of_classes: dict[int, tuple[bool, bool]] = {}  # id of a class -> whether it is the user's, whether its objects are left closed
    for value in todo:
        if id(value) in seen:
            continue
        seen.add(id(value))
        cls = type(value)
        if id(cls) not in of_classes:
            of_classes[id(cls)] = ownership.is_user_class(cls), id(cls) in LEAVES or holds_data(cls)
        is_users, is_closed = of_classes[id(cls)]
        if is_users or id(cls) not in met:
            met.setdefault(id(cls), []).append(value)
        if is_closed:
            continue
        if cls is types.FunctionType:
            yield value
        parts = taken[id(value)] = expand(value, reading)
        todo.extend([child for _, child in parts[1]])


def holders_of(met: "dict[int, list[Any]]") -> "dict[int, list[Any]]":
    """{number of a code object: the objects met that have it as a method}, of the user's classes."""
    from firststep_agent import kinds, ownership

    holders: dict[int, list[Any]] = {}
    for objects in met.values():
        for cls in kinds.mro(type(objects[0])) if ownership.is_user_class(type(objects[0])) else ():
            for function in map(kinds.plain_function, kinds.namespace(cls).values()):
                if function is not None and ownership.is_user(function):
                    holders.setdefault(id(function.__code__), []).extend(objects)
    return holders


def nested(code: "types.CodeType") -> "list[types.CodeType]":
    """A code object and all inside it."""
    from firststep_agent.boost.objects import bytecode

    return bytecode.nested(code)


def tells(code: "types.CodeType", scope: "dict[str, Any]", holders: "dict[int, list[Any]] | None" = None,
          asks: "frozenset[str]" = _ASKING) -> bool:
    """Whether a code object of the user's may have an effect outside of what it builds, or asks by one of the names `asks`.

    scope: its globals. holders: of holders_of.
    """
    from firststep_agent.boost.objects import bytecode, looked_up, own_containers

    telling = (_TELLING | asks).intersection(code.co_names)
    if telling:
        telling = telling - looked_up.known(code, scope, (holders or {}).get(id(code), ()))
    if telling:
        telling = telling - (_OF_CONTAINERS & own_containers.methods_of_own_containers(code))
    if telling:
        return True
    if code.co_name in _BUILDS:
        return False
    return bytecode.stores_outside(code) or (
        bytecode.stores_items(code) and own_containers.ITEMS not in own_containers.methods_of_own_containers(code))
