"""What stands in the libraries' modules and classes: by address, plain values and containers by what they hold.

What was there before the fork has the same address in both children. A class counts whatever it says of its module, a module
whatever it is called: a program may load a file by its path alone, and make either by hand.
"""

import _thread
import functools
import gc
import itertools
import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.proof import thorough
from firststep_agent.boost.cache_functions.proof.contents import CONTAINERS, digest, each, items, told_by_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from firststep_agent.boost.cache_functions.proof.tracked import Tracked


def of_modules(names: "list[str]") -> "Iterator[tuple[str, int]]":
    """(name, token) of every module among them that is not the program's, and of its functions."""
    module_types, locals_ = (kinds.numbers(_with_subclasses(kind)) for kind in (types.ModuleType, _thread._local))
    for name in names:
        module = sys.modules.get(name)
        if module is None or ownership.is_programs(name) or name.startswith(_NOT_LOOKED_AT):
            continue
        scope = kinds.own(module)
        yield name, _token(scope, module_types, _moving(name, type(module)))
        if not locals_.isdisjoint(map(id, map(type, scope.values()))):
            yield f"{name} on this thread", digest(tuple(
                _of_thread(value) for value in scope.values() if id(type(value)) in locals_))
        functions = []  # in one word, so that both children have as many words
        for key, value in list(scope.items()):
            if type(value) is types.FunctionType and value.__module__ == name:
                has_more = value.__dict__ or value.__defaults__ or value.__kwdefaults__
                functions.append((key, id(value.__code__), _of_function(value) if has_more else None))
        yield f"functions of {name}", digest(functions)


def now(tracked: "Tracked") -> "frozenset[int]":
    """Addresses of the classes and modules that `words` looks at. tracked: all objects."""
    apart = list(_apart(tracked))
    return frozenset(map(id, apart)) - _left_over(tracked, apart)


def _left_over(tracked: "Tracked", apart: "list[Any]") -> "frozenset[int]":
    """Addresses of the modules among them that only frames hold which have ended: what an import leaves that failed and was tried
    otherwise. Nobody reaches them, and they go when the collector looks, or the frame is cleared."""
    in_frames = {id(each) for frame, _ in tracked.of(lambda kind: kind is types.FrameType) for each in gc.get_referents(frame)}
    modules = [one for one in apart if id(one) in in_frames and kinds.is_a(one, types.ModuleType)]
    held: set = set()
    for holder in gc.get_referrers(*modules) if modules else ():
        if type(holder) is not types.FrameType and type(holder) is not list:  # lists are our own
            held.update(map(id, gc.get_referents(holder)))
    return frozenset(map(id, modules)) - held


def _apart(tracked: "Tracked") -> "Iterator[Any]":
    """Classes, whatever they say of their module, and modules that are not imported under their names, less the program's, whose are
    `held`."""
    is_left_out = functools.cache(lambda name: ownership.is_programs(name) or type(name) is str and name.startswith(_NOT_LOOKED_AT))
    for value, kind in tracked.of(_is_space):
        if issubclass(kind, type):
            if not is_left_out(kinds.module(value)):
                yield value
        elif sys.modules.get(kinds.module_name(value)) is not value and not ownership.is_programs_module(value) and not _is_lazy(kind):
            yield value


@functools.cache
def _is_lazy(cls: "type[Any]") -> bool:
    """Whether modules of this class are a library's stand-ins, which become what they stand for when something of it is first asked
    for, as TensorBoard's for TensorFlow: nothing that decides anything."""
    below = itertools.takewhile(lambda base: base is not types.ModuleType, kinds.mro(cls))
    return any("__getattr__" in kinds.namespace(base) for base in below) and not ownership.is_programs(kinds.module(cls))


def _is_space(kind: type) -> bool:
    return issubclass(kind, (type, types.ModuleType))


def words(tracked: "Tracked", known: "frozenset[int]") -> "Iterator[tuple[str, int]]":
    """(name, token) of those that are `known`, in an order that two forks share."""
    module_types = kinds.numbers(_with_subclasses(types.ModuleType))
    for value in sorted((one for one, _ in tracked.of(_is_space) if id(one) in known), key=id):
        if kinds.is_a(value, types.ModuleType):
            yield f"{kinds.module_name(value)}", _token(kinds.own(value), module_types)
            continue
        name, held = kinds.qualified(value), kinds.namespace(value)
        yield name, _token(held, module_types, _moving(name, value))
        if "_abc_impl" in held:
            yield name, digest(thorough.registered(value))


def meet_thread(names: "list[str]") -> None:
    """Has every thread-local of these modules make what it holds for this thread. One of a class with a constructor makes it when a thread
    first asks, as the look itself does: each of two forks would have made other objects, at addresses of its own."""
    locals_ = kinds.numbers(_with_subclasses(_thread._local))
    for name in names:
        module = sys.modules.get(name)
        if module is not None and not ownership.is_programs(name) and not name.startswith(_NOT_LOOKED_AT):
            for value in list(kinds.own(module).values()):
                if id(type(value)) in locals_:
                    vars(value)


