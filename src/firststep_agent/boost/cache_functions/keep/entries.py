"""Entries of functions in the store: a header, the graph, and where its nodes came from.

The body of an entry (`boost/store.py`) is the header (JSON) and the named blobs one after the other; its meta says how long each of
them is, and whose entry it is. JSON and protobuf bytes only. Entries of one first-level key (`key.identity`) share a folder; a
function that changes leaves its old entries there until they are pruned. Beside an entry lies what its proofs have shown (`Trust`).
"""

import hashlib
from dataclasses import asdict, dataclass, field

from firststep_agent.as_found import time
from firststep_agent.boost.cache_functions import ID
from firststep_agent.boost.cache_functions.keep import answering
from firststep_agent.boost.cache_functions.keep.header import VARY, Header, NotAHeader
from firststep_agent.boost.cache_functions.key.ingredients import FORMAT
from firststep_agent.boost.program import description
from firststep_agent.boost.store import NEWEST, TRUST, Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import Any

    from firststep_agent.boost.cache_functions.key.ingredients import Key
    from firststep_agent.boost.store import Entry

PER_KEY = NEWEST
WHOLE = 1 << 30  # bytes of all entries together; the least recently used go first


class EntryPlace:
    """Where an entry lies: all that it takes to take it back."""

    def __init__(self, key: str, name: str) -> None:
        self.key, self.name = key, name


class FunctionEntry:
    """One stored function: `header` (a Header) and `blobs` (name -> bytes). key, name: where it lies, once it does;
    program: that learned it; answering: the note that this process answers from it, while there is one; proof_ns: what its last proof
    took, as its Trust has it."""

    def __init__(self, header: "Header", blobs: "dict[str, bytes]", key: "Any" = None, name: "Any" = None, program: str = "") -> None:
        self.header = header
        self.blobs = blobs
        self.key = key
        self.name = name
        self.program = program
        self.answering: str | None = None
        self.proof_ns = 0

    @property
    def place(self) -> "EntryPlace":
        """Where it lies; keeps nothing else of it."""
        return EntryPlace(self.key, self.name)


@dataclass
class Trust:
    """What the proofs of an entry have shown. confirmed: whether a start after the learning one traced it for real and found
    everything equal; proved: how many answers were; last: when, seconds since 1970; unproved: proofs in a row without a verdict;
    varies: parts of the program's state that were another in a start that confirmed it; doubted: lists of the parts that were
    another in starts in which a trace gave something else; trace_ns: what a trace took that nobody watched, 0 where none was made;
    proof_ns: processor time that its last proof took, 0 where there was none.
    """

    confirmed: bool = False
    proved: int = 0
    last: float = 0.0
    unproved: int = 0
    varies: "list[str]" = field(default_factory=list)
    doubted: "list[list[str]]" = field(default_factory=list)
    trace_ns: int = 0
    proof_ns: int = 0

    def holds(self, differs: "Collection[str]") -> bool:
        """Whether it may answer where these parts of the program's state are another."""
        return self.confirmed and set(differs).issubset(self.varies) and not self.doubts(differs)

    def doubts(self, differs: "Collection[str]") -> bool:
        """Whether a trace gave something else although no further part differed: what decided there is none of them, whatever another
        trace has shown. Their names tell, not their values: one that is another in each start (a time) would hide the others' return."""
        return any(set(differs).issuperset(each) for each in self.doubted)

    def doubt(self, differs: "Collection[str]") -> None:
        """Notes that a trace gave something else where these parts were another."""
        self.doubted = [*(each for each in self.doubted if not set(each).issuperset(differs)), list(differs)][-64:]


