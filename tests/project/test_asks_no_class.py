"""Who looks at the program's objects asks none of its classes: `isinstance` would ask an object for its `__class__`."""

import ast

import pytest
from imports import SOURCES, modules, name_of

ROOMS = ("firststep_agent.boost.objects", "firststep_agent.boost.cache_functions.proof")
ASKED = ("__mro__", "__bases__", "__flags__", "__subclasses__")  # of a class: through the `__getattribute__` of its metaclass


def asks(tree):
    """Lines on which a class may be asked."""
    for node in ast.walk(tree):
        by_name = isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"
        if by_name or isinstance(node, ast.Attribute) and node.attr in ASKED and ast.unparse(node.value) != "type":
            yield node.lineno


@pytest.mark.parametrize("path", [path for path in modules("firststep_agent") if name_of(path).startswith(ROOMS)],
                         ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_no_class_of_the_programs_is_asked(path):
    assert list(asks(ast.parse(path.read_text()))) == []


def compared(tree):
    """Lines on which the class of something is compared with others, or looked up among them: its metaclass may have words for either."""
    for node in ast.walk(tree):
        of_class = isinstance(node, ast.Compare) and isinstance(node.left, ast.Call) and ast.unparse(node.left.func) == "type"
        if of_class and not all(isinstance(each, (ast.Is, ast.IsNot)) for each in node.ops):
            yield node.lineno


@pytest.mark.parametrize("path", [path for path in modules("firststep_agent") if name_of(path).startswith("firststep_agent.boost")],
                         ids=lambda path: path.relative_to(SOURCES).as_posix())
def test_no_class_of_the_programs_is_compared(path):
    assert list(compared(ast.parse(path.read_text()))) == []


def test_what_compares_is_found():
    assert list(compared(ast.parse("type(a) in (b, c)\ntype(a) is b\ntype(a) == b\nid(type(a)) in d\ntype(a) not in e"))) == [1, 3, 5]


def test_what_asks_is_found():
    assert list(asks(ast.parse("isinstance(a, b)\na.__mro__\ntype.__subclasses__(a)"))) == [1, 2]
