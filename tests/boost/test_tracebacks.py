"""What fails in functions that a remedy stands in for fails as plainly: no frame of ours is in the traceback.

Before Python 3.11 a function cannot take itself out of a traceback: there a frame may stay, in the name of Python's import system.
"""

from __future__ import annotations

import re
import sys

import pytest
from programs import FIRSTSTEP, supported_interpreters

PROGRAM = r"""
import collections, ctypes, dataclasses, enum, functools, gc, importlib, inspect, re, socket
import ssl, subprocess, sys, traceback, typing, warnings

def fails(do):
    try:
        do()
    except BaseException as error:
        chain = [error]
        while chain[-1].__context__ is not None:
            chain.append(chain[-1].__context__)
        for one in chain:
            frames = [(f.filename.rpartition("/")[2], f.name, f.line) for f in traceback.extract_tb(one.__traceback__)]
            print(type(one).__name__, one, [f for f in frames if f[0] != "<frozen importlib._bootstrap>"])
        if sys.version_info >= (3, 11):
            traceback.print_exc(file=sys.stdout)
    else:
        print("did not fail")

def broken(*arguments):
    return arguments[7]

@dataclasses.dataclass
class Odd:
    a: int

class Raises:
    def __index__(self): raise KeyError("index")
    __len__ = __hash__ = __eq__ = __str__ = __iter__ = __index__
    @property
    def __signature__(self): raise ZeroDivisionError

class Named(dict):
    pass

for _ in range(2):  # a second time things are answered from a cache
    for text in ("(", "[z-a]", "*", "(?P<1>a)", "a{5,2}", "(?<=a*)", "\\", "(?P<a>b)(?P<a>c)", "(?z)", "\\8", "(a)(?P=b)", "x" * 9 + "("):
        fails(lambda: re.compile(text)), fails(lambda: re.search(text, "a")), fails(lambda: re.sub(text, "", "a", flags=re.I))
        fails(lambda: re.compile(text.encode()))
    fails(lambda: re.compile(5)), fails(lambda: re.compile(Raises())), fails(lambda: re.compile(re.compile("a"), re.I))
    fails(lambda: re.compile("a", "b")), fails(lambda: re.compile("a", 1.5)), fails(lambda: re.compile("a", re.L))
    fails(lambda: re.compile([]))
    fails(lambda: re.compile("a", 1 << 20)), fails(lambda: re.sub("(", broken, "a")), fails(lambda: re.sub("a", broken, "a"))
    for names in ("a a", "1a", "class", "_a", 5, [5], "a b"):
        fails(lambda: collections.namedtuple("Name", names)()), fails(lambda: collections.namedtuple(names, "a"))
    fails(lambda: collections.namedtuple("Name", "a", defaults=(1, 2))), fails(lambda: collections.namedtuple("Name", "a")._make([1, 2]))
    fails(lambda: dataclasses.make_dataclass("C", ["a b"])), fails(lambda: dataclasses.make_dataclass("C", ["class"]))
    fails(lambda: Odd()), fails(lambda: Odd(1, 2)), fails(lambda: dataclasses.dataclass(type("C", (), {"__annotations__": {"1x": int}})))
    fails(lambda: dataclasses.dataclass(type("C", (), {"__annotations__": {"x": int}, "x": []})))
    fails(lambda: dataclasses.dataclass(type("C", (), {"__annotations__": {"x y": int, "z": "int"}})))
    for annotation in ("(", "a b", "", "x[", 5, (1, 2), "List[int", "class"):
        fails(lambda: typing.Optional[annotation]), fails(lambda: typing.List[annotation]), fails(lambda: typing.ForwardRef(annotation))
        fails(lambda: typing.Callable[[annotation], int]), fails(lambda: typing.Dict[str, annotation])
        fails(lambda: typing.Union[annotation, int])
        fails(lambda: typing.get_type_hints(type("C", (), {"__annotations__": {"a": annotation}})))
    fails(lambda: setattr(typing.List[int], "__origin__x", 1)), fails(lambda: setattr(typing.List, "nonsense", Raises()))
    for what in (5, None, Raises(), Raises, int, dict.get, min, type, broken, functools.partial(broken, 1), "text", [].append,
                 print, Odd, object()):
        fails(lambda: inspect.signature(what)), fails(lambda: inspect.getfullargspec(what))
        fails(lambda: inspect.signature(what).bind(1, 2, 3, x=4))
        fails(lambda: inspect.Signature.from_callable(what))
    fails(lambda: inspect.signature()), fails(lambda: inspect.signature(broken, 1)), fails(lambda: inspect.getfullargspec())
    fails(lambda: gc.set_threshold("a")), fails(lambda: gc.get_threshold(1)), fails(lambda: gc.freeze(1))
    fails(lambda: gc.set_threshold())
    fails(lambda: importlib.import_module("missing_one")), fails(lambda: importlib.import_module("json.missing"))
    fails(lambda: __import__("xml.x.y"))
    fails(lambda: importlib.import_module("sys.x")), fails(lambda: importlib.reload(5)), fails(lambda: importlib.reload(type(sys)("x")))
    fails(lambda: importlib.import_module("no_library")), fails(lambda: importlib.import_module("raises"))
    fails(lambda: __import__("wrong"))
    fails(lambda: socket.getaddrinfo("localhost", "nonsense")), fails(lambda: socket.gethostbyname(5))
    fails(lambda: socket.socket().connect(5))
    fails(lambda: socket.socket().connect(("localhost", 1))), fails(lambda: socket.socket().recv(1))
    fails(lambda: socket.socket().accept())
    fails(lambda: subprocess.run(["/nonexistent"])), fails(lambda: subprocess.run([]))
    fails(lambda: ctypes.CDLL("no_such_library.so")), fails(lambda: ctypes.CDLL([]))

def forbid(event, arguments):
    if event in ("open", "os.listdir") and "forbidden" in str(arguments[0]):
        raise RuntimeError("forbidden")

def fails_on_the_way(name):
    try:
        importlib.import_module(name)
    except RuntimeError as error:
        frames = [(f.filename.rpartition("/")[2], f.name) for f in traceback.extract_tb(error.__traceback__)]
        print([one for one, other in zip(frames, [None, *frames]) if one != other or sys.version_info >= (3, 11)])

sys.addaudithook(forbid)
for _ in range(2):
    fails_on_the_way("forbidden_file")
    sys.path.insert(0, "forbidden_folder"), fails_on_the_way("nothing")
    del sys.path[0]
"""


