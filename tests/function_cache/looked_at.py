"""Objects that count what is called of them, looked at by all that looks at a program's objects; prints {case: {method: calls}}.

A program of its own: a proof looks at all objects of its process, and a process that runs tests is full of them.
"""


import abc
import collections
import datetime
import decimal
import enum
import fractions
import json
import logging
import pathlib
import random
import sys
import types
import weakref

import numpy

from firststep_agent.boost.cache_functions.key import callables, outline
from firststep_agent.boost.cache_functions.proof import state
from firststep_agent.boost.cache_functions.reads import hashing, library, whole
from firststep_agent.boost.cache_functions.reads.snapshot import Snapshot
from firststep_agent.boost.objects import roots, words
from firststep_agent.boost.objects.paths import Paths, resolve
from firststep_agent.boost.traces import once

CALLS: collections.Counter = collections.Counter()
OF_OBJECTS = """__eq__ __ne__ __lt__ __hash__ __bool__ __len__ __iter__ __next__ __reversed__ __contains__ __getitem__ __missing__ __repr__
    __str__ __format__ __bytes__ __index__ __int__ __float__ __complex__ __trunc__ __array__ __fspath__ __reduce__ __reduce_ex__
    __getstate__ __sizeof__ __dir__ __copy__ __deepcopy__ __getnewargs__ __length_hint__ __call__ __get__ __buffer__ __getattr__
    __getattribute__ keys items values get_state getstate hexdigest getvalue tolist isoformat utcoffset tzname as_posix""".split()
PROPERTIES = """__class__ __dict__ __doc__ __name__ __qualname__ __module__ __wrapped__ __self__ __func__ __code__ __signature__ name value
    shape dtype flags size nbytes numerator denominator default_factory func args""".split()
OF_CLASSES = """__eq__ __ne__ __hash__ __bool__ __len__ __iter__ __contains__ __repr__ __str__ __call__ __getattr__ __getattribute__
    __instancecheck__ __subclasscheck__ __subclasses__ __dir__ __reduce_ex__""".split()
PROPERTIES_OF_CLASSES = "__module__ __name__ __mro__ __bases__ __dict__ __flags__ __doc__ __class__".split()


Variable = abc.ABCMeta("Variable", (), {})  # as TensorFlow's is


def counted(name, above):
    plainly = getattr(above, name, None)

    def method(self, *arguments, **keywords):
        CALLS[name] += 1
        if name == "__getattr__":
            raise AttributeError(arguments[0])
        return plainly(self, *arguments, **keywords) if callable(plainly) else NotImplemented

    return method


def counted_property(name):
    def get(self):
        CALLS[name] += 1
        raise AttributeError(name)

    return property(get, lambda self, value: None)


def namespace(above, methods, properties):
    return {"__module__": __name__, **{name: counted(name, above) for name in methods},
            **{name: counted_property(name) for name in properties if name != "__qualname__"}}


def named(name, properties):
    """(methods, properties) of a class with this one; Python takes the first of two away where the second is alone."""
    return ([], [name]) if name in properties else (["__hash__", "__eq__"] if name == "__hash__" else [name], [])


def object_with(name):
    return object.__new__(type(f"With_{name}", (), namespace(object, *named(name, PROPERTIES))))


def class_with(name):
    metaclass = type(f"Meta_{name}", (type,), namespace(type, *named(name, PROPERTIES_OF_CLASSES)))
    return type.__new__(metaclass, f"Of_{name}", (), {"__module__": __name__})


class Colour(enum.Enum):
    RED = 1


class Zone(datetime.tzinfo):
    pass


BELOW = {list: ([1, 2],), tuple: ((1, 2),), dict: ({"a": 1},), set: ({1, 2},), frozenset: ({1, 2},), int: (3,), float: (1.5,), str: ("text",),
         bytes: (b"bytes",), complex: (1j,), bytearray: (b"ab",), collections.deque: ([1, 2],), collections.OrderedDict: ({"a": 1},),
         collections.Counter: ("abc",), collections.defaultdict: (int, {"a": 1}), datetime.date: (2020, 1, 1), datetime.time: (1, 2),
         datetime.timedelta: (1,), datetime.datetime: (2020, 1, 1), decimal.Decimal: ("1.5",), fractions.Fraction: (1, 2),
         pathlib.PurePosixPath: ("/a/b",), random.Random: (1,), logging.Logger: ("name",), types.SimpleNamespace: (), types.ModuleType: ("m",),
         Exception: ("said",), weakref.ref: (Colour,), Zone: (), property: (len,), classmethod: (len,), staticmethod: (len,)}


