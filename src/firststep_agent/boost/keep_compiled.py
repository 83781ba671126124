"""Regular expressions, named tuples' constructors and data classes' methods, compiled in one start and kept for the next.

`collections` and `dataclasses` write a few lines of Python and evaluate them; `re` makes a list of numbers out of each
pattern. What comes out depends on the text, the flags and Python's version alone, so one entry serves all programs of
an environment.
"""

import sys
from marshal import dumps, loads

from firststep_agent.boost.program import description, environment_key
from firststep_agent.boost.store import store_for
from firststep_agent.dressing import leave_no_frame, stand_in_c
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from firststep_agent.boost.store import Store

ID = "keep-compiled"
FEW = 16  # compilations that are not worth writing the entry again
LIMIT = 4096  # compilations in an entry, and of one start: a program may make new ones for ever
OTHER_FLAGS = 1 | 4 | 128  # TEMPLATE, which warns; LOCALE, which reads the locale; DEBUG, which prints
MAY_WARN = (  # signs of it, also where they turn out to be innocent
    "[[", "[^[", "--", "&&", "~~", "||", "(?(", "(?a", "(?i", "(?L", "(?m", "(?s", "(?u", "(?x",
)


def start(run: "Any", settings: "dict[str, Any]") -> None:
    store = store_for(run, ID)
    if store is None:
        return
    kept = _Kept(run, store)
    run.after_import("collections", lambda module: run.replace(module, "eval", kept.evaluate))
    run.after_import("dataclasses", lambda module: run.replace(module, "exec", kept.execute))
    run.after_import("re", kept.patterns)


class _Kept:
    """What earlier starts compiled and what this one does: (mode or flags, text) -> marshalled result."""

    def __init__(self, run: "Any", store: "Store") -> None:
        self._run = run
        self._store = store
        self._earlier: dict[tuple[str | int, str], bytes] | None = None  # read when something is compiled
        self._new: dict[tuple[str | int, str], bytes] = {}
        self._answered = run.tally(ID, "compilations")
        self.evaluate, self.execute = self._evaluator(eval), self._evaluator(exec)
        run.on_ready(self._write)
        run.on_exit(self._write)
        run.on_fork(lambda: self._new.clear())  # its parent writes them

    def _evaluator(self, builtin: "Callable[..., Any]") -> "Any":
        mode = builtin.__name__

        def evaluate(source, *namespaces):
            try:
                return builtin(code_of(source) if type(source) is str else source, *namespaces)
            except BaseException as error:
                leave_no_frame(error)
                raise

        def code_of(source):
            """The source itself where it is wrong: the builtin function says so."""
            data = self.find((mode, source))
            if data is not None:
                return loads(data)
            try:
                code = compile(source.lstrip(" \t") if mode == "eval" else source, "<string>", mode, 0, True)
            except (SyntaxError, ValueError):
                return source
            self.keep((mode, source), dumps(code))
            return code

        return stand_in_c(builtin, evaluate)

    def patterns(self, module: "Any") -> None:
        """`re` looks a pattern up among those of this process first: there it finds those of earlier starts as well.

        What is not found, and what is wrong with it, is the affair of Python's own compiler, with no frame of ours on the stack.
        What that makes is seen where it is finished.
        """
        name, most = ("_cache2", module._MAXCACHE2) if hasattr(module, "_cache2") else ("_cache", module._MAXCACHE)
        second = module._cache if name == "_cache2" else None  # from Python 3.12 on: of more patterns, in the order of their last uses
        compiler = module._compiler if hasattr(module, "_compiler") else module.sre_compile
        plain, finish, whole, kept = getattr(module, name), compiler._sre.compile, compiler.compile.__code__, self

        class Patterns(dict):
            """The process's own patterns by type, text and flags."""

            def __missing__(self, key):
                kind, text, flags = key
                if second is not None and key in second:
                    raise KeyError(key)
                data = kept.find((flags, text)) if kind is str and type(flags) is int and _is_kept(text, flags) else None
                if data is None:
                    raise KeyError(key)
                all_flags, code, groups, names, by_number = loads(data)
                made = finish(text, all_flags, _unpacked(code), groups, names, by_number)
                if second is not None:
                    add(second, module._MAXCACHE, key, made)
                add(self, most, key, made)
                return made

        def add(patterns, most, key, made):
            """As `re` itself, which forgets the oldest."""
            if len(patterns) >= most:
                try:
                    patterns.pop(next(iter(patterns), None), None)
                except RuntimeError as error:  # another thread has added one, as `re` itself takes into account
                    if is_theirs(error):
                        raise
            patterns[key] = made

        def compile(*arguments):
            made = finish(*arguments)
            caller = sys._getframe(1)
            if caller.f_code is whole and len(arguments) == 6 and type(arguments[0]) is str:
                flags, (text, all_flags, code, *rest) = caller.f_locals["flags"], arguments
                if type(flags) is int and _is_kept(text, flags):
                    kept.keep((flags, text), dumps((all_flags, _packed(code), *rest)))
            return made

        patterns = Patterns(plain)
        self._run.replace(module, name, patterns)
        self._run.replace(compiler._sre, "compile", stand_in_c(finish, compile))
        self._run.on_ready(lambda: plain.update(patterns))

    def find(self, key: "tuple[str | int, str]") -> "bytes | None":
        """The marshalled result, None where no earlier start compiled it."""
        if self._earlier is None:
            self._earlier = _read(self._store)
        data = self._earlier.get(key)
        if data is not None:
            self._answered[0] += 1
        return data

    def keep(self, key: "tuple[str | int, str]", data: bytes) -> None:
        if len(self._new) < LIMIT:
            self._new[key] = data

    def _write(self) -> None:
        if len(self._new) <= FEW:
            return
        together = {**(self._earlier or {}), **self._new}
        if len(together) > LIMIT:
            together = self._new
        reason = self._store.write(environment_key(), description(shared=True), dumps(together))
        self._run.note(ID, "refused" if reason else "learned",
                       **({"reason": reason} if reason else {"compilations": len(self._new)}))
        self._earlier, self._new = together, {}


def _is_kept(text: str, flags: int) -> bool:
    """Whether all that a pattern's compilation does is what it returns."""
    return not flags & OTHER_FLAGS and not any(sign in text for sign in MAY_WARN)


def _read(store: "Store") -> "dict[tuple[str | int, str], bytes]":
    entry = store.read(environment_key())
    if entry is None:
        return {}
    entry.close()
    return loads(entry.body)  # type: ignore[no-any-return]


def _packed(numbers: "Iterable[int]") -> bytes:
    return b"".join(number.to_bytes(4, sys.byteorder) for number in numbers)


def _unpacked(data: bytes) -> "list[int]":
    return memoryview(data).cast("I").tolist()
