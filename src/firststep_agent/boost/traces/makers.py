"""What may run of all that can be reached: less what makes objects of classes of which nothing makes one, a layer's `__init__` once it is
there, and what that alone reaches.

In doubt an object may be made: where a class is held by more than its objects and the classes below it, or where code asks an object for
its class, or anything for a name that it makes.
"""

import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import bytecode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from firststep_agent.boost.objects.special import Parts

_MAKING = frozenset((".__init__", ".__new__", ".__post_init__"))
_ASKS = frozenset("""type __class__ __init__ __new__ __reduce__ __reduce_ex__ mro __mro__ __subclasses__
    globals vars eval exec modules import_module __import__ __globals__ __dict__
    replace evolve clone clone_model from_config deserialize""".split())  # the last make an object of the class of another
# What data classes and libraries have of these asks for a class to compare it, or to name it.
_COMPARING = frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __repr__ __hash__ __setattr__ __delattr__".split())
_OF_A_CLASS = "class", "base ", "metaclass"  # steps to a class from its objects, and from the classes below it


def may_run(target: "Any", taken: "Mapping[int, Parts]") -> "list[types.FunctionType]":
    """The user's functions. target: where all begins; taken: the parts of all that can be reached, as of `once.reachable`."""
    found = _Search(taken)
    found.follow([target])
    if found.asks_for_classes():
        found.follow(found.makers())
    return found.functions


class _Search:
    def __init__(self, taken: "Mapping[int, Parts]") -> None:
        self._taken = taken
        self._met: set[int] = set()
        self._held: set[int] = set()  # classes that code has at hand
        self._left: dict[int, list[Any]] = {}  # number of a class -> what makes its objects
        self._of_classes: list[types.FunctionType] = []  # class methods, which have their class at hand
        self.functions: list[types.FunctionType] = []

    def follow(self, todo: "list[Any]") -> None:
        """Meets these, and what they lead to."""
        for value in todo:
            if id(value) in self._met or id(value) not in self._taken:
                continue
            self._met.add(id(value))
            if type(value) is types.FunctionType and ownership.is_user(value):
                self.functions.append(value)
            elif type(value) is classmethod and type(value.__func__) is types.FunctionType:
                self._of_classes.append(value.__func__)
            is_class = kinds.is_a(value, type)
            for step, child in self._taken[id(value)][1]:
                if is_class and step in _MAKING and id(value) not in self._held:
                    self._left.setdefault(id(value), []).append(child)
                    continue
                if kinds.is_a(child, type) and not step.startswith(_OF_A_CLASS) and step != "cell __class__":
                    todo.extend(self._hold(child))
                todo.append(child)

    def _hold(self, cls: type) -> "list[Any]":
        """What makes objects of the class: its own, and by `super()` those of the classes that it is below."""
        bases = [id(base) for base in kinds.mro(cls)]
        self._held.update(bases)
        return [maker for number in bases for maker in self._left.pop(number, ())]

    def makers(self) -> "list[Any]":
        """All that were left out, of whatever class."""
        self._held.update(self._left)
        return [maker for makers in self._left.values() for maker in makers]

    def asks_for_classes(self) -> bool:
        """Whether code that was met asks an object for its class or a method of that, or looks into a scope. One that calls `super` has its
        class for that."""
        of_classes = {id(function) for function in self._of_classes}
        asks = _ASKS.union(function.__name__ for function in self._of_classes)
        codes = [code for function in self.functions if id(function) not in of_classes and not _only_compares(function.__code__)
                 for code in bytecode.nested(function.__code__)]
        return any(not asks.isdisjoint(code.co_names) or ("__class__" in code.co_freevars and "super" not in code.co_names)
                   for code in codes)


def _only_compares(code: "types.CodeType") -> bool:
    return code.co_name in _COMPARING and (code.co_filename[:1] == "<" or ownership.is_installed(code.co_filename))
