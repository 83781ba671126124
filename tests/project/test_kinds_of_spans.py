"""The kinds of spans: each that the agent writes has a phase or gives way, and the tool asks for no other."""

import ast

import pytest
from imports import modules

from firststep.analyse.phases import GIVE_WAY, PHASE_OF
from firststep.analyse.spans import KINDS, spans
from firststep_agent.frameworks import points

WRITES = ("span", "begin")  # what of the agent is called with a kind first
CHANGED = {"graph-optimise", "xla-compile", "first-execution", "first-call", "session-run-first", "session-run"}
"""What a call turns out to be at its end (observe/first_calls.py and labels/)."""


def calls(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]


def written():
    for path in modules("firststep_agent"):
        for call in calls(ast.parse(path.read_text())):
            kind = call.args[0]
            if isinstance(call.func, ast.Attribute) and call.func.attr in WRITES and isinstance(kind, ast.Constant):
                yield kind.value


def test_each_kind_that_the_agent_writes_has_a_phase_or_gives_way():
    kinds = {*written(), *points.KINDS, *CHANGED}
    assert kinds == KINDS
    assert not set(PHASE_OF) & set(GIVE_WAY)


def asked(tree):
    """Kinds that are given to spans() as they stand, or compared with a span's."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "spans":
            yield from (each.value for each in node.args[1:] if isinstance(each, ast.Constant))
        if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith("span.kind"):
            for each in node.comparators:
                yield from (one.value for one in ast.walk(each) if isinstance(one, ast.Constant))


def test_the_tool_asks_for_no_other():
    assert {kind for path in modules("firststep") for kind in asked(ast.parse(path.read_text()))} <= KINDS


def test_no_other_kind_goes_unseen():
    assert list(asked(ast.parse("spans(facts, 'tarce'); seen.span.kind == 'other'"))) == ["tarce", "other"]
    with pytest.raises(KeyError, match="tarce"):
        spans(lambda fact: {}, "tarce")
