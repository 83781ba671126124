"""A remembered signature is the one that would be made, after every change of the function."""

from __future__ import annotations

import re

import pytest

PROGRAM = """
import inspect, typing

def f(a, b: "int" = 3, *c, **e): pass
def only(a, *, b=4): pass

for _ in range(3):
    print(inspect.signature(f), inspect.getfullargspec(f), inspect.signature(only))
f.__defaults__ = (9,)
print(inspect.signature(f))
f.__annotations__["a"] = int
print(inspect.signature(f))
f.__code__ = (lambda x: 0).__code__
print(inspect.signature(f))
only.__kwdefaults__["b"] = 5
print(inspect.signature(only))
f.__signature__ = inspect.signature(only)
print(inspect.signature(f))

Small = typing.TypeVar("Small", "int", "str")
Large = typing.TypeVar("Large", "int", "str")
print(Small.__constraints__, Large.__constraints__, Small.__constraints__[0] is Large.__constraints__[0])
kinds = [*Small.__constraints__, *Large.__constraints__]
print([[getattr(kind, slot) for slot in type(kind).__slots__ if slot != "__forward_code__"] for kind in kinds], len(set(kinds)), kinds)
def wants(a: Large.__constraints__[0], b: Small.__constraints__[1], c: "Later") -> Large: pass
class Later: pass
print(typing.get_type_hints(wants), [kind.__forward_evaluated__ for kind in kinds])
T = typing.TypeVar("T")
class Holder(typing.Generic[T]): pass
alias = typing.Annotated[Holder[Small], 1] if hasattr(typing, "Annotated") else Holder[Small]
Holder[Small].count, alias.other, alias.__doc__ = 3, 4, "of the alias"
print(Holder.count, Holder.other, Holder.__doc__, alias.__doc__, sorted(vars(alias)))
print(sorted(vars(Holder[Small])), type(Holder[int]()), alias)
import warnings
def odd(x: "1 is 1"): pass
for _ in range(2):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        typing.get_type_hints(odd), typing.Optional["1 is 1"], typing.List["1 is 1"], typing.List["int"]
    print([(str(each.message), each.filename, each.lineno) for each in caught])
try:
    typing.List["not an expression ("]
except SyntaxError as error:
    print(error)
"""


def test_signatures_and_annotations_are_as_plainly(box):
    box.write("program.py", PROGRAM)
    ran = box.boost("program.py", options=("--only", "memoise-signatures"))
    assert ran.out == box.plain("program.py").out
    assert ran.live("memoise-signatures"), ran.said


LETS_GO = """
import gc, inspect, weakref

class Thing:
    def __del__(self): print("gone")

def forgotten(make, end=gc.collect):
    thing = Thing()
    asked = make(thing)
    inspect.signature(asked), inspect.getfullargspec(asked)
    held = weakref.ref(thing)
    thing = asked = None
    end()
    print(held() is None)

def leads_back(thing):
    thing.asked = lambda x, thing=thing: x
    return thing.asked

def annotated(thing):
    cls = type("Local", (), {"thing": thing})
    def asked(x: cls): pass
    return asked

forgotten(lambda thing: lambda x, thing=thing: x, end=int)
forgotten(leads_back)
forgotten(annotated)
"""


def test_what_a_signature_holds_goes_with_its_function(box):
    box.write("program.py", LETS_GO)
    ran = box.boost("program.py", options=("--only", "memoise-signatures"))
    assert ran.out == box.plain("program.py").out == "gone\nTrue\n" * 3


