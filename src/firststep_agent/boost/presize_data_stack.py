"""Imports, and traces of functions, run in one large chunk of Python's data stack each (firststep_agent/data_stack.py)."""

import _frozen_importlib

from firststep_agent import data_stack
from firststep_agent.imports import Outermost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID = "presize-data-stack"


def start(run: "Any", settings: "dict[str, Any]") -> None:
    if not data_stack.EXISTS:
        run.note(ID, "refused", reason="Python has a data stack from 3.11 on")
        return
    run.before_import("tensorflow", lambda: data_stack.presize_traces(run, ID))
    _presize_imports(run)


def _presize_imports(run: "Any") -> None:
    """Python's own function with a large frame is in its place while no import runs; in an import it is Python's own."""
    plain = _frozen_importlib._find_and_load  # type: ignore[attr-defined]
    large = type(plain)(data_stack.large(plain.__code__), plain.__globals__, plain.__name__, plain.__defaults__, plain.__closure__)
    run.replace(_frozen_importlib, "_find_and_load", large)
    run.imports.outermost = Outermost(large, plain, run.tally(ID, "imports"))
    run.on_ready(lambda: setattr(run.imports, "outermost", None))
