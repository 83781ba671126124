"""Lists, sets and dictionaries that a code object has written down itself, in variables of its own: what it does to them nobody else sees.

In doubt a container counts as another's: where ways through the code meet, nothing is taken for known of what stands before.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from dis import Instruction
    from types import CodeType
    from typing import Any

_DISPLAYS = frozenset(("BUILD_LIST", "BUILD_SET", "BUILD_MAP", "LIST_EXTEND", "SET_UPDATE"))
LOOKS_UP = frozenset(("LOAD_METHOD", "LOAD_ATTR"))
_WITH_ARGUMENTS = 4, 8  # flags of a code object: *args, **kwargs
_SILENT = frozenset(("CACHE", "EXTENDED_ARG"))
_ITEMS = frozenset(("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE"))
ITEMS = "[]"  # stands for the setting of items among the names of methods


def methods_of_own_containers(code: "CodeType") -> "set[str]":
    """Names that the code itself looks up on containers of its own alone; ITEMS where it sets items of such alone."""
    import dis

    theirs = set(code.co_varnames[:_parameters(code)])
    used, elsewhere, stores, jumps = [], set(), [], []
    earlier, before, is_met = None, None, False
    for each in dis.get_instructions(code):
        is_met = is_met or each.is_jump_target
        if each.opname in _SILENT:
            continue
        if each.opcode in dis.hasjrel or each.opcode in dis.hasjabs:
            jumps.append((each.offset, each.argval))
        for number, name in enumerate(stored(each)):
            if is_met or number or before is None or before.opname not in _DISPLAYS:
                stores.append((name, each.offset))
        if each.opcode in dis.hasname:
            variable = loaded(before)
            if is_met or variable is None or each.opname not in LOOKS_UP:
                elsewhere.add(each.argval)
            else:
                used.append((each.argval, variable, each.offset))
        elif each.opname in _ITEMS:
            variable = _container(earlier, before)
            if is_met or variable is None or each.opname != "STORE_SUBSCR":
                elsewhere.add(ITEMS)
            else:
                used.append((ITEMS, variable, each.offset))
        earlier, before, is_met = None if is_met else before, each, False
    for name, variable, at in used:
        if variable in theirs or any(one == variable and _may_come_before(stored, at, jumps) for one, stored in stores):
            elsewhere.add(name)
    return {name for name, _, _ in used} - elsewhere


def _parameters(code: "CodeType") -> int:
    return code.co_argcount + code.co_kwonlyargcount + sum(bool(code.co_flags & flag) for flag in _WITH_ARGUMENTS)


def stored(each: "Instruction") -> "tuple[str, ...]":
    """The variables that an instruction sets, the one that takes the top of the stack first."""
    if not each.opname.startswith("STORE_FAST"):
        return ()
    names = each.argval if type(each.argval) is tuple else (each.argval,)
    return names[:each.opname.count("STORE_FAST")]


def loaded(each: "Instruction | None") -> "Any":
    """The variable that an instruction loads last, None where it loads none."""
    last = "" if each is None else each.opname.rpartition("_FAST")[0].rpartition("_")[2]
    if last != "LOAD" or each.opname.endswith("AND_CLEAR"):
        return None
    return each.argval[-1] if type(each.argval) is tuple else each.argval


def _container(earlier: "Instruction | None", key: "Instruction | None") -> "Any":
    """The variable whose item is set, where the key is a constant or a name; else None."""
    if key is None or not key.opname.startswith(("LOAD_CONST", "LOAD_FAST", "LOAD_GLOBAL")):
        return None
    if type(key.argval) is tuple and key.opname != "LOAD_CONST":
        return key.argval[0] if len(key.argval) == 2 and key.opname == "LOAD_FAST_LOAD_FAST" else None
    return loaded(earlier)


def _may_come_before(stored: int, used: int, jumps: "Iterable[tuple[int, int]]") -> bool:
    """Whether what is stored at one place may be found at the other: by how far jumps lead back from anything that may come after."""
    first = stored
    while (back := min((target for source, target in jumps if source > first), default=first)) < first:
        first = back
    return first < used
