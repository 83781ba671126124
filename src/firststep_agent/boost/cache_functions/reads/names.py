"""Which attributes count: an attribute that no code which ran while tracing can name was not read.

Names are those in the bytecode (and string constants, for `getattr`) of every code object that ran. Where user code
looks attributes up by names it makes itself (`getattr(self, f"dense_{i}")`, `vars(self)`), every attribute of the
user's objects counts.

What an object of the program's holds is read by names in the program's code, its packages included, and in the files of the library's
classes that it is below: a framework's code names thousands (`name`, `id`, `path`), and a run's own name or number would be another in
each start. Nor do the lines, globals, closures and defaults of functions that did not run count. But code that reads such things all the
same cannot be told: where they are others, a start traces once more before it is answered (`at_large`).
"""

import functools
import operator
import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.cache_functions.reads import reached
from firststep_agent.boost.objects import bytecode, computed_names, looked_up
from firststep_agent.boost.objects.parts import instances, naming
from firststep_agent.boost.objects.special import ALONE, BELOW, HELD, LIBRARY, OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import CodeType
    from typing import Any

    from firststep_agent.boost.objects.walk import Walk

# Built-ins and attributes through which code reaches attributes by names that stand in no constant, besides `computed_names.READERS`.
_DYNAMIC = frozenset(("vars", "dir", "globals", "locals", "eval", "exec", "__dict__", "__getattribute__", "attrgetter", "methodcaller",
                      "getmembers", "getmembers_static", "getattr_static", "dumps"))
# Functions of Python's own modules, by their file, that read all attributes of what they are given, all fields of a data class, or tell
# their names.
_READ_ALL = frozenset((("string.py", "get_field"),))
_READ_FIELDS = frozenset((("dataclasses.py", "asdict"), ("dataclasses.py", "astuple"), ("dataclasses.py", "replace"),
                          ("dataclasses.py", "_replace"), ("copy.py", "replace")))
_TELL_FIELDS = frozenset((("dataclasses.py", "fields"),))

# What leads to the globals of a function, to its closure or to its defaults past a call of it.
_LOOKS_INTO_FUNCTIONS = frozenset(("__globals__", "__closure__", "cell_contents", "getclosurevars", "eval", "exec", "f_globals",
                                   "__defaults__", "__kwdefaults__", "signature", "getfullargspec", "getargspec"))
# What leads to any value of the program's, which no walk from the function meets: by itself as a built-in, as an attribute of anything, and
# as an attribute together with the name of its module.
_ANYWHERE = frozenset(("globals", "eval", "exec", "__import__"))
_ANYWHERE_BELOW = frozenset(("f_globals", "f_locals", "__globals__", "__builtins__", "getclosurevars", "getmodule", "import_module",
                             "resolve_name", "get_objects", "get_referrers", "get_referents", "get_type_hints"))
_ANYWHERE_OF = frozenset((("sys", "modules"), *(("builtins", name) for name in _ANYWHERE)))
# How a walk tells of built-ins that are kept under another name (`get = getattr`): no call shows which names they are given.
_KEPT = "=c builtins."
_KEPT_READERS = tuple(_KEPT + name for name in ("getattr", "hasattr", "setattr", "delattr", "vars", "dir"))
_KEPT_ANYWHERE = tuple(_KEPT + name for name in _ANYWHERE)
_PROGRAMS = frozenset((OWN, BELOW, ALONE, HELD))
# What functions in C read of any object, by names that stand in no code: csv of a dialect.
_READ_IN_C = frozenset(("delimiter", "doublequote", "escapechar", "lineterminator", "quotechar", "quoting", "skipinitialspace", "strict"))
_GETTERS = (operator.attrgetter, operator.methodcaller)
_SENTENCE = 60  # characters


