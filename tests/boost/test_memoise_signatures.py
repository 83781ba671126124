"""A remembered signature is the one that would be made, after every change of the function."""

from __future__ import annotations

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
