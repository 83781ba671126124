"""The order of sets: with a hash seed drawn anew in each process, a trace that goes through a set of strings may be another each time.

Two starts may draw the same order and agree by chance, so that confirming cannot find it: such a function is refused by its code.
"""

import dis
import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.refusal import Refused

_NAMES = frozenset(("set", "frozenset", "hash"))
_MAKING = ("BUILD_SET", "SET_ADD", "SET_UPDATE")
_SETS = kinds.numbers((set, frozenset))
_WHOLE = kinds.numbers((int, bool))
_CONTAINERS = kinds.numbers((list, tuple, dict))


def check(user_codes, found):
    """Raises Refused where code of the program's that ran makes sets or hashes, or a set of the program's is reached."""
    if _is_seeded():
        return
    for code in user_codes:
        if not ownership.is_installed(code.co_filename) and _makes_sets(code):
            raise Refused(f"`{code.co_name}` makes a set or a hash while it is traced, and the order of a set may be another in "
                          "each start: a list or a dictionary has one order, and so have sets where PYTHONHASHSEED is set")
    for number, value in enumerate(found.objects):
        if id(type(value)) in _SETS and len(value) > 1 and not all(id(type(each)) in _WHOLE for each in value) and _is_users(found, number):
            raise Refused("it may go through a set, whose order may be another in each start: a list or a dictionary has one order, "
                          "and so have sets where PYTHONHASHSEED is set")


def _is_seeded():
    """Whether the process began with a hash seed of the user's: what the program writes into `os.environ` comes too late."""
    if not sys.flags.hash_randomization:
        return True
    if sys.flags.ignore_environment:
        return False
    try:
        with open("/proc/self/environ", "rb") as file:
            began_with = file.read()
    except OSError:
        return False
    return any(name == b"PYTHONHASHSEED" and value.isdigit()
               for name, _, value in (each.partition(b"=") for each in began_with.split(b"\0")))


def _makes_sets(code):
    return not _NAMES.isdisjoint(code.co_names) or any(one.opname in _MAKING for one in dis.get_instructions(code))


def _is_users(found, number):
    """Whether the program's own code or objects hold it, through containers or at once."""
    while True:
        number, _ = found.parents[number]
        if number < 0:
            return True
        owner = found.objects[number]
        if type(owner) is types.FunctionType:
            return ownership.is_user(owner) and not ownership.is_installed(owner.__code__.co_filename)
        if id(type(owner)) not in _CONTAINERS:
            return ownership.is_programs(kinds.module(type(owner)))