class Names:
    """The names that ran. `by_kind`: which count for the frameworks' objects (LIBRARY) and the user's own (the others; None: every name).
    `all_of`: kinds whose attributes are read whatever their names. `told`: of what functions, classes and modules tell of
    themselves (`__doc__`), what the user's code names. `ran`: digests of the user's code that ran; None where code may have looked into
    functions that did not. `anywhere`: whether the user's code may have read what no walk from the function meets."""

    def __init__(self, names: "frozenset[str]", below: "frozenset[str]", of_users: "frozenset[str]", all_of: "frozenset[int]", seeds: bool,
                 told: "frozenset[str]", ran: "frozenset[str] | None", anywhere: bool) -> None:
        self.by_kind = {LIBRARY: names, OWN: names, BELOW: below, ALONE: of_users, HELD: of_users, **dict.fromkeys(all_of)}
        self.all_of = all_of
        self._below, self._of_users = below, of_users
        self.seeds = seeds  # whether initializers made tensors of the graph, so that their seeds count
        self.told = told
        self.ran = ran
        self.anywhere = anywhere
        # Whether attributes that nothing names count: of what is there to hold values with these, of all else that they are there.
        self.presence = False

    def at_large(self) -> "Names":
        """With what a framework's code, or Python's own, could read besides."""
        names: frozenset[str] = self.by_kind[LIBRARY]  # type: ignore[assignment]
        found = Names(names, names, names, _PROGRAMS if OWN in self.all_of else frozenset(), self.seeds, self.told | naming.FIELDS, None,
                      self.anywhere)
        found.presence = True
        return found

    @classmethod
    def of(cls, codes: "list[CodeType]", user_codes: "list[CodeType]", calls: "dict[int, list[CodeType | str]]",
           found: "Walk | None" = None) -> "Names":
        """`codes`: everything that ran; `user_codes`: the user's own among them; `calls`: who called what (`Executed.calls`); `found`:
        what can be reached, among it what gets attributes by names of its own (`attrgetter("a.b")`)."""
        objects, lines = ((), ()) if found is None else (found.objects, found.lines)
        users = {name for each in objects if kinds.is_just(each, *_GETTERS) for told in each.__reduce__()[1] if type(told) is str
                 for name in told.split(".")}.union(_READ_IN_C, *map(bytecode.attribute_names, user_codes))
        names = {*users}.union(*map(bytecode.attribute_names, codes))
        written = _as_written(codes)
        all_of = _read_whole(written, objects, lines)
        told = {name for name in users if name[:2] == "__"} | ({"__doc__"} if "getdoc" in users else set())
        told |= {*naming.FIELDS, "__match_args__"} if all_of or any(_is_pythons(code, _TELL_FIELDS) for code in written) else set()
        they_ran = [code for one in (*reached.originals(codes), *_remembered(objects)) for code in bytecode.nested(one)]
        ran = None if _LOOKS_INTO_FUNCTIONS & users else frozenset(map(bytecode.digest, they_ran))
        of_users = _that_may_be(users.union(code.co_name for code in they_ran))  # a framework may have called them by their names
        below = of_users.union(*map(bytecode.read_of_variables, _of_bases(codes, objects)))
        return cls(_that_may_be(names), _that_may_be(below), of_users, all_of, _initializers_called(codes, calls), frozenset(told), ran,
                   _reads_anywhere(written, lines))

    def to_json(self) -> "dict[str, Any]":
        return {"names": "\n".join(sorted(self.by_kind[LIBRARY] or ())), "below": "\n".join(sorted(self._below)),
                "of_users": "\n".join(sorted(self._of_users)), "all_of": sorted(self.all_of), "seeds": self.seeds,
                "told": sorted(self.told), "ran": None if self.ran is None else sorted(self.ran), "anywhere": self.anywhere}

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Names":
        names, below, of_users = (frozenset(data[which].split("\n")) for which in ("names", "below", "of_users"))
        return cls(names, below, of_users, frozenset(data["all_of"]), data["seeds"], frozenset(data["told"]),
                   None if data["ran"] is None else frozenset(data["ran"]), data["anywhere"])


def _of_bases(codes: "list[CodeType]", objects: "Sequence[Any]") -> "Iterator[CodeType]":
    """What ran of the files in which the library's classes stand that the program's objects are below."""
    classes = {id(cls): cls for each in objects for cls in (each if kinds.is_a(each, type) else type(each),)}
    bases = [kinds.module(base) for cls in classes.values() if instances.whose(cls) == BELOW for base in kinds.mro(cls)]
    modules = [sys.modules.get(name) for name in bases if type(name) is str]
    files = frozenset(filter(None, (kinds.file_of(module) for module in modules if kinds.is_a(module, types.ModuleType))))
    return (code for code in codes if code.co_filename in files)


