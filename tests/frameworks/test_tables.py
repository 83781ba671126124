"""The tables hold every name of a framework that the agent's code mentions, and the page is made from them."""

import ast
from pathlib import Path

import private_names

from firststep.doctor.table import document
from firststep_agent.frameworks import points
from firststep_agent.frameworks.points import all_points

ROOT = Path(__file__).parents[2]
AGENT = ROOT / "src" / "firststep_agent"
TOPS = ("tensorflow", "keras", "tf_keras", "numpy", "h5py")
PUBLIC = {"keras", "numpy", "tensorflow"}  # what these modules themselves hold is public


def test_the_page_is_made_from_the_tables():
    page = (ROOT / "docs" / "frameworks.md").read_text()
    assert page == document(), "make it anew: python -m firststep.doctor.table > docs/frameworks.md"


def modules_named(node):
    """Names of modules of frameworks that an expression mentions as text."""
    texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return [text for text in texts if text.partition(".")[0] in TOPS and "." in text and all(map(str.isidentifier, text.split(".")))]


def names_read(text):
    """{(module, name)}: what a source reads of modules of the frameworks, as far as it names them."""
    found, tree = set(), ast.parse(text)
    for scope in ast.walk(tree):
        if not isinstance(scope, (ast.FunctionDef, ast.Module)):
            continue
        known = {}
        body = list(ast.walk(scope))
        for node in body:
            if isinstance(node, ast.ImportFrom) and not node.level and node.module.partition(".")[0] in TOPS:
                known.update((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and "sys.modules" in \
                    ast.unparse(node.value) and isinstance(node.value, (ast.Call, ast.Subscript)) and len(modules_named(node.value)) == 1 \
                    and ast.unparse(node.value).startswith("sys.modules"):
                known[node.targets[0].id] = modules_named(node.value)[0]
        if isinstance(scope, ast.Module):
            continue
        for node in body:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
                found.add((known[node.value.id], node.attr))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) > 1 \
                    and isinstance(node.args[0], ast.Name) and node.args[0].id in known and isinstance(node.args[1], ast.Constant):
                found.add((known[node.args[0].id], node.args[1].value))
    return {(module, name) for module, name in found if module not in PUBLIC}


def in_the_tables():
    return {(point.module, point.attribute.partition(".")[0]) for point in all_points()}


def test_what_is_read_stands_in_a_table():
    known = in_the_tables()
    unknown = {str(path.relative_to(AGENT)): names_read(path.read_text()) - known for path in AGENT.rglob("*.py")}
    assert {path: names for path, names in unknown.items() if names} == {}


def test_no_reading_goes_unseen():
    text = """
import sys
def f():
    from tensorflow.python.framework import ops
    context = sys.modules.get("tensorflow.python.eager.context")
    return ops.hidden, getattr(context, "_hidden", None)
"""
    assert names_read(text) == {("tensorflow.python.framework.ops", "hidden"), ("tensorflow.python.eager.context", "_hidden")}


def of_no_table(texts):
    """{what: expressions}: private names that stand in no table and are known to be nobody's whom a table is of; by source."""
    known = {part for point in all_points() for part in point.attribute.split(".")} | private_names.NAMES
    found = ({name: where for name, where in each.items() if name not in known} for each in private_names.of_others(texts.values()))
    return {path: names for path, names in zip(texts, found) if names}


def agent():
    return {str(path.relative_to(AGENT)): path.read_text() for path in AGENT.rglob("*.py") if "tables" not in path.parts}


def test_every_private_name_that_is_read_stands_in_a_table():
    assert of_no_table(agent()) == {}


def test_a_private_name_that_is_planted_is_found():
    planted = """
class Own:
    __slots__ = ("_mine",)
    def method(self, value):
        self._mine = value._hidden
        return self._mine, self._inherited, getattr(value, "_asked", None), vars(value).get("_held"), "._step", value._mine
NAMES = "_one _two".split()
"""
    assert of_no_table({"planted": planted}) == {"planted": {
        "_hidden": {"value._hidden"}, "_inherited": {"self._inherited"}, "_asked": {"_asked"}, "_held": {"_held"}, "_step": {"_step"},
        "_mine": {"value._mine"}, "_one": {"_one"}, "_two": {"_two"}}}


def test_no_name_is_called_somebody_elses_in_vain():
    found = private_names.of_others(agent().values())
    named = {name for each in found for name in each}
    expressions = {where for text in agent().values() for each in private_names.Source(text).mentioned(()).values() for where in each}
    assert sorted(private_names.NAMES - named) == [] and sorted(private_names.OURS - expressions) == []
    in_tables = {part for point in all_points() for part in point.attribute.split(".")}
    assert sorted(private_names.NAMES & in_tables) == []


def test_no_table_of_objects_holds_a_private_name_that_nobody_mentions():
    mentioned = {name for text in agent().values() for name in private_names.Source(text).mentioned(())}
    listed = {point.attribute.rpartition(".")[2] for name in points.READ_ONLY if name.endswith("_objects") for point in points._table(name)}
    assert sorted(name for name in listed - mentioned if name[:1] == "_") == []


def test_what_the_mutation_test_leaves_out_has_a_reason():
    assert [point.name for point in all_points() if point.untried is not None and not point.untried.strip()] == []
    assert {point.untried for point in all_points() if point.how != points.READ and point.untried} <= {
        "for a backend that is not installed beside TensorFlow's", "the code of Keras 2, which `keras` 2.15 has as well",
        "the code of TensorFlow's interpreter, in a package of its own",
        "a code object: no call comes to it, and what passes it passes the function, which is tried"}


def test_every_listed_user_is_an_observer_or_a_remedy():
    from firststep.remedies import all_remedies
    from firststep_agent.observe import OBSERVERS

    known = {remedy.id for remedy in all_remedies()} | set(OBSERVERS) | {"door"}
    for point in all_points():
        assert set(point.users) <= known, point.name


def test_every_kind_and_role_is_used_and_explained():
    kinds = {point.span.kind for point in all_points() if point.span}
    assert kinds == set(points.KINDS)
    assert {point.step for point in all_points() if point.step} == set(points.ROLES)
    from firststep_agent.observe.steps import _MAKERS

    assert set(_MAKERS) == set(points.ROLES)


def test_every_function_of_a_label_is_there():
    from firststep_agent.observe.frameworks import label

    for span in (point.span for point in all_points() if point.span):
        for name in (span.name, span.labels, span.when):
            assert name is None or callable(label(name)), name
