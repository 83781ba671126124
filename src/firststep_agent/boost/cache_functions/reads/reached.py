"""That the walk met every function of the user's that ran: what it did not meet would not be part of the key."""

import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode, registries, words
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.boost.objects.walk import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from firststep_agent.boost.cache_functions.reads.executed import Executed
    from firststep_agent.boost.objects.walk import Walk

_GENERATED = ("<string>", "<attrs generated", "<lambdifygenerated")


def check(executed: "Executed", found: "Walk") -> None:
    """Raises Refused where user code ran that is reached neither from the function nor by its module and name."""
    unmet = _unmet(originals(executed.codes), _codes(found))
    if unmet:
        unmet = _unmet(unmet, _registered())
    if unmet:
        unmet = _unmet(unmet, _asked_by_frameworks(executed))
    for code in unmet:
        raise Refused(f"`{words.function_name(code)}` ({words.place(code)}) runs while it is traced, but firststep "
                      "cannot see how it is reached")


def _unmet(codes: "Iterable[types.CodeType]", known: "dict[int, types.CodeType]") -> "list[types.CodeType]":
    return [code for code in codes if id(code) not in known and not _is_generated(code) and not _in_known(code, known)]


def _registered() -> "dict[int, types.CodeType]":
    """The code of what may run at any import or conversion, whoever is traced; a walk of a tenth of a second."""
    functions = [*registries.user_functions(), *_finders()]
    return _codes(walk([(str(i), f) for i, f in enumerate(functions)], Reading()))


def _asked_by_frameworks(executed: "Executed") -> "dict[int, types.CodeType]":
    """The code of modules' own `__getattr__`, which AutoGraph asks for the `__module__` of whatever a function's globals hold.

    None of it where the user's code may have asked: what that is given would be part of the key.
    """
    functions = [kinds.own(module).get("__getattr__") for name, module in list(sys.modules.items())
                 if kinds.is_a(module, types.ModuleType) and ownership.module_owner(name) == ownership.USER]
    found = walk([(str(i), function) for i, function in enumerate(functions) if function is not None], Reading())
    known, asked = _codes(found), {id(function.__code__) for function in found.objects if type(function) is types.FunctionType}
    for code in executed.codes:
        if ownership.owner(code.co_filename) == ownership.USER and id(code) not in known:
            callees = executed.calls.get(id(code), ())
            if not _ASKING.isdisjoint(code.co_names) or any(id(callee) in asked for callee in callees):
                return {}
    return known


_ASKING = frozenset(("getattr", "hasattr", "attrgetter", "methodcaller", "eval", "exec", "__getattr__"))


def _finders() -> "Iterator[types.FunctionType]":
    """Functions of what looks for modules: they run at any import, of a framework's module for the first time as well."""
    for finder in sys.meta_path:
        cls = finder if kinds.is_a(finder, type) else type(finder)
        for value in kinds.namespace(cls).values():
            function = kinds.bound(value)
            if type(function) is types.FunctionType:
                yield function


def _codes(found: "Walk") -> "dict[int, types.CodeType]":
    known = {}
    for value in found.objects:
        if type(value) is types.FunctionType:
            for code in bytecode.nested(value.__code__):
                known[id(code)] = code
    return known


def _in_known(code: "types.CodeType", known: "dict[int, types.CodeType]") -> bool:
    """Whether an equal code object at the same place is known: a function made anew shares its code's text, not its identity."""
    return any(k.co_name == code.co_name and k.co_firstlineno == code.co_firstlineno and k.co_filename == code.co_filename
               for k in known.values())


def originals(codes: "Iterable[types.CodeType]") -> "Iterator[types.CodeType]":
    """The user's code objects that ran; for what AutoGraph generated, the functions that it was generated from."""
    origins = converted()
    for code in codes:
        if ownership.owner(code.co_filename) != ownership.USER:
            continue
        if "__autograph_generated_file" in code.co_filename:
            original = origins.get(code.co_filename)
            if original is not None and ownership.owner(original.co_filename) == ownership.USER:
                yield original
        elif code.co_name != "<module>":
            yield code


def converted() -> "dict[str, types.CodeType]":
    """Generated file -> the code object that was converted."""
    api = sys.modules.get("tensorflow.python.autograph.impl.api")
    kept = {} if api is None else api._TRANSPILER._cache._cache
    return {factory.module.__file__: code for code, factories in list(kept.items()) for factory in list(factories.values())
            if factory.module is not None}


def _is_generated(code: "types.CodeType") -> bool:
    return code.co_filename.startswith(_GENERATED)
