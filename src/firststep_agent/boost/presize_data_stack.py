"""Imports, and traces of functions, run in one large chunk of Python's data stack each (firststep_agent/data_stack.py)."""

import _frozen_importlib
from _thread import get_ident

from firststep_agent import data_stack
from firststep_agent.imports import disguised

ID = "presize-data-stack"
TRACES = "tensorflow.python.eager.polymorphic_function.tracing_compilation", "_create_concrete_function"


def start(run, settings):
    if not data_stack.EXISTS:
        run.note(ID, "refused", reason="Python has a data stack from 3.11 on")
        return
    run.after_import(TRACES[0], lambda module: data_stack.presize(run, getattr(module, TRACES[1])))
    _presize_imports(run)


def _presize_imports(run):
    original, within = _frozen_importlib._find_and_load, set()  # type: ignore[attr-defined]

    def in_large_frame(name, import_):
        return original(name, import_)

    in_large_frame = disguised(in_large_frame)
    data_stack.presize(run, in_large_frame)
    outermost = run.tally(ID, "imports")

    def _find_and_load(name, import_):
        thread = get_ident()
        if thread in within:
            return original(name, import_)
        within.add(thread)
        outermost[0] += 1
        try:
            return in_large_frame(name, import_)
        finally:
            within.discard(thread)

    run.replace(_frozen_importlib, "_find_and_load", disguised(_find_and_load))
