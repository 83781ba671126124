"""Who answers from an entry and has no verdict yet: a process that is gone without one was killed, and what it answered with has to
be proved before it is used again.
"""

import os
import time

from firststep_agent.boost.store import ANSWERING
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry
    from firststep_agent.boost.store import Store


def begin(store: "Store", entry: "FunctionEntry") -> None:
    """This process answers from the entry. A disk that does not take it leaves that unknown."""
    store.keep_beside(entry.key, entry.name, ANSWERING, {**_place(), "pid": os.getpid(), "began": _began(os.getpid()), "at": time.time()})


def end(store: "Store", entry: "FunctionEntry") -> None:
    """It has its verdict."""
    store.forget_beside(entry.key, entry.name, ANSWERING)


def was_left(store: "Store", entry: "FunctionEntry") -> bool:
    """Whether who answered from it last is gone without a verdict."""
    facts = store.beside(entry.key, entry.name, ANSWERING)
    if facts is None:
        return False
    try:
        if {name: facts[name] for name in ("boot", "space")} == _place():
            return _began(facts["pid"]) != facts["began"]  # type: ignore[no-any-return]
        return not 0 <= time.time() - facts["at"] <= entry.header.proof_bound_s  # elsewhere: it may be alive
    except (KeyError, TypeError, ValueError):  # another version's
        return True


def _place() -> "dict[str, str]":
    """Where process numbers mean something."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return {"boot": file.read().strip(), "space": os.readlink("/proc/self/ns/pid")}


def _began(pid: int) -> "int | None":
    """When the process of this number was started, in ticks since the machine was; None where there is none."""
    try:
        with open(f"/proc/{int(pid)}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except OSError as error:
        if is_theirs(error):
            raise
        return None
