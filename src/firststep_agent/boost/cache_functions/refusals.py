"""What is known not to be kept: a function that was refused is not watched again at each start.

Watching a trace makes it up to half as long again. Beside the entries of a first-level key lies a note for each command
line: why the function was refused, or how often in a row it was learned and did not hold. It counts for a day, and as
long as none of the user's source files that were loaded has changed; so it can be wrong only in that a function is
traced plainly which could be kept by now.
"""

import os
import sys
import time

from firststep_agent.boost.cache_functions import store

SUFFIX = ".refused"
LIFETIME_S = 24 * 3600
IN_VAIN = 5  # runs in a row that learned a function anew, without one that found it


class Refusals:
    """The notes below one folder, for one process: read before it writes any, written when it ends."""

    def __init__(self, root):
        self._root = root
        self._name = None
        self._read = {}
        self._refused = {}  # first-level key -> reason
        self._kept = {}  # first-level key -> how many functions of it were learned or answered
        self._missed = {}  # first-level key -> what differed

    def reason(self, primary):
        """Why a function of this key is not to be learned, or None."""
        note = self._note(primary)
        if note is None:
            return None
        if note["missed"] >= IN_VAIN:
            return f"it was learned in {note['missed']} runs and held in none: {note['reason']}"
        return None if note["missed"] else note["reason"]

    def is_about_misses(self, primary):
        """Whether what `reason` says is that it was learned in vain: an entry may hold all the same."""
        return bool((self._note(primary) or {}).get("missed"))

    def refuse(self, primary, reason):
        self._refused.setdefault(primary, reason)

    def answered(self, primary):
        self._kept[primary] = self._kept.get(primary, 0) + 1
        self._missed.pop(primary, None)

    def learned(self, primary, missed):
        """missed: what differed in the entries that were there, or None."""
        if missed is not None and primary not in self._kept:
            self._missed.setdefault(primary, missed)
        self._kept[primary] = self._kept.get(primary, 0) + 1

    def take_back(self, primary, reason):
        """What was learned turned out not to be kept."""
        self._kept[primary] -= 1
        self.refuse(primary, reason)

    def write(self):
        """Keeps what this process has found."""
        for primary, reason in self._refused.items():
            if not self._kept.get(primary) and self._note(primary) is None:
                self._write(primary, reason, 0)
        for primary, count in self._kept.items():
            if not count:
                continue
            missed = self._missed.get(primary)
            if missed is not None:
                self._write(primary, missed, 1 + ((self._note(primary) or {}).get("missed", 0)))
            elif self._note(primary) is not None:
                store.remove(self._path(primary))

    def _note(self, primary):
        if primary not in self._read:
            self._read[primary] = self._load(primary)
        return self._read[primary]

    def _load(self, primary):
        import json

        path = self._path(primary)
        try:
            if time.time() - os.stat(path).st_mtime > LIFETIME_S:
                return None
            with open(path, encoding="utf-8", errors="replace") as file:
                note = json.load(file)
            return note if all(_stamp(name) == stamp for name, stamp in note["files"]) else None
        except (OSError, ValueError, KeyError):
            return None

    def _write(self, primary, reason, missed):
        import json

        note = {"reason": reason, "missed": missed, "files": [[name, _stamp(name)] for name in _sources()]}
        self._remove_old()
        store.write_whole(self._path(primary), json.dumps(note, separators=(",", ":")).encode())

    def _remove_old(self):
        for folder, _, names in os.walk(self._root):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(SUFFIX) and time.time() - os.stat(path).st_mtime > LIFETIME_S:
                    store.remove(path)

    def _path(self, primary):
        if self._name is None:
            import hashlib

            words = "\0".join([*sys.argv, os.getcwd()])
            self._name = hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:16] + SUFFIX
        return os.path.join(self._root, primary, self._name)


def _sources():
    """Files of the modules that are loaded and are neither a framework's nor the standard library's."""
    from firststep_agent.boost.cache_functions.dependencies import packages

    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return sorted(f for f in files if isinstance(f, str) and packages.owner(f) == packages.USER)


def _stamp(path):
    try:
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_mtime_ns, found.st_size]
