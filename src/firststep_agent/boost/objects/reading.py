"""How values are read when they are taken apart: which names count, whose contents are wanted."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from collections.abc import Container
    from typing import Any


class ModuleRead:
    """The part of a module that some code can read through an expression like `module.name.name`."""

    __slots__ = ("module", "names")
    module: "types.ModuleType"
    names: tuple
    _made: dict = {}

    @classmethod
    def of(cls, module: "types.ModuleType", names: "tuple[str, ...]") -> "ModuleRead":
        """One and the same object for one module and one tuple of names, so that a walk meets it once."""
        key = (id(module), id(names))
        made = cls._made.get(key)
        if made is None or made.module is not module:
            made = cls._made[key] = cls()
            made.module, made.names = module, names
        return made


class Reading:
    """How values are read: which names count (None: all), whose contents are wanted, and whether also what no trace reads counts."""

    def __init__(self, names: "Any" = None, values: "Container[int]" = (), unread: bool = False) -> None:
        self.names = names
        self.values = values  # ids of tensors and variables whose contents are part of the key
        self.unread = unread


class Everything:
    """Stands for the ids of all tensors and variables: the contents of each count."""

    def __contains__(self, _: object) -> bool:
        return True
