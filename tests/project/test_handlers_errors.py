"""What a signal's handler raises is the program's, a `TimeoutError` for one: whoever of the agent's could take it asks whose it is."""

import ast

from imports import SOURCES, modules, name_of

CAUGHT = {"OSError", "IOError", "EnvironmentError", "RuntimeError", "Exception"}
ASKS = ("is_theirs", "leave")  # who leaves ends the process, or hands the error on
# Where no handler of the program's runs: before the program, in threads of ours, in the copies that prove, in the tool.
ELSEWHERE = tuple(f"firststep_agent.{name}" for name in (
    "bootstrap", "boost.way_in", "command_line", "boost.prefetch_pages.reading", "observe.samples", "observe.seen_outside",
    "observe.hook_points", "boost.overlap", "boost.image.serving",
    *(f"boost.cache_functions.proof.{name}" for name in ("answering", "sandbox", "state", "thorough", "work"))))


def takes(tree):
    """Lines of the handlers of exceptions that may take one without asking."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            names = {one.id for one in ast.walk(node.type) if isinstance(one, ast.Name)}
            text = ast.unparse(node)
            if names & CAUGHT and not any(word in text for word in ASKS) and not _hands_it_on(node):
                yield node.lineno


def _hands_it_on(handler):
    """Another error that is raised from it is one of ours."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def test_who_catches_asks():
    found = [f"{path.relative_to(SOURCES)}:{line}" for path in modules("firststep_agent") if not name_of(path).startswith(ELSEWHERE)
             for line in takes(ast.parse(path.read_text()))]
    assert found == []
