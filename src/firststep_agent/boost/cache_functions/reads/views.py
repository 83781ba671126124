"""Sets that code makes without naming them: `a.keys() & b.keys()`, `a.keys() - done`."""

import dis

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_VIEWS = frozenset(("keys", "items"))
_ASKS = ("LOAD_ATTR", "LOAD_METHOD")
_CALLS = ("CALL", "CALL_METHOD", "CALL_FUNCTION", "PRECALL")
_JOINS = frozenset(f"{how}_{what}" for how in ("BINARY", "INPLACE") for what in ("AND", "OR", "XOR", "SUBTRACT"))
_SIGNS = frozenset("&|^-")


def are_joined(code: "CodeType") -> bool:
    """Whether a view of a dictionary's keys or items is an operand of `&`, `|`, `^` or `-`."""
    if _VIEWS.isdisjoint(code.co_names):
        return False
    found = [one for one in dis.get_instructions(code) if one.opname != "CACHE"]
    return any(one.opname in _ASKS and one.argval in _VIEWS and _is_operand(found, index + 1) for index, one in enumerate(found))


def _is_operand(found: "list[dis.Instruction]", index: int) -> bool:
    """What becomes of the result of the call that follows: `above` is how many values lie on it."""
    if index < len(found) and found[index].opname not in _CALLS:
        return False
    while index < len(found) and found[index].opname in _CALLS:
        if found[index].argval:  # no view of a dictionary's
            return False
        index += 1
    above = 0
    for one in found[index:]:
        if above in (0, 1) and _joins(one):
            return True
        if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs:
            return False
        above += dis.stack_effect(one.opcode, one.arg if one.opcode >= dis.HAVE_ARGUMENT else None, jump=False)
        if above < 0 or one.opname.startswith(("STORE_", "GET_ITER", "RETURN_")):
            return False
    return False


def _joins(one: "dis.Instruction") -> bool:
    return one.opname in _JOINS or one.opname == "BINARY_OP" and one.argrepr.rstrip("=") in _SIGNS
