"""What a function of the agent takes and gives is said where it is defined; saying it costs no start anything."""

import ast
import builtins

import pytest
from imports import SOURCES, modules

# Without what any Python may meet, 2.7 among them.
AGENT = [path for path in modules("firststep_agent") if "bootstrap" not in path.parts and path.name != "way_in.py"]
IN_PLACE_OF_ANOTHER = {  # methods that the program finds where it had put, or looks for, one of somebody else's
    "boost/cache_functions/keep/builds.py": ("operation",),  # a graph's
    "boost/traces/outlets.py": ("writelines", "__getattr__", "__setattr__"),  # its stream's
}
EVALUATED = {"boost/cache_functions/keep/header.py": "each field is checked by its type when an entry is read"}


def name_of(path):
    return str(path.relative_to(SOURCES / "firststep_agent"))


def functions(tree):
    """(function, whether it is a method) of all that are not inside another: those stand in for functions of others."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, False
        elif isinstance(node, ast.ClassDef):
            yield from ((each, True) for each in node.body if isinstance(each, ast.FunctionDef))


def untold(function, is_method):
    """What of a function's signature has no type."""
    arguments = function.args
    named = arguments.posonlyargs + arguments.args
    is_static = any(ast.unparse(each) == "staticmethod" for each in function.decorator_list)
    told = named[1 if is_method and not is_static else 0:] + arguments.kwonlyargs
    told += [each for each in (arguments.vararg, arguments.kwarg) if each]
    return [each.arg for each in told if each.annotation is None] + (["its result"] if function.returns is None else [])


@pytest.mark.parametrize("path", AGENT, ids=name_of)
def test_every_signature_is_told(path):
    missing = {function.name: untold(function, is_method) for function, is_method in functions(ast.parse(path.read_text()))
               if function.name not in IN_PLACE_OF_ANOTHER.get(name_of(path), ())}
    assert {name: what for name, what in missing.items() if what} == {}


@pytest.mark.parametrize("path", [path for path in AGENT if name_of(path) not in EVALUATED], ids=name_of)
def test_no_type_is_worked_out_in_a_start(path):
    """`typing` takes 5 ms, and `from __future__ import annotations` imports a module that the program did not ask for."""
    tree = ast.parse(path.read_text())
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            assert not {getattr(node, "module", None), *(alias.name for alias in node.names)} & {"typing", "__future__"}, ast.unparse(node)
    types = [node.annotation for node in tree.body if isinstance(node, ast.AnnAssign)]
    for function, _ in functions(tree):
        every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs, function.args.vararg, function.args.kwarg]
        types += [each.annotation for each in every if each is not None] + [function.returns]
    for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        types += [node.annotation for node in cls.body if isinstance(node, ast.AnnAssign)]
    worked_out = [ast.unparse(each) for each in types if each is not None
                  and not (isinstance(each, ast.Constant) or isinstance(each, ast.Name) and hasattr(builtins, each.id))]
    assert worked_out == []


def test_no_missing_type_goes_unseen():
    source = """
def f(a, *b: int, c: str = "") -> None: ...
class A:
    def g(self, a: int): ...
    @staticmethod
    def h(a) -> int: ...
"""
    assert [untold(*each) for each in functions(ast.parse(source))] == [["a"], ["its result"], ["a"]]