def _that_may_be(names: "Iterable[str]") -> "frozenset[str]":
    return frozenset(filter(_may_name, names))


def _may_name(text: str) -> bool:
    """Whether an attribute may be called so: of what is no identifier (absl's flag `?`) all but sentences."""
    return text.isidentifier() or (len(text) < _SENTENCE and "\n" not in text)


def _remembered(objects: "Iterable[Any]") -> "Iterator[CodeType]":
    """The code of functions that ran before the trace, and whose results of then stand for them (`lru_cache`)."""
    for each in objects:
        if kinds.is_just(each, functools._lru_cache_wrapper):
            wrapped = kinds.own(each).get("__wrapped__")
            if type(wrapped) is types.FunctionType:
                yield wrapped.__code__


def _read_whole(codes: "list[CodeType]", objects: "Sequence[Any]", lines: "Sequence[str]") -> "frozenset[int]":
    """The kinds of which every attribute counts; tf.Module finds its variables by going through all it has."""
    if _reads_by_computed_names(codes, objects) or any(each in line for line in lines if _KEPT in line for each in _KEPT_READERS) or any(
            _is_pythons(code, _READ_ALL) or (code.co_name == "_flatten_module" and code.co_filename.endswith("/module/module.py"))
            for code in codes):
        return _PROGRAMS
    return frozenset((OWN, BELOW, HELD) if any(_is_pythons(code, _READ_FIELDS) for code in codes) else ())  # data classes are no other's


def _is_pythons(code: "CodeType", functions: "frozenset[tuple[str, str]]") -> bool:
    return (code.co_filename.rpartition("/")[2], code.co_name) in functions and ownership.owner(code.co_filename) == ownership.STDLIB


def _as_written(codes: "list[CodeType]") -> "list[CodeType]":
    """The code itself; for what AutoGraph generated, what it was generated from: the calls in it are others."""
    origins = reached.converted()
    found = (one for code in codes for one in ((code,) if code.co_filename not in origins else bytecode.nested(origins[code.co_filename])))
    return list({id(code): code for code in found}.values())


def _reads_by_computed_names(codes: "list[CodeType]", objects: "Sequence[Any]") -> bool:
    """Whether the user's code reads attributes by names that it makes, of anything but a framework's module (`getattr(tf.nn, name)`)."""
    users = [code for code in codes if ownership.owner(code.co_filename) == ownership.USER]
    if any(not _DYNAMIC.isdisjoint(code.co_names) or bytecode.matches_classes(code) for code in users):  # the latter by `__match_args__`
        return True
    read = {id(code): readings for code in users
            if not computed_names.READERS.isdisjoint(code.co_names) and (readings := computed_names.readings(code))}
    unmet = set(read)
    for function in [each for each in objects if read and type(each) is types.FunctionType]:
        met = {id(code) for code in bytecode.nested(function.__code__)} & read.keys()
        if not all(looked_up.is_packages_module(whose, function.__globals__) for number in met for whose in read[number]):
            return True
        unmet -= met
    return bool(unmet)


def _reads_anywhere(codes: "list[CodeType]", lines: "Sequence[str]") -> bool:
    """Whether the user's code may have come at any value of the program's."""
    for code in codes:
        if ownership.owner(code.co_filename) == ownership.USER:
            names = frozenset(name for each in bytecode.nested(code) for name in each.co_names)
            if not _ANYWHERE.isdisjoint(bytecode.globals_named(code)) or not _ANYWHERE_BELOW.isdisjoint(names) or any(
                    names.issuperset(pair) for pair in _ANYWHERE_OF):
                return True
    return any(each in line for line in lines if _KEPT in line for each in _KEPT_ANYWHERE)


def _initializers_called(codes: "list[CodeType]", calls: "dict[int, list[CodeType | str]]") -> bool:
    """True where an initializer was called for anything else than the value of a new variable."""
    called = {id(c) for c in codes if c.co_name == "__call__" and "initializers" in c.co_filename
              and ownership.owner(c.co_filename) == ownership.FRAMEWORK}
    if not called:
        return False
    return any(not _makes_variables(c) for c in codes for callee in calls.get(id(c), ()) if id(callee) in called)


def _makes_variables(code: "CodeType") -> bool:
    return ownership.owner(code.co_filename) == ownership.FRAMEWORK and "autograph" not in code.co_filename
