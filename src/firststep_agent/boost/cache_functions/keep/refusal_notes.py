"""What is known not to be kept: a function that was refused is not watched again at each start.

Watching a trace makes it up to half as long again. Beside the entries of a first-level key lies a note for each command
line: why the function was refused, or how often in a row it was learned and did not hold. It counts for a day, and as
long as none of the user's source files that were loaded has changed; so it can be wrong only in that a function is
traced plainly which could be kept by now.
"""

import sys

from firststep_agent.as_found import time
from firststep_agent.boost.cache_functions.reads import sources
from firststep_agent.boost.program import folder
from firststep_agent.boost.store import REFUSALS_LAST_S, REFUSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.store import Store

IN_VAIN = 5  # runs in a row that learned a function anew, without one that found it


class Refusals:
    """The notes in a Store, for one process: read before it writes any, written when it ends."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._main = getattr(sys.modules.get("__main__"), "__file__", None)  # Python takes it away when the program's last line has run
        self._command: str | None = None
        self._read: dict[str, dict[str, Any] | None] = {}
        self._refused: dict[str, str] = {}  # first-level key -> reason
        self._kept: set[str] = set()  # first-level keys of which something was learned or holds
        self._missed: dict[str, str] = {}  # first-level key -> what differed
        self._taken_back: set[str] = set()  # first-level keys whose notes are written

    def reason(self, primary: str) -> "str | None":
        """Why a function of this key is not to be learned, or None."""
        note = self._note(primary)
        if note is None:
            return None
        if note["missed"] >= IN_VAIN:
            return f"it was learned in {note['missed']} runs and held in none: {note['reason']}"
        return None if note["missed"] else note["reason"]

    def is_about_misses(self, primary: str) -> bool:
        """Whether what `reason` says is that it was learned in vain: an entry may hold all the same."""
        return bool((self._note(primary) or {}).get("missed"))

    def refuse(self, primary: str, reason: str) -> None:
        self._refused.setdefault(primary, reason)

    def holds(self, primary: str) -> None:
        """An entry of this key does."""
        self._kept.add(primary)
        self._missed.pop(primary, None)

    def learned(self, primary: str, missed: "str | None") -> None:
        """missed: what differed in the entries that were there, or None."""
        if missed is not None and primary not in self._kept:
            self._missed.setdefault(primary, missed)
        self._kept.add(primary)

    def take_back(self, primary: str, reason: str) -> None:
        """What was learned or answered turned out not to hold, and whatever is learned of this key would hold no better."""
        self._taken_back.add(primary)
        self._write(primary, reason, 0)

    def write(self) -> None:
        """Keeps what this process has found."""
        for primary, reason in self._refused.items():
            if primary not in self._kept | self._taken_back and self._note(primary) is None:
                self._write(primary, reason, 0)
        for primary in self._kept - self._taken_back:
            missed = self._missed.get(primary)
            if missed is not None:
                self._write(primary, missed, 1 + ((self._note(primary) or {}).get("missed", 0)))
            elif self._note(primary) is not None:
                self._store.forget_beside(primary, self._name(), REFUSED)

    def _note(self, primary: str) -> "dict[str, Any] | None":
        if primary not in self._read:
            self._read[primary] = self._load(primary)
        return self._read[primary]

    def _load(self, primary: str) -> "dict[str, Any] | None":
        note = self._store.beside(primary, self._name(), REFUSED)
        try:
            if note is None or not 0 <= time.time() - note["at"] <= REFUSALS_LAST_S:
                return None
            return note if all(sources.stamp(name) == stamp for name, stamp in note["files"]) else None
        except (ValueError, KeyError, TypeError):
            return None

    def _write(self, primary: str, reason: str, missed: int) -> None:
        self._store.keep_beside(primary, self._name(), REFUSED, {
            "reason": reason, "missed": missed, "at": time.time(),
            "files": [[name, sources.stamp(name)] for name in sources.files(self._main)]})

    def _name(self) -> str:
        """One per command line."""
        if self._command is None:
            import hashlib

            words = "\0".join([*sys.argv, folder() or ""])
            self._command = hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return self._command