EVERY_KIND = """
import functools, importlib, inspect, sys, types

def every(a, b=1, /, c: int = 2, *d: "rest", **e: dict) -> "out": pass
def keywords(a, *b, c, d=1, **e) -> None: pass
def nothing(): pass
def annotated() -> int: pass
def without_default(a=inspect.Parameter.empty): pass
def wrapped(*args): pass
wrapped.__wrapped__ = every
def signed(*args): pass
signed.__signature__ = inspect.signature(every)
def wrongly_signed(*args): pass
wrongly_signed.__signature__ = 3
def unsigned(x): pass
unsigned.__signature__ = None
def worded(*args): pass
worded.__text_signature__ = "(a, b=2)"
class Methods:
    part = functools.partialmethod(every, 1)
    def method(self, x=1): pass
    @classmethod
    def of_class(cls, y): pass
    @staticmethod
    def static(z=2): pass
    def __call__(self, v): pass
comprehension = types.FunctionType(next(c for c in compile("(x for x in y)", "", "eval").co_consts
                                        if isinstance(c, types.CodeType)), {})
many = types.FunctionType(nothing.__code__, {}, "many", (1, 2, 3))
subjects = [every, keywords, nothing, annotated, without_default, wrapped, signed, wrongly_signed, unsigned, worded,
            Methods, Methods(), Methods.method, Methods().method, Methods.of_class, Methods.static, Methods.part,
            vars(Methods)["part"], comprehension, many, functools.partial(every, 3), len, int, print, 7, None, lambda *, k: k]
for name in ("argparse", "asyncio", "collections", "ctypes", "dataclasses", "email.message", "enum", "functools", "http.client",
             "inspect", "json", "logging", "pathlib", "random", "socket", "statistics", "subprocess", "typing",
             "unittest.mock", "urllib.request", "zipfile"):
    module = importlib.import_module(name)
    for holder in (module, *(v for v in list(vars(module).values()) if inspect.isclass(v))):
        subjects += [value for key, value in sorted(vars(holder).items()) if inspect.isroutine(value)
                     and not str(getattr(value, "__module__", "")).startswith("firststep_agent")
                     and key not in ("signature", "getfullargspec", "_signature_from_function", "_type_check", "_fork_exec", "compile")]

def said(of, *arguments, **keywords):
    try:
        found = of(*arguments, **keywords)
    except Exception as error:
        return type(error).__name__, str(error)
    parameters = getattr(found, "parameters", {})
    return (type(found), str(found), type(parameters), [(type(p), p.name, p.kind, type(p.default), type(p.annotation))
                                                        for p in parameters.values()])

for subject in subjects:
    for _ in range(2):
        print(said(inspect.signature, subject), said(inspect.getfullargspec, subject),
              said(inspect.signature, subject, follow_wrapped=False))
print(len(subjects) > 2000, said(inspect.signature), said(inspect.getfullargspec, every, every))
signature = inspect.signature(every)
print(signature.replace(return_annotation=int), signature.bind(1, 2, 3, 4, 5, x=6), signature == inspect.signature(every),
      hash(inspect.signature(nothing)) == hash(inspect.signature(nothing)), list(signature.parameters.items())[0])
import pickle, copy
print(pickle.loads(pickle.dumps(signature)) == signature, copy.deepcopy(signature) == signature)
specification = inspect.getfullargspec(every)
specification.args.append("mine"); specification.annotations["mine"] = 1
print(inspect.getfullargspec(every))
"""


def test_every_kind_of_callable_has_the_signature_it_has_plainly(box):
    box.write("program.py", EVERY_KIND)
    plain, boosted = box.plain("program.py"), box.boost("program.py", options=("--only", "memoise-signatures"))
    lines = [re.sub("0x[0-9a-f]+", "0x", ran.out).splitlines() for ran in (plain, boosted)]
    assert not [(a, b) for a, b in zip(*lines, strict=True) if a != b][:3]
    assert plain.out.count("\n") > 4000
    assert boosted.live("memoise-signatures"), boosted.said


SPECIFICATIONS = """
import inspect
from tensorflow.python.util import tf_decorator
import tensorflow as tf

for name in sorted(dir(tf.raw_ops)):
    print(name, inspect.signature(getattr(tf.raw_ops, name)))

def said(*fields):
    specification = inspect.FullArgSpec(*fields)
    try:
        found = tf_decorator.fullargspec_to_signature(specification)
    except Exception as error:
        return type(error).__name__, str(error)
    return str(found), [(type(p), p.name, p.kind, p.default, p.annotation) for p in found.parameters.values()]

empty = inspect.Parameter.empty
for fields in ((["a", "b"], "c", "d", (1,), [], None, {}), (["a", "b"], "c", "d", (2,), [], None, {}),
               (["a", "b"], None, None, (empty, 2), [], None, {}), (["a", "a"], None, None, None, [], None, {}),
               (["a", "b"], None, None, (1, 2, 3), [], None, {}), (["not a name"], None, None, None, [], None, {}),
               (["class"], None, None, None, [], None, {}), ([3], None, None, None, [], None, {}),
               (["a"], "a", None, None, [], None, {}), (["a"], None, None, [1], [], None, {}),
               (["a"], None, "k", None, ["b"], {"b": 2}, {}), ([], None, None, None, [], None, {"return": int})):
    print(said(*fields), said(*fields))
"""


@pytest.mark.tensorflow
def test_signatures_of_tensorflows_operations_are_as_plainly(box, tensorflow_python):
    box.write("program.py", SPECIFICATIONS)
    boosted = box.boost("program.py", options=("--only", "memoise-signatures"), python=tensorflow_python)
    assert boosted.out == box.plain("program.py", python=tensorflow_python).out
    assert boosted.out.count("\n") > 1000
    assert "specifications" in boosted.said
