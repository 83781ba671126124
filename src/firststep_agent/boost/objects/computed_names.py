"""Whose attributes code reads by names that stand in no constant: `getattr(self, f"dense_{i}")`, but not `getattr(self, "dense", None)`.

What is looked at is the bytecode. Where ways through the code meet between a function and its call, or anything else makes it hard to tell,
whatever is read counts.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dis import Instruction
    from types import CodeType
    from typing import Any

READERS = frozenset(("getattr", "hasattr", "setattr", "delattr"))  # each with the object first, and then the name
ANYTHING: "tuple[str, ...]" = ()
_GLOBALS = frozenset(("LOAD_GLOBAL", "LOAD_NAME"))
_PUSHES = frozenset(("LOAD_CONST", "LOAD_DEREF", "LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_LOAD_FAST", "PUSH_NULL", *_GLOBALS))
_ON_TOP = "LOAD_", "BINARY_", "BUILD_", "CALL", "KW_NAMES", "FORMAT_"  # work on the top of the stack alone, and leave one value
_CALLS = frozenset(("CALL", "CALL_FUNCTION"))
_NULL_ABOVE = sys.version_info >= (3, 13)  # the empty place that belongs to a call stands above what is called, before that below it
_SILENT = frozenset(("CACHE", "EXTENDED_ARG", "NOP", "PRECALL"))  # the last belongs to the call after it


def readings(code: "CodeType") -> "set[tuple[str, ...]]":
    """What the code itself gives to READERS with a name that is no constant: ("tf", "nn") for `getattr(tf.nn, name)`, where that is a
    global or below one, else ANYTHING."""
    import dis

    instructions = [each for each in dis.get_instructions(code) if each.opname not in _SILENT]
    return {whose for at, each in enumerate(instructions) if each.argval in READERS and each.opcode in dis.hasname
            for whose in [_whose(each, instructions[at + 1:])] if whose is not None}


def _whose(reader: "Instruction", after: "list[Instruction]") -> "tuple[str, ...] | None":
    """What is read of; None where the name is a constant."""
    if reader.opname not in _GLOBALS or reader.is_jump_target:
        return ANYTHING
    if after[0].opname == "PUSH_NULL" and _effect(reader) == 1 and _NULL_ABOVE:
        after = after[1:]
    arguments: list[Any] = []  # what stands on the stack above the reader: a global's name and what leads on, a constant, or None
    for each in after:
        if each.opname in _CALLS and each.arg == len(arguments) > 1:
            whose, name = arguments[:2]
            return None if type(name) is str else whose if type(whose) is tuple else ANYTHING
        if each.is_jump_target or not each.opname.startswith((*_ON_TOP, "PUSH_NULL")):
            return ANYTHING
        effect = _effect(each)
        if each.opname in _PUSHES:
            arguments += [None] * (effect - 1) + [_pushed(each, effect)]
        elif arguments:
            last, left = arguments[-1], len(arguments) + effect
            del arguments[max(0, min(len(arguments), left) - 1):]
            arguments += [None] * (left - len(arguments))
            if each.opname == "LOAD_ATTR" and effect == 0 and type(last) is tuple:
                arguments[-1] = (*last, each.argval)
        if not arguments:
            return ANYTHING
    return ANYTHING


def _effect(each: "Instruction") -> int:
    """By how much the stack grows."""
    import dis

    if each.opname == "CALL" and each.arg is not None:
        return -1 - each.arg  # Python 3.11 counts the arguments for PRECALL
    return dis.stack_effect(each.opcode, each.arg)


def _pushed(each: "Instruction", effect: int) -> "Any":
    if each.opname == "LOAD_CONST":
        return each.argval if type(each.argval) is str else None
    return (each.argval,) if each.opname in _GLOBALS and effect == 1 else None
