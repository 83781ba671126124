"""Sees every import: a span for each module, and callbacks right before and right after a module's code runs.

CPython calls `importlib._bootstrap._find_and_load` for every module that is not in sys.modules, from C through an
attribute look-up; the span is therefore exactly what `-X importtime` measures.
"""

import _frozen_importlib
import sys

from firststep_agent.signals import is_theirs

FILE = "<frozen importlib._bootstrap>"  # tracebacks leave out frames of this file, ours included


class Imports:
    """The import hook of one Run."""

    def __init__(self, run):
        self._run = run
        self._before = {}
        self._after = {}
        self.record = False  # set by the observer `imports`: spans for every module
        self.plain = [_frozen_importlib._find_and_load]  # type: ignore[attr-defined]  # what finds and loads, one function

    def before(self, name, callback):
        """Calls callback() right before `name` is looked for; at once if it is there, or is being imported."""
        if name in sys.modules:
            callback()
        else:
            self._before.setdefault(name, []).append(callback)

    def after(self, name, callback):
        """Calls callback(module) right after `name` is executed; at once if it has been already."""
        if name in sys.modules and not _is_initialising(sys.modules[name]):
            self._call(callback, sys.modules[name])
        else:
            self._after.setdefault(name, []).append(callback)

    def install(self):
        plain, before, after, run, imports = self.plain, self._before, self._after, self._run, self

        def _find_and_load(name, import_):
            if name in before:
                imports.looked_for(name)
            if not imports.record:
                module = plain[0](name, import_)
            else:
                recorder = run.recorder
                token = recorder.begin("import", name)
                try:
                    module = plain[0](name, import_)
                finally:
                    recorder.end(token)
            if name in after:
                imports.loaded(name, module)
            return module

        self._run.replace(_frozen_importlib, "_find_and_load", disguised(_find_and_load))

    def looked_for(self, name):
        for callback in self._before.pop(name, ()):
            try:
                callback()
            except Exception as error:
                if is_theirs(error):
                    raise
                self._run.failed(f"before import of {name}", error)

    def loaded(self, name, module):
        for callback in self._after.pop(name, ()):
            self._call(callback, module)

    def _call(self, callback, module):
        try:
            callback(module)
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.failed(f"after import of {module.__name__}", error)


def _is_initialising(module):
    return getattr(getattr(module, "__spec__", None), "_initializing", False)


def disguised(function):
    """The function, with a code object that tracebacks and warnings treat as part of the import system."""
    code = function.__code__.replace(co_filename=FILE)
    return type(function)(code, function.__globals__, function.__name__, None, function.__closure__)
