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


@pytest.mark.parametrize("folder,page", [(ROOT / "src" / "firststep", "## In the tool"), (CACHE, "## The function cache")],
                         ids=["tool", "function cache"])
def test_the_architecture_names_every_folder_and_file(folder, page):
    """Of the tool, and of the function cache: a reader who looks for one finds what it is for."""
    text = (ROOT / "docs" / "architecture.md").read_text().partition(f"\n{page}\n")[2].partition("\n## ")[0]
    named = {name for line in text.splitlines() if line.startswith("| `") for name in re.findall(r"`([\w.]+)/?`", line.split("|")[1])}
    there = {path.name for path in folder.iterdir() if not path.name.startswith("__")}
    assert named == there


def test_a_word_has_one_meaning():
    words = re.findall(r"^\| ([a-z (),]+) \| ", (ROOT / "docs" / "glossary.md").read_text(), re.M)
    assert len(words) > 30 and len(words) == len(set(words))
    assert words == sorted(words), "they are in the order of the alphabet"


def rows(page, heading):
    """First cells of the first table after a heading."""
    text = ("\n" + (ROOT / "docs" / page).read_text()).partition(f"\n{heading}\n")[2]
    table = text[text.index("\n|") + 1:].partition("\n\n")[0].splitlines()[2:]
    return [re.findall(r"`([^`]+)`", line.split("|")[1]) for line in table]


def test_the_page_of_the_trace_names_every_record():
    from firststep.model.limits import RECORD

    assert sorted(name for (name,) in rows("trace-schema.md", "## Records")) == sorted(RECORD)


def test_what_a_remedy_may_note_is_named():
    from firststep.model.trace import NOTED

    noted = {one.value for path in AGENT.rglob("*.py") for node in ast.walk(ast.parse(path.read_text()))
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "note"
             for one in node.args[1:2] if isinstance(one, ast.Constant)}
    assert noted == set(NOTED)
    (row,) = [line for line in (ROOT / "docs" / "trace-schema.md").read_text().splitlines() if line.startswith("| `r` |")]
    assert set(NOTED) <= set(re.findall(r"`(\w+)`", row))


def test_the_page_of_the_plan_names_every_key():
    from firststep.model.plan import Plan

    named = [key for keys in rows("plan-schema.md", "# The plan, schema 1") for key in keys]
    assert sorted(named) == sorted(Plan().document("/session"))


def test_what_the_documents_say_is_a_cause_and_has_the_outcome_that_was_measured():
    """Each claim of docs/myths.md once, with its outcome; and no cause that there is none of."""
    from firststep.causes import all_causes

    text, myths = ((ROOT / "docs" / page).read_text() for page in ("documents.md", "myths.md"))
    measured = dict(re.findall(r"^\| (.+?) \| .+? \| .+? \| \*\*(.+?)\*\* \|", myths, re.M))
    said = re.findall(r"“([^”]+)”: ([a-z :]+?)(?=;| \|)", text)
    assert len(said) == len(dict(said)) > 20 and dict(said) == measured
    documents = re.findall(r"^## (“.+”)$", myths, re.M)
    assert documents == re.findall(r"^## (“.+”)$", text, re.M)
    named = {cause for row in re.findall(r"^\| [^|]+ \| ([^|]+) \|", text, re.M) for cause in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", row)}
    assert len(named) > 40 and named <= {cause.id for cause in all_causes()}