def below(kind, arguments):
    """An object of a class below a known one that makes its own of whatever that one may be asked."""
    methods = [name for name in OF_OBJECTS if name not in ("__getattr__",) and hasattr(kind, name)]
    properties = [name for name in PROPERTIES if name in ("__class__", "__doc__", "name", "value", "numerator", "denominator")]
    value = type(f"Below_{kind.__name__}", (kind,), namespace(kind, methods, properties))(*arguments)
    CALLS.clear()
    return value


class Below(numpy.ndarray):
    def __array_finalize__(self, obj):
        CALLS["__array_finalize__"] += 1

    shape = counted_property("shape")  # type: ignore[assignment]
    dtype = counted_property("dtype")  # type: ignore[assignment]
    flags = counted_property("flags")  # type: ignore[assignment]


def look(value, own_hash=False):
    """All that looks at a function which holds the value, before and after its trace and in a proof's child.

    own_hash: whether the value may not be a member of a set or a key, which Python itself would ask for its hash.
    """
    holder = types.SimpleNamespace(value=value, listed=[value], tupled=(value,), named={"a": value})

    def function(x):
        return x * holder.value

    if not own_hash:
        holder.members, holder.keyed = {value}, {value: 1}
    CALLS.clear()
    before = state.BeforeTrace()
    snapshot = Snapshot(roots.roots(function))
    assert snapshot.changes() == []
    given = roots.Called(function, [value])
    assert any(roots.weakly(given)().arguments[0] is each for each in (value, None))
    Snapshot(roots.roots(given))
    whole.Whole(function)
    outline.sketch(roots.roots(function))
    list(once.reachable(function))
    library._library_classes(snapshot.walk)
    path = Paths(function).of(value)
    if path is not None:
        assert resolve(function, path) is value
    for number in range(len(snapshot.walk.objects)):
        words.holder(snapshot.walk, number)
    hashing._is_users(snapshot.walk, 1)
    state.State(function, before).words.clear()
    return dict(CALLS)


def callable_with(name):
    """What looks at the callable that is traced."""
    methods, properties = named(name, PROPERTIES)
    step = object.__new__(type("Callable", (), namespace(object, [*methods, "__call__"], properties)))
    CALLS.clear()
    assert roots.innermost(step) is roots.undecorated(step) is roots.entry(step) is step
    assert callables.name_of(step).rpartition(".")[2] == "Callable"
    assert callables.code_of(step).co_name == "method"
    assert "Callable" in callables.where(step)
    return dict(CALLS)


class Key:
    def __hash__(self):
        CALLS["__hash__"] += 1
        return 1

    def __eq__(self, other):
        CALLS["__eq__"] += 1
        return self is other


class Mapping(dict):
    pass


class Members(set):
    pass


def keyed():
    """Containers whose keys and members are the program's."""
    keys = [Key(), Key()]
    return [dict.fromkeys(keys, 1), set(keys), frozenset(keys), collections.OrderedDict.fromkeys(keys, 1), collections.Counter(keys),
            Mapping.fromkeys(keys, 1), Members(keys), types.MappingProxyType(Mapping.fromkeys(keys, 1))]


def cases():
    """(name, function that looks)."""
    for name in (*OF_OBJECTS, *PROPERTIES):
        yield f"object {name}", lambda name=name: look(object_with(name), name in ("__eq__", "__hash__", "__getattribute__"))
        yield f"callable {name}", lambda name=name: callable_with(name)
    for name in (*OF_CLASSES, *PROPERTIES_OF_CLASSES):
        yield f"object of a class with {name}", lambda name=name: look(object.__new__(class_with(name)))
        yield f"class with {name}", lambda name=name: look(class_with(name), own_hash=True)
    for kind, arguments in BELOW.items():
        yield f"below {kind.__name__}", lambda kind=kind, arguments=arguments: look(below(kind, arguments), own_hash=True)
    yield "array", lambda: look(numpy.zeros(3).view(Below), own_hash=True)
    yield "keys and members", lambda: look(keyed(), own_hash=True)


if __name__ == "__main__":
    sys.modules["tensorflow.python.ops.resource_variable_ops"] = types.SimpleNamespace(BaseResourceVariable=Variable)
    print(json.dumps({name: looked() for name, looked in cases()}))
