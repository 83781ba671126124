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
import weakref

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.proof import raw, thorough, wrappers
from firststep_agent.boost.cache_functions.proof.contents import CONTAINERS, digest, each, items, told_apart, told_by_value
from firststep_agent.boost.cache_functions.proof.glance import SIZE, Block, Contained, Held, by_kind, in_functions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from firststep_agent.boost.cache_functions.proof.tracked import Tracked


class Spaces:
    """What stands there now, before the trace. It holds neither modules nor classes."""

    def __init__(self, names: "list[str]", tracked: "Tracked") -> None:
        """names: of the imported modules; tracked: all objects that there are."""
        self._module_types, self._locals = (kinds.numbers(kinds.with_subclasses(kind)) for kind in (types.ModuleType, _thread._local))
        self._scopes = [_Space.of_imported(name) for name in names if not (ownership.is_programs(name) or name.startswith(_NOT_LOOKED_AT))]
        self._scopes += map(_Space.of_apart, _apart(tracked))
        gathered = self._gathered(self._scopes)
        self._meet_thread(gathered.others)
        self._plain, self._fixed = gathered.plain, Held(gathered.fixed)  # nobody asks for them: no other has their address meanwhile
        abstract = [scope for scope in self._scopes if "_abc_impl" in scope.own()]
        self._held = [block for some, seen in by_kind(gathered.containers) for block in _blocks(some, seen, _of_one)]
        self._held += [*_blocks(gathered.functions, in_functions, _of_function), *_told(gathered.others, self._of_other)]
        self._held += [block for some in wrappers.among(tracked) for block in _blocks(*some)]
        self._blocks = [*_blocks(self._scopes, _in_scopes, self._of_scope), *_told(abstract, _registered), *self._held]
        self._numbers = [block.number() for block in self._blocks]

    def _gathered(self, scopes: "list[_Space]") -> "Contained":
        return Contained([scope.attributes() for scope in scopes], told_apart() | self._locals)

    def _meet_thread(self, others: "list[Any]") -> None:
        """Has every thread-local among them make what it holds for this thread. One of a class with a constructor makes it when a thread
        first asks, as the look itself does: each of two forks would have made other objects, at addresses of its own."""
        for value in others:
            if id(type(value)) in self._locals:
                vars(value)

    def let_go(self) -> None:
        """Of what nobody else holds any more."""
        more = True
        while more:
            more = self._fixed.let_go() + sum(block.let_go() for block in self._held) > 0

    def changed(self) -> "list[int]":
        """Which of the blocks are not what they were."""
        return [at for at, (block, before) in enumerate(zip(self._blocks, self._numbers)) if block.number() != before]

    def words(self, block: int) -> "dict[int, int]":
        """{place: token} of what is in one of the blocks."""
        return self._blocks[block].words()

    def name(self, block: int, place: int) -> str:
        """Whose it is that stands there."""
        value = self._blocks[block].at(place)
        if type(value) is _Space:
            return value.name
        if type(value) is types.FunctionType:
            return f"the function `{value.__qualname__}` of {value.__module__}"
        stands_in = (scope for scope in self._scopes if value in self._gathered([scope]) or _holds(scope.own().values(), value))
        return next((scope.name for scope in stands_in), "a container of a library's")

    def _of_scope(self, scope: "_Space") -> int:
        return hash((scope.itself(), _token(scope.attributes(), self._module_types)))

    def _of_other(self, value: "Any") -> int:
        return _of_thread(value) if id(type(value)) in self._locals else _of_one(value)