@pytest.mark.parametrize("python", list(supported_interpreters().values()) or [sys.executable])
def test_no_frame_of_ours(box, python):
    from importlib.machinery import EXTENSION_SUFFIXES

    box.package("pack", 40)
    box.write(f"no_library{EXTENSION_SUFFIXES[-1]}", "no library")
    box.write("raises.py", "import pack.m3\n\ndef deep():\n    1 / 0\n\ndeep()\n")
    box.write("wrong.py", "def f(:\n")
    box.write("forbidden_file.py", "")
    box.write("forbidden_folder/file.py", "")
    box.write("program.py", "import importlib\nfor number in range(40):\n    importlib.import_module(f'pack.m{number}')\n" + PROGRAM)
    box.plain("program.py", python=python)  # writes bytecode
    plain = box.plain("program.py", python=python)
    assert plain.code == 0, plain.said
    record = [*FIRSTSTEP, "record", "-o", str(box.folder / "a.trace"), "--", python, "program.py"]
    boost = [*FIRSTSTEP, "boost", "--", python, "program.py"]
    for command in (record, boost, boost, boost):
        ran = box._run(command)
        lines, expected = (re.sub("0x[0-9a-f]+", "0x", out).splitlines() for out in (ran.out, plain.out))
        assert [pair for pair in zip(lines, expected) if pair[0] != pair[1]][:3] == []
        assert len(lines) >= len(expected)
