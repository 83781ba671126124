"""Every module's import as a span, which modules were compiled from source, and which of them others would have imported, too."""

import _frozen_importlib_external as external
import sys

from firststep_agent.as_found import os
from firststep_agent.dressing import leave_no_frame
from firststep_agent.imports import in_the_place_of
from firststep_agent.observe import held_modules
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.imports.record = True
    run.on_ready(lambda: setattr(run.imports, "record", False))
    _watch_compilation(run)
    held_modules.start(run)


def _why(path: str) -> str:
    """Why a module is compiled: its bytecode is missing (and will be written), stale, or cannot be kept."""
    try:
        kept = external.cache_from_source(path)
    except (NotImplementedError, ValueError) as error:
        if is_theirs(error):
            raise
        return "missing"
    if os.path.exists(kept):
        return "stale"
    folder = os.path.dirname(kept)
    while folder and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return "unwritable" if sys.dont_write_bytecode or not os.access(folder or ".", os.W_OK) else "missing"


def _said(path: "Any") -> str:
    """What a loader of the program's own may give for a path, in words. (No loader of our own modules, which may be compiled here.)"""
    from firststep_agent.observe.labels.said import text

    return text(path)


def _watch_compilation(run: "Any") -> None:
    original, leave, why = external.SourceLoader.source_to_code, leave_no_frame, _why

    def source_to_code(self, data, path, *arguments, **options):
        file = path if type(path) is str else _said(path)
        token = run.recorder.begin("compile-source", file)
        try:
            return original(self, data, path, *arguments, **options)
        except BaseException as error:
            leave(error)
            raise
        finally:
            run.recorder.end(token, {"why": why(file)})

    run.replace(external.SourceLoader, "source_to_code", in_the_place_of(original, source_to_code))
