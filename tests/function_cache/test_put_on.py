"""What a trace puts on objects that are made in C, on annotations, on what imported a module, and leaves to the collector: an answer leaves
none of it out. Each effect has a function of its own."""

import pytest
from replay_harness import lab  # noqa: F401

pytestmark = [pytest.mark.tensorflow]

LIBRARY = """
import dataclasses, functools, weakref
class Box:
    @property
    def prop(self): "The text."; return 1
    @staticmethod
    def static(): return 1
    @classmethod
    def of_class(cls): return 1
@dataclasses.dataclass
class Data:
    x: int = 1
@functools.lru_cache(maxsize=None)
def cached(n): return n
def annotated(a: int): return a
class Reference(weakref.ref): pass
reference = Reference(Box)
reference.mark = "before"
partial = functools.partial(cached, 1)
"""

PROGRAM = """
import collections, gc, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), WHERE))
import tensorflow as tf
import holder
from holder import Box, Data, annotated, cached, partial, reference

ordered, counter = collections.OrderedDict(a=1), collections.Counter("ab")


class Node:
    def __del__(self):
        print("gone")


def mark(one):
    one.mark = "traced"


def leave_a_cycle():
    node = Node()
    node.itself = node


def read(one):
    return lambda: getattr(one, "mark", None)


static, of_class = (lambda: vars(Box)["static"]), (lambda: vars(Box)["of_class"])
CASES = {
    "text_of_property": (lambda: setattr(Box.prop, "__doc__", "traced"), lambda: Box.prop.__doc__),
    "on_static": (lambda: mark(static()), lambda: getattr(static(), "mark", None)),
    "on_class_method": (lambda: mark(of_class()), lambda: getattr(of_class(), "mark", None)),
    "on_cached": (lambda: mark(cached), read(cached)),
    "on_partial": (lambda: mark(partial), read(partial)),
    "on_reference": (lambda: mark(reference), read(reference)),
    "annotation_of_class": (lambda: Data.__annotations__.update(x=float), lambda: Data.__annotations__),
    "all_annotations": (lambda: setattr(Box, "__annotations__", {"v": int}), lambda: vars(Box).get("__annotations__")),
    "annotation_of_function": (lambda: annotated.__annotations__.update(a=float), lambda: annotated.__annotations__),
    "parameters": (lambda: setattr(Data.__dataclass_params__, "frozen", True), lambda: Data.__dataclass_params__.frozen),
    "on_spec": (lambda: mark(holder.__spec__), read(holder.__spec__)),
    "on_loader": (lambda: mark(holder.__loader__), read(holder.__loader__)),
    "on_ordered": (lambda: mark(ordered), read(ordered)),
    "on_counter": (lambda: mark(counter), read(counter)),
    "on_stream": (lambda: mark(sys.stderr), read(sys.stderr)),
    "cycle": (leave_a_cycle, gc.collect),
}


def made(name, act, factor):
    def of_case(x):
        act()
        return tf.reduce_sum(x * factor) + 0.5

    of_case.__name__ = name
    return tf.function(of_case, autograph=False)


gc.disable()
gc.collect()
for number, (name, (act, look)) in enumerate(CASES.items()):
    function = made(name, act, 2.0 + number)
    before = look() if name != "cycle" else None
    print(name, before, function(tf.ones([3])).numpy(), flush=True)
    after = look()
    print(after if name != "cycle" else None, flush=True)
"""


@pytest.mark.suite
@pytest.mark.parametrize("where", [pytest.param(".", id="of the program"), pytest.param("site-packages", id="of a library")])
def test_nothing_that_a_trace_puts_there_is_left_out(lab, where):  # noqa: F811
    laboratory = lab(f"WHERE = {where!r}\n{PROGRAM}")
    folder = laboratory.program.parent / where
    folder.mkdir(exist_ok=True)
    (folder / "holder.py").write_text(LIBRARY)
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
        assert not ran.functions("error"), ran.notes


@pytest.mark.parametrize("holds", ["vars(settings)[5] = 1", "vars(sys.modules['__main__'])[5] = 1"], ids=["object", "module"])
def test_attributes_whose_names_are_no_text_are_refused(lab, holds):  # noqa: F811
    laboratory = lab(f"""
import sys, types
import tensorflow as tf


class Settings:
    pass


settings = Settings()
settings.factor = 2.0
{holds}


@tf.function
def step(x):
    return x * settings.factor * len(sys.modules["__main__"].__name__)


print(float(step(tf.constant(3.0))))
""")
    plain = laboratory.plain()
    for _ in range(3):
        ran = laboratory.boost()
        assert ran.out == plain.out
        assert not ran.functions("error") and not ran.functions("live"), ran.notes
