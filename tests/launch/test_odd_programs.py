"""Odd programs that the agent, or the tool beside them, once did harm to; all of them are compared in test_harmless."""

import ast
from pathlib import Path

import comparisons
import pytest

import firststep_agent

HARMED = (
    "waits for signals that are blocked", "stops itself and is continued", "errors of imports", "pickles and copies", "no file may grow",
    "process substitution", "streams (0, 1, 2) closed", "pipe to write at 3",  # descriptors that the tool closed, or took
    "order of a child's variables", "a framework's logger",
    "rubbish among our files", "functions of os are gone", "a sitecustomize that ends it", "-X warn_default_encoding",
    # variables that the script which starts the tool's Python has for itself, or Python obeys in isolated mode; and no `tr` to be found
    "version='theirs'", "PYTHONEXECUTABLE='/nowhere/python'", "__PYVENV_LAUNCHER__='/nowhere/python'", "PATH=''",
    "hardly any, A='b'", f"hardly any, LONG={'x' * 30!r}", f"LONG={'x' * 30!r}", f"LONG={'ü' * 30!r}",
)
ALL = (*comparisons.odd(), *comparisons.odd_starts(), *comparisons.variables(), *comparisons.descriptors())
CASES = [case for case in ALL if case.name in HARMED]
AGENT = Path(firststep_agent.__file__).parent


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_sees_what_it_sees_plainly(case, target, tmp_path):
    assert comparisons.differences(case, target, tmp_path / "run") == []


@pytest.mark.parametrize("path", sorted(AGENT.rglob("*.py")), ids=lambda path: str(path.relative_to(AGENT)))
def test_text_is_opened_in_a_named_encoding(path):
    """Else `-X warn_default_encoding` warns in the program, in our name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            mode = node.args[1].value if len(node.args) > 1 else "r"
            assert "b" in mode or "encoding" in {keyword.arg for keyword in node.keywords}, f"line {node.lineno}"
