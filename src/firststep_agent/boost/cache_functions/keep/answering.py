"""Who answers from an entry and has no verdict yet: a process that is gone without one was killed, and what it answered with has to
be proved before it is used again.

Each answer has a note of its own, for several processes, and several functions of one, may answer from an entry at once.
"""

from firststep_agent.as_found import open, os, time
from firststep_agent.boost.store import ANSWERING
from firststep_agent.clock import now
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry
    from firststep_agent.boost.store import Store


def begin(store: "Store", entry: "FunctionEntry") -> None:
    """This process answers from the entry, as it was found for this answer. A disk that does not take it leaves that unknown."""
    note = f".{os.getpid()}.{now()}{ANSWERING}"
    facts = {**_place(), "pid": os.getpid(), "began": _began(os.getpid()), "at": time.time()}
    if store.keep_beside(entry.key, entry.name, note, facts) is None:
        entry.answering = note


def end(store: "Store", entry: "FunctionEntry") -> None:
    """That answer has its verdict."""
    if entry.answering is not None:
        store.forget_beside(entry.key, entry.name, entry.answering)
        entry.answering = None


def was_left(store: "Store", entry: "FunctionEntry") -> bool:
    """Whether somebody who answered from it is gone without a verdict."""
    return any(_is_left(store, entry, note) for note in store.all_beside(entry.key, entry.name, ANSWERING))


def settle(store: "Store", entry: "FunctionEntry") -> None:
    """A real trace has shown what those who are gone have left open."""
    for note in store.all_beside(entry.key, entry.name, ANSWERING):
        if _is_left(store, entry, note):
            store.forget_beside(entry.key, entry.name, note)


def _is_left(store: "Store", entry: "FunctionEntry", note: str) -> bool:
    facts = store.beside(entry.key, entry.name, note)
    if facts is None:  # damaged; or its process has taken it away meanwhile, and nothing is lost by one real trace more
        return True
    try:
        if {name: facts[name] for name in ("boot", "space")} == _place():
            return _began(facts["pid"]) != facts["began"]  # type: ignore[no-any-return]
        return not 0 <= time.time() - facts["at"] <= entry.header.proof_ended_s  # elsewhere: it may be alive
    except (KeyError, TypeError, ValueError):  # another version's
        return True


def _place() -> "dict[str, str]":
    """Where process numbers mean something."""
    with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
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
