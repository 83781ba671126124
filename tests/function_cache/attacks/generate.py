"""Programs that read state in every way there is, or write it: kinds of state × ways to read or to write × where it is held.

Each case is one function of its own, traced with the value that stands in `value.txt`; many cases share a program.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from . import keepers, writers

HEAD = '''
import argparse, array, collections, contextvars, copy, dataclasses, decimal, enum, functools, importlib, inspect, itertools, json
import operator, os, sys, threading, types, weakref
import numpy as np
import tensorflow as tf

VALUE = float(open("value.txt").read())
RESULTS = {}


class Plain:
    pass


class Slotted:
    __slots__ = ("x",)


class Dynamic:
    def __init__(self, v):
        self._kept = {"x": v}

    def __getattr__(self, name):
        if name == "x":
            return self._kept[name]
        raise AttributeError(name)


@dataclasses.dataclass
class Data:
    x: float = 0.0


class Called:
    def __init__(self, v):
        self.v = v

    def __call__(self):
        return self.v

    def method(self):
        return self.v


def with_x(thing, v):
    thing.x = v
    return thing


def run(name, read):
    def step(tensor):
        return tensor * float(read())

    step.__name__ = name
    try:
        RESULTS[name] = float(tf.function(step)(tf.constant(1.0)))
    except Exception as error:
        RESULTS[name] = f"{type(error).__name__}: {error}"[:200]
'''

# Objects with an attribute `x` that is VALUE.
ATTRIBUTES = {
    "namespace": "argparse.Namespace(x=VALUE)",
    "simple_namespace": "types.SimpleNamespace(x=VALUE)",
    "plain": "with_x(Plain(), VALUE)",
    "slotted": "with_x(Slotted(), VALUE)",
    "dataclass": "Data(VALUE)",
    "dynamic": "Dynamic(VALUE)",
    "class_attribute": "type('Made', (), {'x': VALUE})",
    "inherited": "type('Below', (type('Above', (), {'x': VALUE}),), {})()",
    "property": "type('Made', (), {'x': property(lambda self: VALUE)})()",
    "property_of_getter": "with_x(type('Made', (), {'y': property(operator.attrgetter('x'))})(), VALUE)",
    "enum": "with_x(enum.Enum('Made', {'a': 1}).a, VALUE)",
    "module": "with_x(types.ModuleType('made_by_hand'), VALUE)",
    "local": "with_x(threading.local(), VALUE)",
    "function": "with_x(lambda: 0, VALUE)",
    "partial": "with_x(functools.partial(int), VALUE)",
    "named_tuple": "collections.namedtuple('Made', 'x')(VALUE)",
    "layer": "with_x(tf.keras.layers.Layer(), VALUE)",
    "tf_module": "with_x(tf.Module(), VALUE)",
    "library_class": "with_x(tf.keras.layers.Dense, VALUE)",
    "library_function": "with_x(tf.nn.relu6, VALUE)",
}
OF_ATTRIBUTES = {
    "dot": "obj.x",
    "getattr": "getattr(obj, 'x')",
    "computed": "getattr(obj, ''.join(['', chr(120)]))",
    "attrgetter": "operator.attrgetter(chr(120))(obj)",
    "getattribute": "operator.methodcaller('__getattribute__', chr(120))(obj) if not isinstance(obj, type) else getattr(obj, chr(120))",
    "eval": "eval('obj.' + chr(120), {'obj': obj})",
    "mapped": "next(map(operator.attrgetter(chr(120)), [obj]))",
    "partial": "functools.partial(getattr, obj, chr(120))()",
    "static": "inspect.getattr_static(obj, chr(120), None) if not callable(getattr(type(obj), '__getattr__', None)) else obj.x",
    "vars": "vars(obj)[chr(120)] if chr(120) in getattr(obj, '__dict__', {}) else obj.x",
    "sorted": "sorted([obj], key=operator.attrgetter(chr(120)))[0].x",
    "reduced": "functools.reduce(getattr, [chr(120)], obj)",
}
# Containers whose item KEY is VALUE.
ITEMS = {
    "list": ("[0.5, VALUE]", "1"), "tuple": ("(0.5, VALUE)", "1"), "dict": ("{'a': 0.5, 'k': VALUE}", "'k'"),
    "deque": ("collections.deque([0.5, VALUE])", "1"), "ordered": ("collections.OrderedDict(k=VALUE)", "'k'"),
    "default": ("collections.defaultdict(float, k=VALUE)", "'k'"), "user_dict": ("collections.UserDict(k=VALUE)", "'k'"),
    "proxy": ("types.MappingProxyType({'k': VALUE})", "'k'"), "array": ("array.array('d', [0.5, VALUE])", "1"),
    "numpy": ("np.array([0.5, VALUE])", "1"), "large_numpy": ("np.full(20000, VALUE)", "7"), "tensor": ("tf.constant([0.5, VALUE])", "1"),
    "variable": ("tf.Variable([0.5, VALUE])", "1"), "large_tensor": ("tf.fill([300], tf.constant(VALUE, tf.float32))", "5"),
    "nested": ("[[0.5], {'k': [VALUE]}][1]['k']", "0"), "chain": ("collections.ChainMap({}, {'k': VALUE})", "'k'"),
    "long_list": ("[0.5] * 5000 + [VALUE] + [0.5] * 5000", "5000"),
}
OF_ITEMS = {
    "index": "obj[KEY]",
    "getitem": "operator.getitem(obj, KEY)",
    "itemgetter": "operator.itemgetter(KEY)(obj)",
    "dunder": "obj.__getitem__(KEY)",
    "mapped": "next(map(functools.partial(operator.getitem, obj), [KEY]))",
    "eval": "eval('obj[key]', {'obj': obj, 'key': KEY})",
    "listed": "max(np.asarray(list(obj.values()) if hasattr(obj, 'values') else list(obj), dtype='float64'))",
}
# Callables that return VALUE.
CALLABLES = {
    "closure": "(lambda v: lambda: v)(VALUE)", "default": "lambda v=VALUE: v", "keyword_default": "lambda *, v=VALUE: v",
    "partial": "functools.partial(float, VALUE)", "cached": "functools.lru_cache(None)(lambda: VALUE)", "object": "Called(VALUE)",
    "method": "Called(VALUE).method", "method_of_partial": "functools.partialmethod(Called.method).__get__(Called(VALUE), Called)",
    "chain": "(lambda f: lambda: f() + 0.0)((lambda v: lambda: v)(VALUE))", "context_variable": "contextvars.ContextVar('v', default=VALUE).get",
    "weak": "(lambda o: lambda: weakref.ref(o)().x)(with_x(Plain(), VALUE))", "counter": "functools.partial(copy.copy, VALUE)",
    "iterator": "(lambda i: lambda: next(copy.copy(i)))(itertools.count(VALUE))", "decimal": "lambda v=decimal.Decimal(repr(VALUE)): v",
    "string": "functools.partial(float, repr(VALUE))", "bound_builtin": "[VALUE].__iter__().__next__ if False else (lambda l: l.copy().pop)([VALUE])",
}
OF_CALLABLES = {
    "call": "obj()",
    "mapped": "next(map(lambda f: f(), [obj]))",
    "dunder": "obj.__call__()",
    "methodcaller": "operator.methodcaller('__call__')(obj)",
    "starred": "obj(*[], **{})",
}
HELD = ("global", "closure", "global_by_name")


@dataclass(frozen=True)
class Case:
    """One way to read one kind of state. make: the object's expression; read: how the step reads it."""

    name: str
    make: str
    read: str
    held: str

    def source(self) -> str:
        """The statements of the case."""
        variable = f"S_{self.name}"
        if self.held == "closure":
            return f"run({self.name!r}, (lambda obj: lambda: {self.read})({self.make}))\n"
        reading = self.read.replace("obj", variable) if self.held == "global" else \
            f"(lambda obj: {self.read})(globals()['S_' + {self.name!r}])"
        return f"{variable} = {self.make}\nrun({self.name!r}, lambda: {reading})\n"