class _Space:
    """A module or a class, which it does not hold. at, table: where a weak reference to it stands, and the dictionary of its attributes
    (raw.py); moving: names of what moves there."""

    def __init__(self, name: str, space: "Any", moving: "frozenset[Any]", imported_as: "str | None" = None) -> None:
        self.name = name
        self.is_class = kinds.is_a(space, type)
        self.is_of_python = self.is_class and bool(kinds.flags(space) & kinds.HEAP_TYPE)
        self._weak = weakref.ref(space)
        self._imported_as = imported_as
        self._moving = _MOVING | moving
        own = gc.get_referents(kinds.namespace(space))[0] if self.is_class else kinds.own(space)
        self.at, self.table = raw.places((self._weak, own))

    @classmethod
    def of_imported(cls, name: str) -> "_Space":
        """A module by the name that it is imported under."""
        module = sys.modules[name]
        return cls(name, module, _moving(name, type(module)), name)

    @classmethod
    def of_apart(cls, space: "Any") -> "_Space":
        """A class, or a module that is not imported under its name."""
        if kinds.is_a(space, types.ModuleType):
            return cls(f"{kinds.module_name(space)}", space, _NOTHING)
        name = kinds.qualified(space)
        return cls(name, space, _moving(name, space))

    def get(self) -> "Any":
        """What it is now: of a module that is imported what stands under its name; None where it is gone."""
        return self._weak() if self._imported_as is None else sys.modules.get(self._imported_as)

    def own_address(self) -> int:
        """Of an imported module where what stands under its name is; else 0."""
        return 0 if self._imported_as is None else id(self.get())

    def itself(self) -> "tuple[Any, ...]":
        """Which it is, and of a class what it is called and where it looks for attributes."""
        space = self.get()
        called = (kinds.name(space), kinds.qualname(space), *map(id, kinds.mro(space))) if self.is_class and space is not None else ()
        return id(space), id(type(space)), *called

    def own(self) -> "Mapping[str, Any]":
        """All that it has; nothing where it is gone."""
        space = self.get()
        return kinds.namespace(space) if self.is_class and space is not None else kinds.own(space)

    def attributes(self) -> "Mapping[str, Any]":
        """What of it counts."""
        own = self.own()
        if own.keys().isdisjoint(self._moving):
            return own
        counting = dict(own)
        for name in self._moving:
            counting.pop(name, None)
        return counting


def _holds(values: "Iterable[Any]", one: "Any") -> bool:
    return any(value is one for value in values)


def _registered(scope: "_Space") -> int:
    """A token of what was registered with an abstract class."""
    cls = scope.get()
    return 0 if cls is None else digest(thorough.registered(cls))


def _blocks(values: "Sequence[Any]", seen: "Callable[[Held], Iterable[Any]]", tells: "Callable[[Any], int]") -> "list[Block]":
    return [Block(values[at:at + SIZE], seen, tells) for at in range(0, len(values), SIZE)]


def _told(values: "Sequence[Any]", tells: "Callable[[Any], int]") -> "list[Block]":
    """Blocks of what only tokens tell of."""
    return _blocks(values, lambda held: map(tells, held.values), tells)


