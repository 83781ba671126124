"""Imports point one way, and the agent stands on the standard library alone."""

import ast
import sys

import pytest
from imports import SOURCES, imported, modules

# package of the tool -> packages of the tool that it may import, itself aside
MAY_IMPORT = {
    "model": set(),
    "printable": set(),
    "errors": {"printable"},
    "exit_codes": set(),
    "sarif": set(),
    "marks": set(),
    "user_folders": set(),
    "switch": set(),
    "toml": {"errors"},
    "analyse": {"model"},
    "launch": {"model", "errors", "exit_codes", "printable", "user_folders"},
    "profiles": {"model", "errors", "exit_codes"},
    "causes": {"model", "analyse"},
    "diagnose": {"model", "analyse", "causes"},
    "report": {"model", "analyse", "causes", "diagnose", "errors", "exit_codes", "printable", "sarif"},
    "history": {"model", "analyse", "printable", "switch", "user_folders"},
    "trend": {"model", "history", "prove", "printable"},
    "remedies": {"model"},
    "cache": {"model", "remedies", "errors", "exit_codes", "user_folders"},
    "boost": {"model", "analyse", "history", "remedies", "cache", "launch", "errors", "exit_codes", "printable", "switch"},
    "prove": {"model", "analyse", "history", "launch", "boost", "errors", "exit_codes", "printable"},
    "diff": {"model", "analyse", "diagnose", "report", "prove", "errors", "exit_codes", "printable"},
    "check": {"model", "analyse", "causes", "diagnose", "history", "launch", "diff", "prove", "errors", "exit_codes", "printable", "toml"},
    "pytest_plugin": {"model", "analyse", "diagnose", "report", "cli", "switch"},
    "jupyter": {"cli"},
    "lint": {"errors", "exit_codes", "printable", "sarif", "toml"},
    "doctor": {"model", "launch", "errors", "exit_codes", "switch"},
    "cli": None,  # the only one that imports across
}
FRAMEWORKS = {"tensorflow", "keras", "tf_keras", "numpy", "h5py"}  # what a program itself has imported
ALLOWED = sys.stdlib_module_names | FRAMEWORKS | {"firststep_agent", "sitecustomize"}


@pytest.mark.parametrize("path", modules("firststep"), ids=lambda path: str(path.relative_to(SOURCES)))
def test_the_tool_imports_one_way(path):
    inside = path.relative_to(SOURCES / "firststep")
    own = inside.parts[0].removesuffix(".py")
    if own == "__init__":
        return
    allowed = MAY_IMPORT[own]
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "firststep" and len(parts) > 1 and allowed is not None and parts[1] in MAY_IMPORT:
            assert parts[1] in allowed | {own}, f"{inside} imports {name}"


@pytest.mark.parametrize("path", modules("firststep_agent"), ids=lambda path: str(path.relative_to(SOURCES)))
def test_the_agent_imports_the_standard_library_and_what_the_program_has(path):
    for name in imported(path):
        top = name.split(".")[0]
        assert top in ALLOWED, f"{path} imports {name}"


def test_no_wrong_arrow_goes_unseen(tmp_path, monkeypatch):
    monkeypatch.setattr("imports.SOURCES", tmp_path)
    wrong = tmp_path / "firststep" / "model" / "wrong.py"
    wrong.parent.mkdir(parents=True)
    wrong.write_text("def f():\n    from firststep.cli import main\n    from ..report import tree\n")
    assert {"firststep.cli", "firststep.report.tree"} <= set(imported(wrong))


def test_every_module_says_what_it_is():
    for path in [*modules("firststep"), *modules("firststep_agent")]:
        if path.name not in ("sitecustomize.py", "way_in.py"):  # read by any Python, before anything else
            assert ast.get_docstring(ast.parse(path.read_text())), f"{path} has no docstring"


def test_a_class_has_its_name_alone():
    """Private ones as well, and across both packages: who looks for one finds it."""
    found: dict = {}
    for path in [*modules("firststep"), *modules("firststep_agent")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(f"{path.relative_to(SOURCES)}:{node.lineno}")
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
