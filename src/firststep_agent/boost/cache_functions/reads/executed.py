"""The code that ran while tracing, and who called whom, taken by the interpreter's own profiler in C.

A hook in Python made tracing 1.7 times slower; this one costs a fraction of that. It gives no values, only code: what was
read is found from the objects (`walk`), what was watched comes from `watch`.
"""

import contextlib
import sys
from _thread import get_ident

from firststep_agent.pythons_own import pythons_own


class Busy(Exception):
    """Something else profiles the program; its data would be spoiled."""


class Executed:
    """Context manager. Afterwards `codes` (list of code objects) and `calls` {id(code): callees} (code or description of a C function)."""

    def __init__(self):
        self.codes = []
        self.calls = {}
        self._profiler = None
        self._pauses = None

    def __enter__(self):
        if sys.getprofile() is not None:
            raise Busy("a profiler is active while it is traced")
        self._profiler = pythons_own("_lsprof").Profiler(subcalls=True, builtins=True)
        try:
            self._profiler.enable()
        except ValueError as error:  # Python 3.12 and later: another tool holds the profiler's place
            raise Busy("a profiler is active while it is traced") from error
        self._pauses = Pauses(self._profiler)
        self._pauses.start()
        self.thread = get_ident()
        _running[:] = [self]
        return self

    def __exit__(self, *error):
        _running.clear()
        self._pauses.stop()
        self._profiler.disable()
        for entry in self._profiler.getstats():
            if isinstance(entry.code, str):
                continue
            self.codes.append(entry.code)
            if entry.calls:
                self.calls[id(entry.code)] = [sub.code for sub in entry.calls]
        self._profiler = None


_running: list = []  # the Executed whose profiler is on, at most one


@contextlib.contextmanager
def suspended():
    """firststep's own looks at the program's objects are no part of what runs while it is traced."""
    profiler = _running[0]._profiler if _running and _running[0].thread == get_ident() else None
    if profiler is None:
        yield
        return
    profiler.disable()
    try:
        yield
    finally:
        profiler.enable()


class Pauses:
    """Stops the profiler while TensorFlow adds an operation of a kind, with inputs of types, that it has added before.

    What runs then has run before. It is a third of a trace, and the interpreter is twice as slow while it profiles. Inputs
    of a user's class may call the user's code, and registered conversions may: there nothing is skipped.
    """

    def __init__(self, profiler):
        self._profiler = profiler
        self._undo = None

    def start(self):
        """Puts itself around `_apply_op_helper`."""
        from firststep_agent.boost.objects import registries

        library = sys.modules.get("tensorflow.python.framework.op_def_library")
        if library is None or registries.user_functions():
            return
        plain = library._apply_op_helper
        profiler, seen = self._profiler, set()
        running = [True]
        thread = get_ident()  # the profiler is this thread's

        def _apply_op_helper(op_type_name, name=None, **keywords):
            kinds = _kinds(keywords.values()) if running[0] and get_ident() == thread else None
            if kinds is None:
                return plain(op_type_name, name, **keywords)
            if (op_type_name, kinds) not in seen:
                made = plain(op_type_name, name, **keywords)
                seen.add((op_type_name, kinds))
                return made
            running[0] = False
            profiler.disable()
            try:
                return plain(op_type_name, name, **keywords)
            finally:
                profiler.enable()
                running[0] = True

        library._apply_op_helper = _apply_op_helper  # type: ignore[attr-defined]
        self._undo = (library, plain)

    def stop(self):
        """Takes itself away."""
        if self._undo is not None:
            library, plain = self._undo
            library._apply_op_helper = plain
            self._undo = None


_owners: dict = {}  # id of a class -> (the class, so that no other gets its id; whether it is a user's)


def _kinds(values):
    """The types of the values, lists taken apart once; None where one is of a user's class."""
    from firststep_agent import ownership

    found = []
    for value in values:
        for each in value if type(value) is list or type(value) is tuple else (value,):
            kind = type(each)
            known = _owners.get(id(kind))
            if known is None:
                known = _owners[id(kind)] = kind, ownership.is_user_class(kind)
            if known[1]:
                return None
            found.append(kind)
    return frozenset(found)
