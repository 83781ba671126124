"""What a code object is and what it names: its digest, the globals it reads, the attributes it stores."""

import hashlib
import marshal
import opcode
import re
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType
    from typing import Any

_GLOBAL = {opcode.opmap[n] for n in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL") if n in opcode.opmap}
_GLOBAL |= {opcode.opmap[n] for n in ("LOAD_FROM_DICT_OR_GLOBALS",) if n in opcode.opmap}
_LOAD_GLOBAL = opcode.opmap["LOAD_GLOBAL"]
_STORE_GLOBAL = {opcode.opmap[n] for n in ("STORE_GLOBAL", "DELETE_GLOBAL")}
_STORE_ATTRIBUTE = {opcode.opmap[n] for n in ("STORE_ATTR", "DELETE_ATTR")}
_STORE_ITEM = {opcode.opmap[n] for n in ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE") if n in opcode.opmap}
_STORE_FREE = {opcode.opmap[n] for n in ("STORE_DEREF", "DELETE_DEREF")}
_IMPORT = opcode.opmap["IMPORT_NAME"]
_MATCH_CLASS = opcode.opmap.get("MATCH_CLASS")
_LOAD_ATTR = opcode.opmap["LOAD_ATTR"]
_LOOKS_UP = {opcode.opmap[n] for n in ("LOAD_ATTR", "LOAD_METHOD") if n in opcode.opmap}
_LOAD_VARIABLE = {number for name, number in opcode.opmap.items() if name.endswith(("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF"))}
_READERS = frozenset(("getattr", "hasattr"))
_PUSH_NULL = opcode.opmap.get("PUSH_NULL")
_PADDING = {opcode.opmap[n] for n in ("CACHE", "EXTENDED_ARG") if n in opcode.opmap}
_WORD = re.compile(r"[A-Za-z_]\w*")
_EXTENDED = opcode.EXTENDED_ARG
_SHIFTED = sys.version_info >= (3, 11)  # LOAD_GLOBAL's argument carries a flag in its lowest bit
_FLAGGED = sys.version_info >= (3, 12)  # so does that of LOAD_ATTR
_CODE = type((lambda: None).__code__)

# By identity, the code object kept alive with it: hashing a code object costs more than the look-up.
_digests: "dict[int, tuple[CodeType, str]]" = {}
_marks: "dict[int, tuple[CodeType, str]]" = {}
_named: "dict[int, tuple[CodeType, tuple[str, ...]]]" = {}
_stores: "dict[int, tuple[CodeType, list[tuple[str, str]]]]" = {}
_imports: "dict[int, tuple[CodeType, tuple[str, ...]]]" = {}


def digest(code: "CodeType") -> str:
    """Hex digest of a code object with everything nested in it, line numbers included (messages name them)."""
    found = _digests.get(id(code))
    if found is None:
        found = _digests[id(code)] = (code, hashlib.blake2b(_bytes(code), digest_size=8).hexdigest())
    return found[1]


def mark(code: "CodeType") -> str:
    """A cheap token for library code whose file is known to be unchanged: it tells apart what a patch put there."""
    found = _marks.get(id(code))
    if found is None:
        short = code.co_filename[-24:]
        found = _marks[id(code)] = (code, f"{short}:{code.co_firstlineno}:{code.co_name}:{zlib.crc32(code.co_code):x}")
    return found[1]


def _bytes(code: "CodeType") -> bytes:
    # Format 2 has no back references, so equal code gives equal bytes however its constants are shared.
    if sys.version_info >= (3, 11):
        return marshal.dumps(code, 2)
    return repr(_plain(code)).encode("utf-8", "surrogatepass")


def _plain(value: "Any") -> "Any":
    """A code object as nested tuples: before 3.11 marshal wrote frozensets in hash order."""
    if type(value) is _CODE:
        lines = getattr(value, "co_linetable", None) or value.co_lnotab
        return (value.co_code, _plain(value.co_consts), value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars,
                value.co_name, value.co_firstlineno, lines, value.co_argcount, value.co_kwonlyargcount, value.co_flags)
    if type(value) is tuple:
        return tuple([_plain(v) for v in value])
    if type(value) is frozenset:
        return ("frozenset", sorted(repr(v) for v in value))
    return (type(value).__name__, value)


def nested(code: "CodeType") -> "list[CodeType]":
    """The code object and all code objects among its constants, at any depth."""
    found = [code]
    for each in found:
        found.extend(c for c in each.co_consts if type(c) is _CODE)
    return found


def globals_named(code: "CodeType") -> "tuple[str, ...]":
    """Names of globals that the code, or code nested in it, loads or stores, in order of first appearance."""
    found = _named.get(id(code))
    if found is None:
        found = _named[id(code)] = (code, _scan(code, _global_name))
    return found[1]


def modules_imported(code: "CodeType") -> "tuple[str, ...]":
    """Names of the modules that import statements inside the code name."""
    found = _imports.get(id(code))
    if found is None:
        found = _imports[id(code)] = (code, _scan(code, _import_name))
    return found[1]


def attributes_stored(code: "CodeType") -> "list[str]":
    """Names of attributes that the code itself (not what is nested in it) sets or deletes."""
    return [name for kind, name in _stored(code) if kind == "attribute"]


def globals_stored(code: "CodeType") -> "list[str]":
    """Names of globals that the code itself rebinds."""
    return [name for kind, name in _stored(code) if kind == "global"]


def stores_outside(code: "CodeType") -> bool:
    """Whether the code itself sets or deletes attributes, globals, or variables of a function around it."""
    return bool(_stored(code)) or any(op in _STORE_FREE and _is_free(code, argument) for op, argument in _instructions(code.co_code))


def stores_items(code: "CodeType") -> bool:
    """Whether the code itself sets or deletes items."""
    return any(op in _STORE_ITEM for op, _ in _instructions(code.co_code))


def handed_on(code: "CodeType") -> "set[tuple[str, ...]]":
    """What the code itself loads of globals, or of attributes below them, without calling it at once: ("os", "fstat") in
    `map(os.fstat, numbers)`. Before Python 3.11 a global alone does not show whether it is called."""
    found: set[tuple[str, ...]] = set()
    chain: tuple[str, ...] | None = None
    is_called = True
    for op, argument in _instructions(code.co_code):
        if op in _PADDING:
            continue
        if chain is not None and not is_called and op != _PUSH_NULL:  # which calls it, from Python 3.13 on
            found.add(chain)
        name = None if op in _STORE_GLOBAL else _global_name(code, op, argument)
        if name is not None:  # with the flag set it, or an attribute of it, is called
            chain, is_called = None if _SHIFTED and op == _LOAD_GLOBAL and argument & 1 else (name,), not _SHIFTED
        elif op == _LOAD_ATTR and chain is not None:
            is_called = _FLAGGED and bool(argument & 1)
            chain = *chain, code.co_names[argument >> 1 if _FLAGGED else argument]
        else:
            chain = None
    return found


def _is_free(code: "CodeType", argument: int) -> bool:
    """Python 3.11 counts all local variables first, earlier versions the cells alone."""
    cells = [*code.co_varnames, *(n for n in code.co_cellvars if n not in code.co_varnames)] if sys.version_info >= (3, 11) \
        else code.co_cellvars
    return argument >= len(cells)


def matches_classes(code: "CodeType") -> bool:
    """Whether the code itself matches a value with a class (`case Point(0, y):`)."""
    return _MATCH_CLASS is not None and any(op == _MATCH_CLASS for op, _ in _instructions(code.co_code))


def holds_text(code: "CodeType", *texts: str) -> bool:
    """Whether one of these texts is a constant of the code, or stands in a tuple that is one."""
    return _is_among(texts, code.co_consts)


def _is_among(texts: "tuple[str, ...]", constants: "tuple[Any, ...]") -> bool:
    return any(_is_among(texts, each) if type(each) is tuple else type(each) is str and each in texts for each in constants)


def attribute_names(code: "CodeType") -> "set[str]":
    """Every name that the code or code nested in it might look up as an attribute, constants for getattr included."""
    names: set[str] = set()
    for each in nested(code):
        names.update(each.co_names)
        for constant in each.co_consts:
            if type(constant) is str:
                names.add(constant)
                if "." in constant and len(constant) < 200:  # attrgetter("a.b"), "{0.a}".format
                    names.update(_WORD.findall(constant))
            elif type(constant) is tuple:
                names.update(c for c in constant if type(c) is str)
    return names


def read_of_variables(code: "CodeType") -> "set[str]":
    """Names that the code itself, or code nested in it, looks up on a variable: no `b` of `self.a.b`; constants for getattr included."""
    names: set[str] = set()
    for each in nested(code):
        before = None
        for op, argument in _instructions(each.co_code):
            if op in _PADDING:
                continue
            if op in _LOOKS_UP and before in _LOAD_VARIABLE:
                names.add(each.co_names[argument >> 1 if _FLAGGED and op == _LOAD_ATTR else argument])
            before = op
        if not _READERS.isdisjoint(each.co_names):
            names.update(constant for constant in each.co_consts if type(constant) is str)
    return names


def _stored(code: "CodeType") -> "list[tuple[str, str]]":
    found: tuple[CodeType, list[tuple[str, str]]] | None = _stores.get(id(code))
    if found is None:
        found = (code, [])
        for op, argument in _instructions(code.co_code):
            if op in _STORE_ATTRIBUTE:
                found[1].append(("attribute", code.co_names[argument]))
            elif op in _STORE_GLOBAL:
                found[1].append(("global", code.co_names[argument]))
        _stores[id(code)] = found
    return found[1]


def _scan(code: "CodeType", pick: "Callable[[CodeType, int, int], str | None]") -> "tuple[str, ...]":
    found: dict[str, None] = {}
    for each in nested(code):
        for op, argument in _instructions(each.co_code):
            name = pick(each, op, argument)
            if name is not None:
                found[name] = None
    return tuple(found)


def _global_name(code: "CodeType", op: int, argument: int) -> "str | None":
    if op not in _GLOBAL:
        return None
    return code.co_names[argument >> 1 if _SHIFTED and op == _LOAD_GLOBAL else argument]


def _import_name(code: "CodeType", op: int, argument: int) -> "str | None":
    return code.co_names[argument] if op == _IMPORT else None


def _instructions(code: bytes) -> "Iterator[tuple[int, int]]":
    extended = 0
    for at in range(0, len(code), 2):
        op = code[at]
        argument = code[at + 1] | extended
        extended = argument << 8 if op == _EXTENDED else 0
        yield op, argument
