"""What the pages say of the code: tests and files that they name exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = {path.name: path for path in (ROOT / "tests").rglob("test_*.py")}
AGENT = ROOT / "src" / "firststep_agent"
CACHE = AGENT / "boost" / "cache_functions"


def named_tests(page):
    return re.findall(r"`(?:[\w/]+/)?(test_\w+\.py)::(test_\w+)`", (ROOT / "docs" / page).read_text())


def defined_in(path):
    return {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("page", ["function-life.md", "function-cache.md"])
def test_each_test_that_a_page_names_exists(page):
    named = named_tests(page)
    assert len(named) > 10
    for file, test in named:
        assert file in TESTS and test in defined_in(TESTS[file]), f"{page} names {file}::{test}"


def test_each_invariant_has_a_test():
    text = (ROOT / "docs" / "function-life.md").read_text()
    rows = text[text.index("| invariant | test |"):].splitlines()[2:]
    assert rows and all(re.search(r"\| `test_\w+\.py::test_\w+` \|$", row) for row in rows)


@pytest.mark.parametrize("page", ["function-life.md", "function-cache.md", "architecture.md"])
def test_each_file_of_the_function_cache_that_a_page_names_exists(page):
    named = re.findall(r"`((?:key|reads|keep|proof|answer|learn|boost)/[\w/]*(?:\.py)?)`", (ROOT / "docs" / page).read_text())
    assert named
    for file in named:
        place = CACHE / file if not file.startswith("boost/") else AGENT / file
        assert place.exists() or place.with_suffix(".py").exists(), f"{page} names {file}"


def test_a_word_has_one_meaning():
    words = re.findall(r"^\| ([a-z (),]+) \| ", (ROOT / "docs" / "glossary.md").read_text(), re.M)
    assert len(words) > 30 and len(words) == len(set(words))
    assert words == sorted(words), "they are in the order of the alphabet"
