"""Names that code looks up where they are known to be no method of a container: `tf.math.log`, a layer that is kept as `self.add`.

What is looked at is the bytecode, and the objects as they are; none of the program's code is run. In doubt a name is not known.
"""

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.own_containers import LOOKS_UP, loaded, stored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from dis import Instruction
    from types import CodeType, ModuleType
    from typing import Any

_SILENT = frozenset(("CACHE", "EXTENDED_ARG", "PUSH_NULL"))
_GLOBALS = frozenset(("LOAD_GLOBAL", "LOAD_NAME"))
_SETS = frozenset(("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"))  # told as stores
_PACKAGES = frozenset(("tensorflow", "keras", "tf_keras", "numpy"))  # whose functions leave alone what they are given
_CHANGING = frozenset(("numpy", "put")), frozenset(("numpy", "random")), frozenset(("tensorflow", "logging"))  # but for these
_MODULE = type(kinds)
_ITSELF = object()


class _Part:
    """What a package's module, `path` from its root, gives under a name: TensorFlow loads Keras's modules when they are asked for."""

    def __init__(self, path: "tuple[str, ...]", module: "ModuleType | None" = None, is_end: bool = False) -> None:
        self.path, self.module, self.is_end = path, module, is_end

    def get(self, name: str) -> "_Part | None":
        """None where it is no module, function or class, or where it might change something that the program sees."""
        path = (*self.path, name)
        if self.is_end or name[:2] == "__" or _may_change(path):
            return None
        value = None if self.module is None else kinds.own(self.module).get(name)
        if value is None:
            return _Part(path)
        if kinds.is_a(value, _MODULE):
            return _Part(path, value) if _path(kinds.module_name(value))[0] in _PACKAGES else None
        return _Part(path, is_end=True) if callable(value) else None


def known(code: "CodeType", scope: "dict[str, Any]", holders: "Sequence[Any]") -> "set[str]":
    """These names. scope: the globals of the code. holders: all objects that have the code as a method."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    before: Any = None
    itself = _itself(code) if holders else None
    for each in _instructions(code):
        name, at, before = each.argval, None if each.is_jump_target else before, None
        if each.opname in _GLOBALS:
            before = _of_package(scope.get(name))
            (elsewhere if before is None and not _is_users(scope.get(name)) else found).add(name)
        elif each.opname in LOOKS_UP and at is not None:
            if at is _ITSELF:
                is_known = all(_is_called_alone(holder, name) for holder in holders)
            else:
                before = at.get(name)
                is_known = before is not None
            (found if is_known else elsewhere).add(name)
        elif each.opname in _SETS:
            found.add(name)
        elif each.opcode in _named():
            elsewhere.add(name)
        elif itself is not None and loaded(each) == itself:
            before = _ITSELF
    return found - elsewhere


def is_packages_module(path: "Sequence[str]", scope: "dict[str, Any]") -> bool:
    """Whether a global of this scope, or what its attributes lead to, is a module of these packages: ("tf", "nn")."""
    part = _of_package(scope.get(path[0])) if path else None
    for name in path[1:]:
        part = None if part is None else part.get(name)
    return part is not None and not part.is_end


def _named() -> "Collection[int]":
    import dis

    return dis.hasname


def _instructions(code: "CodeType") -> "list[Instruction]":
    import dis

    return [each for each in dis.get_instructions(code) if each.opname not in _SILENT]


def _itself(code: "CodeType") -> "str | None":
    """The variable that holds the object of a method; None where it may come to hold another."""
    if not code.co_argcount:
        return None
    return None if any(code.co_varnames[0] in stored(each) for each in _instructions(code)) else code.co_varnames[0]


def _may_change(path: "tuple[str, ...]") -> bool:
    return any(words <= frozenset(path) for words in _CHANGING)


def _path(name: "Any") -> "tuple[str, ...]":
    return tuple(name.split(".")) if type(name) is str else ("",)


def _of_package(value: "Any") -> "_Part | None":
    """What stands for a global: a module, a class or a function of these packages; else None."""
    if kinds.is_a(value, _MODULE):
        path = _path(kinds.module_name(value))
        return _Part(path, value) if path[0] in _PACKAGES else None
    if _is_users(value) or not kinds.is_a(value, (type, kinds.FUNCTION)):
        return None
    path = _path(kinds.module(value) if kinds.is_a(value, type) else value.__module__)
    return _Part(path, is_end=True) if path[0] in _PACKAGES and not _may_change(path) else None


def _is_users(value: "Any") -> bool:
    return type(value) is kinds.FUNCTION and ownership.is_user(value)


def _is_called_alone(holder: "Any", name: str) -> bool:
    """Whether what an object has under a name is a function of the user's or a layer: their own code tells what a call of them does."""
    value = kinds.own(holder).get(name)
    if value is None:
        value = next((kinds.namespace(one)[name] for one in kinds.mro(type(holder)) if name in kinds.namespace(one)), None)
    return _is_users(value) or any(kinds.qualname(one) == "Layer" and ownership.module_owner(kinds.module(one)) == ownership.FRAMEWORK
                                   for one in kinds.mro(type(value)))
