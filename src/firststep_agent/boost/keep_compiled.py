"""Regular expressions, named tuples' constructors and data classes' methods, compiled in one start and kept for the next.

`collections` and `dataclasses` write a few lines of Python and evaluate them; `re` makes a list of numbers out of each
pattern. What comes out depends on the text, the flags and Python's version alone, so one entry serves all programs of
an environment.
"""

import sys
from marshal import dumps, loads

from firststep_agent.boost.program import description, environment_key
from firststep_agent.boost.store import store_for

ID = "keep-compiled"
KNOWN_UP_TO = (3, 13)  # the Python whose re this was compared with
FEW = 16  # compilations that are not worth writing the entry again
LIMIT = 4096  # compilations in an entry
PATTERNS = ("re._compiler", "_parser") if sys.version_info >= (3, 11) else ("sre_compile", "sre_parse")
OTHER_FLAGS = 1 | 4 | 128  # TEMPLATE, which warns; LOCALE, which reads the locale; DEBUG, which prints
MAY_WARN = (  # signs of it, also where they turn out to be innocent
    "[[", "[^[", "--", "&&", "~~", "||", "(?(", "(?a", "(?i", "(?L", "(?m", "(?s", "(?u", "(?x",
)


def start(run, settings):
    if sys.version_info[:2] > KNOWN_UP_TO:
        run.note(ID, "refused", reason=f"Python {sys.version_info[0]}.{sys.version_info[1]} is not known yet")
        return
    store = store_for(run, ID)
    if store is None:
        return
    kept = _Kept(run, store)
    run.after_import("collections", lambda module: run.replace(module, "eval", kept.evaluate))
    run.after_import("dataclasses", lambda module: run.replace(module, "exec", kept.execute))
    run.after_import(PATTERNS[0], lambda module: run.replace(module, "compile", kept.compiler(module)))


class _Kept:
    """What earlier starts compiled and what this one does: (mode or flags, text) -> marshalled result."""

    def __init__(self, run, store):
        self._run = run
        self._store = store
        self._earlier: dict | None = None  # read when something is compiled
        self._new = {}
        self._answered = run.tally(ID, "compilations")
        self.evaluate, self.execute = self._evaluator("eval", eval), self._evaluator("exec", exec)
        run.on_ready(self._write)
        run.on_exit(self._write)

    def _evaluator(self, mode, builtin):
        def evaluate(source, *namespaces):
            return builtin(code_of(source) if type(source) is str else source, *namespaces)

        def code_of(source):
            return self._find((mode, source), lambda: compile(source.lstrip(" \t") if mode == "eval" else source,
                                                              "<string>", mode, 0, True))

        evaluate.__name__ = evaluate.__qualname__ = mode
        return evaluate

    def compiler(self, module):
        """The replacement of the `compile` of Python's compiler of regular expressions."""
        original, parse, make, finish = module.compile, getattr(module, PATTERNS[1]).parse, module._code, module._sre.compile

        def parts(pattern, flags):
            parsed = parse(pattern, flags)
            code, names = make(parsed, flags), parsed.state.groupdict
            by_number = [None] * parsed.state.groups
            for name, number in names.items():
                by_number[number] = name
            return flags | parsed.state.flags, _packed(code), parsed.state.groups - 1, names, tuple(by_number)

        def compile(p, flags=0):
            if (type(p) is not str or type(flags) is not int or flags & OTHER_FLAGS
                    or any(sign in p for sign in MAY_WARN)):
                return original(p, flags)
            all_flags, code, groups, names, by_number = self._find((flags, p), lambda: parts(p, flags))
            return finish(p, all_flags, _unpacked(code), groups, names, by_number)

        return compile

    def _find(self, key, make):
        if self._earlier is None:
            self._earlier = _read(self._store)
        data = self._earlier.get(key)
        if data is not None:
            self._answered[0] += 1
            return loads(data)
        made = make()
        self._new[key] = dumps(made)
        return made

    def _write(self):
        if len(self._new) <= FEW:
            return
        together = {**(self._earlier or {}), **self._new}
        if len(together) > LIMIT:
            together = self._new
        reason = self._store.write(environment_key(), description(shared=True), dumps(together))
        self._run.note(ID, "refused" if reason else "learned",
                       **({"reason": reason} if reason else {"compilations": len(self._new)}))
        self._earlier, self._new = together, {}


def _read(store):
    entry = store.read(environment_key())
    if entry is None:
        return {}
    entry.close()
    return loads(entry.body)


def _packed(numbers):
    return b"".join(number.to_bytes(4, sys.byteorder) for number in numbers)


def _unpacked(data):
    return memoryview(data).cast("I").tolist()
