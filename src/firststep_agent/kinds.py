"""What an object or a class is, asked without running any code of the program.

`isinstance` asks an object for its `__class__`; a class that is a key of a dictionary, or looked for in a tuple, is hashed and compared
by its metaclass; `cls.__module__` passes through the metaclass's `__getattribute__`. All of them may be the program's: they may count
their calls, lie, or raise.
"""

_MODULE = type.__dict__["__module__"].__get__
name = type.__dict__["__name__"].__get__
qualname = type.__dict__["__qualname__"].__get__
bases = type.__dict__["__bases__"].__get__
mro = type.__dict__["__mro__"].__get__
namespace = type.__dict__["__dict__"].__get__
flags = type.__dict__["__flags__"].__get__


def module(cls):
    """What a class says of its module: a string where nobody put anything else there, None where it says nothing."""
    try:
        return _MODULE(cls)
    except AttributeError:
        return None


def qualified(cls):
    """`module.qualname` of a class."""
    return f"{module(cls)}.{qualname(cls)}"


def is_a(value, classes):
    """Whether the value is of one of these classes, whose metaclass is `type`, whatever it says of itself."""
    return issubclass(type(value), classes)


def is_below(cls, base):
    """Whether one class is another or stands below it: also where the other is abstract, and would ask for hashes to find out."""
    return any(each is base for each in mro(cls))


def numbers(classes):
    """The ids of classes that live as long as the process: `id(cls) in numbers(…)` compares nothing else."""
    return frozenset(map(id, classes))


def by_number(table):
    """{id(cls): what} of a table {cls: what} with classes that live as long as the process."""
    return {id(cls): what for cls, what in table.items()}