def _moving(name: str, cls: type) -> "frozenset[Any]":
    """Names of what moves in a library's class or module; cls: that class, or the module's."""
    known = _MOVING_IN.get(name, _NOTHING)
    late = kinds.namespace(cls).get("_moved_attributes")  # six's: each goes from class to module when it is first asked for
    return known if type(late) is not list else known | {kinds.own(one).get("name") for one in late}


def _of_function(function: "types.FunctionType") -> "tuple[Any, ...]":
    put_on = items(dict(thorough.attributes_of(function))) if function.__dict__ else None
    return items(function.__defaults__), items(function.__kwdefaults__), put_on


def _of_thread(local: "Any") -> "tuple[Any, ...]":
    """What this thread has in it. Frameworks make what they ask for, empty, and put back None."""
    held = {name: value for name, value in vars(local).items() if _AT_REST.get(name, _NOTHING) is not value}
    return items({key: value for key, value in held.items() if value is not None and (id(type(value)) not in CONTAINERS or value)})


_AT_REST = {"entered": False}  # of TensorFlow's thread-locals: what they hold after use, as if nothing were there


def _with_subclasses(cls: "type[Any]") -> "Iterator[type[Any]]":
    yield cls
    for subclass in type.__subclasses__(cls):
        yield from _with_subclasses(subclass)


def _token(scope: "Mapping[str, Any]", module_types: "frozenset[int]", moving: "frozenset[Any]" = frozenset()) -> int:
    """Names, addresses and contents of the attributes; submodules appear when they are first asked for.

    A number or a text counts by value, too: one that took the place of another may stand at its address.
    """
    scope = dict(scope)
    for key in (*_MOVING, *moving):
        scope.pop(key, None)
    names, values = tuple(scope), tuple(scope.values())
    types_of = tuple(map(id, map(type, values)))
    if not module_types.isdisjoint(types_of):
        kept = [kind not in module_types for kind in types_of]
        names, values, types_of = (tuple(itertools.compress(each_of, kept)) for each_of in (names, values, types_of))
    told = itertools.compress(values, map(told_by_value().__contains__, types_of))  # of the others the address says all
    return hash((names, tuple(map(id, values)), digest(each(list(told)))))


# Attributes of libraries that a trace moves and that decide nothing later, each with the reason.
_MOVING = frozenset((
    "__warningregistry__",  # which warnings were shown: a replay shows them once more, through the same registry
    "__builtins__",
    "__annotations__",  # made when they are first asked for
    "__slotnames__",  # kept on a class by copyreg when one of its objects is copied, pickled or, as here, asked for its parts
))
_TF = "tensorflow.python."
_NOTHING: "frozenset" = frozenset()
_MOVING_IN = {
    "sys": frozenset(("modules",)),  # those of the program are compared one by one
    "threading": frozenset(  # made anew in each fork
        ("_active", "_active_limbo_lock", "_dangling", "_limbo", "_main_thread", "_shutdown_locks", "_shutdown_locks_lock")),
    "re": frozenset(("_cache", "_cache2")),  # compiled patterns, by their text
    "encodings": frozenset(("_cache",)),  # codecs, by name
    "linecache": frozenset(("cache",)),  # source lines
    "numpy.iinfo": frozenset(("_min_vals", "_max_vals")),  # limits of integers, by type
    "numpy.finfo": frozenset(("_finfo_cache",)),  # and of floats
    "ml_dtypes._finfo.finfo": frozenset(("_finfo_cache",)),  # the same, of TensorFlow's own types too (`tf.bfloat16.max`)
    "tempfile": frozenset(("_name_sequence",)),  # names of temporary files: AutoGraph's
    "tensorflow.core.config.flags": frozenset(("FLAGS",)),  # made when it is first asked for, from the environment
    _TF + "framework.op_def_registry": frozenset(("_cache",)),  # descriptions of operations, by name
    _TF + "framework.tensor_conversion_registry": frozenset(("_tensor_conversion_func_cache",)),  # found again in the registry, by type
    _TF + "framework.device": frozenset(("_cached_mergers", "_string_merge_cache")),  # device names, by their parts
    _TF + "framework.device_spec": frozenset(("_STRING_TO_COMPONENTS_CACHE", "_COMPONENTS_TO_STRING_CACHE")),  # the same
    _TF + "eager.context": frozenset(("_device_parsing_cache",)),  # the same
    _TF + "eager.backprop": frozenset(("_op_attr_type_cache",)),  # types of attributes, by operation
    _TF + "eager.polymorphic_function.atomic_function": frozenset(("RUNTIME_FUNCTION_REFS",)),  # how often each function is held
    _TF + "util.tf_stack": frozenset(("_source_mapper_stacks", "_source_filter_stacks")),  # by thread, made when they are first asked for
    _TF + "util.tf_stack.StackTraceMapper": frozenset(("_stack_dict",)),  # the same
    _TF + "util.tf_stack.StackTraceFilter": frozenset(("_stack_dict",)),  # the same
    _TF + "distribute.distribute_lib": frozenset(("_defaults",)),  # the default strategy, made when it is first asked for
}
_NOT_LOOKED_AT = ("firststep_agent", "__autograph_generated", "__mp_main__")