@dataclass(frozen=True)
class Kept(Case):
    """The same of an object that keeps its number where no attribute, item or cell may hold it."""

    def source(self) -> str:
        return keepers.source(self.name, self.make, self.read, self.held)


@dataclass(frozen=True)
class Written:
    """One way to write one kind of state while it is traced."""

    name: str
    statements: str

    def source(self) -> str:
        """The statements of the case."""
        return self.statements


def cases() -> Iterator[Case | Written]:
    """Every case, in a fixed order."""
    for held in HELD:
        for (kind, make), (way, read) in itertools.product(ATTRIBUTES.items(), OF_ATTRIBUTES.items()):
            yield Case(f"attribute_{kind}_{way}_{held}", make, read, held)
        for (kind, (make, key)), (way, read) in itertools.product(ITEMS.items(), OF_ITEMS.items()):
            yield Case(f"item_{kind}_{way}_{held}", make, read.replace("KEY", key), held)
        for (kind, make), (way, read) in itertools.product(CALLABLES.items(), OF_CALLABLES.items()):
            yield Case(f"callable_{kind}_{way}_{held}", make, read, held)
    for held, (kind, (make, read)) in itertools.product(keepers.HELD, keepers.KEEPERS.items()):
        yield Kept("kept_" + re.sub(r"\W", "_", f"{kind}_{held}"), make, read, held)
    for name, statements in writers.sources():
        yield Written(name, statements)


def program(chosen: list[Case | Written]) -> str:
    """One program of these cases; it prints {case: result} as JSON."""
    return HEAD + keepers.HEAD + writers.HEAD + "".join(case.source() for case in chosen) + "print(json.dumps(RESULTS))\n"
