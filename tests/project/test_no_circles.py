"""No function of the agent's holds itself: what it closes over besides would go only when garbage is collected, and with it what of the
program's it has met, whose finalisers would run later than plainly."""

import ast

import pytest
from imports import SOURCES, modules

KNOWN = {
    ("boost/cache_functions/answer/by_content.py", "_call_flat"): "it asks whether it stands there, and holds nothing of the program's",
    ("frameworks/tables/keras2.py", "span"): "it reads an argument of that name",
    ("frameworks/tables/keras2_seen.py", "span"): "it reads an argument of that name",
}


def holding_themselves(tree):
    """Names of functions inside others that read their own name, which is a circle."""
    for outer in ast.walk(tree):
        if isinstance(outer, ast.FunctionDef):
            for inner in ast.walk(outer):
                if inner is not outer and isinstance(inner, ast.FunctionDef) and any(map(_reads(inner.name), ast.walk(inner))):
                    yield inner.name


def _reads(name):
    return lambda node: isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


@pytest.mark.parametrize("path", modules("firststep_agent"), ids=lambda path: str(path.relative_to(SOURCES / "firststep_agent")))
def test_no_function_holds_itself(path):
    name = str(path.relative_to(SOURCES / "firststep_agent"))
    assert set(holding_themselves(ast.parse(path.read_text()))) == {function for file, function in KNOWN if file == name}


def test_one_that_does_is_found():
    planted = "def f(values):\n    def look(value):\n        for each in value: look(each)\n    look(values)\n"
    assert list(holding_themselves(ast.parse(planted))) == ["look"]
