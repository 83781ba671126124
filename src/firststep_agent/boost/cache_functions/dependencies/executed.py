"""The code that ran while tracing, and who called whom, taken by the interpreter's own profiler in C.

A hook in Python made tracing 1.7 times slower; this one costs a fraction of that. It gives no values, only code: what was
read is found from the objects (`walk`), what was watched comes from `watch`.
"""

import sys


class Busy(Exception):
    """Something else profiles the program; its data would be spoiled."""


class Executed:
    """Context manager. Afterwards `codes` (list of code objects) and `calls` {id(code): callees} (code or description of a C function)."""

    def __init__(self):
        self.codes = []
        self.calls = {}
        self._profiler = None

    def __enter__(self):
        import _lsprof

        if sys.getprofile() is not None:
            raise Busy("a profiler is active while it is traced")
        self._profiler = _lsprof.Profiler(subcalls=True, builtins=True)
        try:
            self._profiler.enable()
        except ValueError as error:  # Python 3.12 and later: another tool holds the profiler's place
            raise Busy("a profiler is active while it is traced") from error
        return self

    def __exit__(self, *error):
        self._profiler.disable()
        for entry in self._profiler.getstats():
            if isinstance(entry.code, str):
                continue
            self.codes.append(entry.code)
            if entry.calls:
                self.calls[id(entry.code)] = [sub.code for sub in entry.calls]
        self._profiler = None
