"""The code that ran while tracing, and who called whom. It gives no values, only code: what was read is found from the objects
(`walk`), what was watched comes from `watch`.

Before Python 3.12 the interpreter's own profiler in C sees it (`by_profiler`), later `sys.monitoring` (`by_monitoring`).
"""

import sys
from _thread import get_ident

from firststep_agent import kinds
from firststep_agent.dressing import leave_no_frame
from firststep_agent.frameworks.standing import stand_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from types import CodeType
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.by_monitoring import ByMonitoring
    from firststep_agent.boost.cache_functions.reads.by_profiler import ByProfiler


class Busy(Exception):
    """Something else profiles the program; its data would be spoiled."""


class Executed:
    """Context manager. Afterwards `codes` (list of code objects) and `calls` {id(code): callees} (code or description of a C function)."""

    def __init__(self) -> None:
        self.codes: list[CodeType] = []
        self.calls: dict[int, list[CodeType | str]] = {}
        self.saw_all = True
        self._native: dict[str, list[CodeType]] = {}
        self._pauses: Pauses | None = None

    def __enter__(self) -> "Executed":
        if sys.getprofile() is not None:
            raise Busy("a profiler is active while it is traced")
        self.looks = _looks()
        self._pauses = Pauses(self.looks)
        self._pauses.start()
        self.thread = get_ident()
        _running[:] = [self]
        return self

    def __exit__(self, *error: object) -> None:
        _running.clear()
        self._pauses.stop()
        self.saw_all = self.looks.is_there()
        self.codes, self.calls, self._native = self.looks.end()

    def leave_out(self, files: "Container[str]") -> None:
        """Forgets what ran only while modules of these files were imported: an answer has them imported as well."""
        callers: dict[int, set[int]] = {}
        for caller, callees in self.calls.items():
            for callee in callees:  # what a C function calls, as `__build_class__` does, whoever calls that may have called
                for each in self._native.get(callee, ()) if isinstance(callee, str) else (callee,):
                    callers.setdefault(id(each), set()).add(caller)
        out: set[int] = set()
        more = {id(code) for code in self.codes if code.co_name == "<module>" and code.co_filename in files}
        while more:
            out |= more
            more = {id(code) for code in self.codes
                    if id(code) not in out and id(code) in callers and callers[id(code)] <= out | {id(code)}}
        self.codes = [code for code in self.codes if id(code) not in out]
        self.calls = {caller: callees for caller, callees in self.calls.items() if caller not in out}


def _looks() -> "ByMonitoring | ByProfiler":
    if hasattr(sys, "monitoring"):
        from firststep_agent.boost.cache_functions.reads.by_monitoring import ByMonitoring

        try:
            return ByMonitoring()
        except ValueError as error:
            raise Busy("a profiler is active while it is traced") from error
    from firststep_agent.boost.cache_functions.reads.by_profiler import ByProfiler

    return ByProfiler()


_running: "list[Executed]" = []  # the Executed that looks, at most one


class suspended:
    """Context manager: firststep's own looks at the program's objects are no part of what runs while it is traced.

    A class, not a generator: its two methods are the only frames between a pause and its end (`by_profiler`).
    """

    def __enter__(self) -> None:
        self._looks = _running[0].looks if _running and _running[0].thread == get_ident() else None
        if self._looks is not None:
            self._looks.pause()

    def __exit__(self, *error: object) -> None:
        if self._looks is not None:
            self._looks.go_on()


class Pauses:
    """Looks away while TensorFlow adds an operation of a kind, with inputs of types, that it has added before.

    What runs then has run before. It is a third of a trace, and the interpreter is twice as slow while it is looked at. Inputs
    of a user's class may call the user's code, and registered conversions may: there nothing is skipped.
    """

    def __init__(self, looks: "ByMonitoring | ByProfiler") -> None:
        self.looks = looks
        self.seen: set[tuple[str, frozenset[type]]] = set()  # (operation, types of its inputs)
        self.thread = get_ident()  # what is looked at
        self.away = False

    def start(self) -> None:
        """From now on `pausing` asks it."""
        from firststep_agent.boost.objects import registries

        if not registries.user_functions():
            _pausing[:] = [self]

    def stop(self) -> None:
        """Nothing is skipped any more."""
        _pausing.clear()


_pausing: "list[Pauses]" = []  # the Pauses of the trace that is looked at, at most one


def pausing(plain: "Callable[..., Any]") -> "Any":
    """What stands in the place of `_apply_op_helper` while a trace is watched. A function of its own and no listener: it is called for
    each operation, and pauses end in the function in which they began (`by_profiler`)."""
    under_way = _pausing

    def _apply_op_helper(op_type_name, name=None, **keywords):
        try:
            pauses = under_way[0] if under_way else None
            if pauses is None or pauses.away or get_ident() != pauses.thread:
                return plain(op_type_name, name, **keywords)
            kinds = _kinds(keywords.values())
            if kinds is None:
                return plain(op_type_name, name, **keywords)
            if (op_type_name, kinds) not in pauses.seen:
                made = plain(op_type_name, name, **keywords)
                pauses.seen.add((op_type_name, kinds))
                return made
            pauses.away = True
            pauses.looks.pause()
            try:
                return plain(op_type_name, name, **keywords)
            finally:
                pauses.looks.go_on()
                pauses.away = False
        except BaseException as error:
            leave_no_frame(error)
            raise

    return stand_in(plain, _apply_op_helper)


_owners: "dict[int, tuple[type, bool]]" = kinds.keeping({})  # id of a class -> (the class; whether it is a user's)


def _kinds(values: "Iterable[Any]") -> "frozenset[type] | None":
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