def _in_scopes(held: "Held") -> "Iterable[int]":
    """Each itself, what it is called, and whether any of its attributes was changed, whether it counts or not."""
    there = raw.referred([scope.at for scope in held.values])
    alive = [(scope, address // raw.WORD) for scope, address in zip(held.values, there) if address != id(None)]
    return itertools.chain(
        there, map(_Space.own_address, held.values), raw.changes([scope.table for scope, _ in alive]), raw.classes([at for _, at in alive]),
        raw.in_classes([at for scope, at in alive if scope.is_of_python]))


def _of_one(value: "Any") -> int:
    return digest(each((value,)))


def _of_function(function: "types.FunctionType") -> int:
    put_on = items(dict(thorough.attributes_of(function))) if function.__dict__ else None
    named = [function.__name__, function.__qualname__, *each((function.__module__, function.__doc__))]
    parts = function.__defaults__, function.__kwdefaults__, function.__annotations__
    return digest((id(function.__code__), named, tuple(map(items, parts)), put_on))


def is_wanted(kind: type) -> bool:
    """Whether objects of this class are wanted: classes, modules, frames, wrappers."""
    return _is_space(kind) or kind is types.FrameType or wrappers.is_wanted(kind)


def _is_space(kind: type) -> bool:
    return issubclass(kind, (type, types.ModuleType))


def _apart(tracked: "Tracked") -> "list[Any]":
    """Classes, whatever they say of their module, and modules that are not imported under their names, less the program's, whose are
    `held`."""
    is_left_out = functools.cache(lambda name: ownership.is_programs(name) or type(name) is str and name.startswith(_NOT_LOOKED_AT))
    classes, modules = [], []
    for value, kind in tracked.of(_is_space):
        if issubclass(kind, type):
            if not is_left_out(kinds.module(value)):
                classes.append(value)
        elif sys.modules.get(kinds.module_name(value)) is not value and not ownership.is_programs_module(value) and not _is_lazy(kind):
            modules.append(value)
    left_over = _left_over(tracked, modules)
    return [*classes, *(module for module in modules if id(module) not in left_over)]


def _left_over(tracked: "Tracked", modules: "list[Any]") -> "frozenset[int]":
    """Addresses of the modules among them that only frames hold which have ended: what an import leaves that failed and was tried
    otherwise. Nobody reaches them, and they go when the collector looks, or the frame is cleared."""
    in_frames = {id(each) for frame, _ in tracked.of(lambda kind: kind is types.FrameType) for each in gc.get_referents(frame)}
    modules = [one for one in modules if id(one) in in_frames]
    held: set = set()
    for holder in gc.get_referrers(*modules) if modules else ():
        is_ours = type(holder) is list or type(holder) is tuple and kinds.same(holder, modules)  # Python 3.13 tells its own arguments, too
        if type(holder) is not types.FrameType and not is_ours:
            held.update(map(id, gc.get_referents(holder)))
    return frozenset(map(id, modules)) - held


@functools.cache
def _is_lazy(cls: "type[Any]") -> bool:
    """Whether modules of this class are a library's stand-ins, which become what they stand for when something of it is first asked
    for, as TensorBoard's for TensorFlow: nothing that decides anything."""
    below = itertools.takewhile(lambda base: base is not types.ModuleType, kinds.mro(cls))
    return any("__getattr__" in kinds.namespace(base) for base in below) and not ownership.is_programs(kinds.module(cls))


def _moving(name: str, cls: type) -> "frozenset[Any]":
    """Names of what moves in a library's class or module; cls: that class, or the module's."""
    known = _MOVING_IN.get(name, _NOTHING)
    late = kinds.namespace(cls).get("_moved_attributes")  # six's: each goes from class to module when it is first asked for
    return known if type(late) is not list else known | {kinds.own(one).get("name") for one in late}


def _of_thread(local: "Any") -> int:
    """A token of what this thread has in it. Frameworks make what they ask for, empty, and put back None."""
    held = {name: value for name, value in vars(local).items() if _AT_REST.get(name, _NOTHING) is not value and not _is_unused(value)}
    return digest(items({key: value for key, value in held.items() if value is not None and (id(type(value)) not in CONTAINERS or value)}))


_AT_REST = {"entered": False}  # of TensorFlow's thread-locals: what they hold after use, as if nothing were there


def _is_unused(value: "Any") -> bool:
    """Whether it is what Keras 2 makes for a thread at its first call of a layer, and the thread is in none."""
    return kinds.name(type(value)) == "CallContext" and kinds.own(value).get("in_call") is False


def _token(attributes: "Mapping[str, Any]", module_types: "frozenset[int]") -> int:
    """Names, addresses and contents of the attributes; submodules appear when they are first asked for.

    A number or a text counts by value, too: one that took the place of another may stand at its address.
    """
    counting = {name: value for name, value in attributes.items() if not (name == _MADE and type(value) is dict and not value)}
    names, values = tuple(counting), tuple(counting.values())
    types_of = tuple(map(id, map(type, values)))
    if not module_types.isdisjoint(types_of):
        kept = [kind not in module_types for kind in types_of]
        names, values, types_of = (tuple(itertools.compress(each_of, kept)) for each_of in (names, values, types_of))
    told = itertools.compress(values, map(told_by_value().__contains__, types_of))  # of the others the address says all
    return hash((names, tuple(map(id, values)), digest(each(list(told)))))


# Attributes of libraries that a trace moves and that decide nothing later, each with the reason.
_MADE = "__annotations__"  # empty, when it is first asked for
_MOVING = frozenset((
    "__warningregistry__",  # which warnings were shown: a replay shows them once more, through the same registry
    "__builtins__",
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