class Functions:
    """The function cache's part of the cache directory at `path`. Raises store.Unsafe."""

    def __init__(self, path: str) -> None:
        self.store = Store(path, ID)
        self._path = path
        self._written: set[tuple[str, str]] = set()  # (key, name) of what this process has written

    def candidates(self, primary: str) -> "Iterator[FunctionEntry]":
        """Entries of this first-level key that can be read and were never found wrong, the last used first."""
        for found in self.store.candidates(primary):
            entry = decoded(found)
            found.close()
            if entry is not None:
                yield entry

    def write(self, key: "Key", entry: "FunctionEntry", missed: "str | None" = None) -> None:
        """Keeps the entry below its Key, and knows then where it lies. missed: why other entries of that key did not hold. Raises OSError
        where the disk does not take it."""
        described, body = _encoded(entry)
        described.update(ingredients=key.ingredients, missed=missed, learned=time.time())
        name = _digest_of_content(entry)  # learned twice: one file
        refused = self.store.add(key.hex, name, {**description(), **described}, body)
        if refused:
            raise OSError(refused)
        entry.key, entry.name = key.hex, name
        self._written.add((key.hex, name))

    def was_there(self, entry: "FunctionEntry") -> bool:
        """Whether an earlier start has written it."""
        return (entry.key, entry.name) not in self._written

    def described(self) -> "Iterator[dict[str, Any]]":
        """The meta of every entry, for words alone: no checksum is looked at."""
        from firststep_agent.boost import upkeep
        from firststep_agent.boost.folders import root

        for found in upkeep.files(root(self._path), [ID]):
            if found.is_entry:
                meta = found.meta()
                if meta.get("format") == FORMAT:
                    yield meta

    def use(self, entry: "FunctionEntry") -> None:
        """Marks an entry as used now, for the pruning."""
        self.store.touch(entry.key, entry.name)

    def answers(self, entry: "FunctionEntry") -> None:
        """This process answers from the entry, and has no verdict yet. Counts as a use."""
        answering.begin(self.store, entry)
        self.use(entry)

    def has_verdict(self, entry: "FunctionEntry") -> None:
        """What was answered from it has been proved, or will be before it answers again."""
        answering.end(self.store, entry)

    def is_shown(self, entry: "FunctionEntry") -> None:
        """A trace of this process was what the entry gives: starts that were killed before their verdict have left nothing open."""
        answering.settle(self.store, entry)

    def was_left(self, entry: "FunctionEntry") -> bool:
        """Whether a start that answered from it was killed before its verdict."""
        return answering.was_left(self.store, entry)

    def trust(self, entry: "FunctionEntry") -> "Trust":
        """What is known of an entry's proofs; an empty Trust where nothing is."""
        try:
            return Trust(**(self.store.beside(entry.key, entry.name, TRUST) or {}))
        except TypeError:  # another version's
            return Trust()

    def change_trust(self, entry: "FunctionEntry", change: "Callable[[Trust], None]") -> "str | None":
        """change(trust) sets what was found out now, and that is kept; what other processes find out at the same time is kept as well.
        In words why the disk does not take it, or None: that leaves the entry as trusted as it was."""
        with self.store.turn():
            trust = self.trust(entry)
            change(trust)
            return self.store.keep_beside(entry.key, entry.name, TRUST, asdict(trust))

    def quarantine(self, entry: "Any") -> None:
        """Never uses this entry again. Raises OSError."""
        self.store.quarantine(entry)

    def prune(self) -> None:
        """Removes the least recently used entries beyond the size limit, and what killed writers left."""
        from firststep_agent.boost import upkeep
        from firststep_agent.boost.folders import root

        upkeep.prune(root(self._path), [ID], WHOLE)


def parts_of(found: "Entry") -> "dict[str, bytes]":
    """name -> bytes, in their order: the body of an entry of the store whose meta names its parts."""
    at, parts = 0, {}
    for name, size in found.meta["parts"]:
        parts[name] = found.body[at:at + size]
        at += size
    return parts


def decoded(found: "Entry") -> "FunctionEntry | None":
    """The FunctionEntry in an entry of the store; None where it is of another format."""
    if found.meta.get("format") != FORMAT:
        return None
    parts = parts_of(found)
    try:
        header = Header.decoded(parts.pop("header"))
    except NotAHeader:
        return None
    return FunctionEntry(header, parts, found.key, found.name, found.meta.get("program", ""))


def _encoded(entry: "FunctionEntry") -> "tuple[dict[str, Any], bytes]":
    """(what its meta says of the body, the body)"""
    parts = {"header": entry.header.encoded(), **entry.blobs}
    return ({"format": FORMAT, "function": entry.header.function, "parts": [[name, len(part)] for name, part in parts.items()]},
            b"".join(parts.values()))


def _digest_of_content(entry: "FunctionEntry") -> str:
    hashed = hashlib.sha256(entry.header.encoded(without=VARY))
    for name, blob in entry.blobs.items():
        if name not in ("origins", "stacks"):
            hashed.update(f"{name} {len(blob)} ".encode() + blob)
    return hashed.hexdigest()[:32]
