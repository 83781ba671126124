"""Entries on disk: one file per function, written by temp-then-rename, checksummed, private, JSON and protobuf bytes only.

A file is: magic, length of the header (8 bytes, little-endian), header (JSON), the named blobs one after the other in
the header's order, SHA-256 of everything before it. Anything that does not fit is no entry. Files of one first-level
key (`dependencies.identity`) share a folder; a function that changes leaves its old entries there until they are
collected. A file `<entry>.bad` beside an entry says that it once disagreed: it is never used again. A file
`<entry>.trust` says what its proofs have shown (`Trust`).
"""

import hashlib
import os
import stat
from dataclasses import asdict, dataclass, field

from firststep_agent.writing import write_all

MAGIC = b"FIRSTSTEP-FUNCTION-4\n"
SUFFIX = ".entry"
TRUST = ".trust"
_TIMES = ("trace_ns", "first_call_ns")
PER_KEY = 16  # entries of one first-level key that are kept, the newest
WHOLE = 1 << 30  # bytes of all entries together; the least recently used go first


class Entry:
    """One stored function: `header` (dict) and `blobs` (name -> bytes)."""

    def __init__(self, header, blobs, path=None):
        self.header = header
        self.blobs = blobs
        self.path = path


@dataclass
class Trust:
    """What the proofs of an entry have shown. confirmed: whether a start after the learning one traced it for real and found
    everything equal; proved: how many answers were; last: when, seconds since 1970; unproved: proofs in a row without a verdict;
    varies: parts of the program's state that were another in a start that confirmed it; rejected: states in which a trace
    gave something else.
    """

    confirmed: bool = False
    proved: int = 0
    last: float = 0.0
    unproved: int = 0
    varies: list = field(default_factory=list)
    rejected: list = field(default_factory=list)

    @classmethod
    def read(cls, path):
        import json

        try:
            return cls(**json.loads(_read_own(path)))
        except (OSError, ValueError, TypeError):
            return cls()

    def encode(self):
        import json

        return json.dumps(asdict(self), separators=(",", ":")).encode()


class Store:
    """The entries below one private folder."""

    def __init__(self, root):
        self._root = root

    def candidates(self, primary):
        """Entries of this first-level key that can be read and were never found wrong, newest first."""
        folder = os.path.join(self._root, primary)
        try:
            names = os.listdir(folder)
        except OSError:
            return
        paths = [os.path.join(folder, n) for n in names if n.endswith(SUFFIX) and n[: -len(SUFFIX)] + ".bad" not in names]
        for path in sorted(paths, key=_modified, reverse=True):
            entry = read(path)
            if entry is not None and entry.header.get("key") == primary:
                yield entry

    def write(self, primary, entry):
        """Keeps the entry; its path. Raises OSError where the disk does not take it."""
        folder = os.path.join(self._root, primary)
        entry.header["key"] = primary
        content = Entry({k: v for k, v in entry.header.items() if k not in _TIMES},
                        {k: v for k, v in entry.blobs.items() if k != "origins"})
        path = os.path.join(folder, hashlib.sha256(_encode(content)).hexdigest()[:32] + SUFFIX)  # learned twice: one file
        write_whole(path, _encode(entry))
        self._collect_key(folder)
        return path

    def use(self, entry):
        """Marks an entry as used now, for the collection."""
        try:
            os.utime(entry.path)
        except OSError:
            pass

    def trust(self, entry):
        """What is known of an entry's proofs; an empty Trust where nothing is."""
        return Trust.read(_beside(entry.path, TRUST))

    def set_trust(self, entry, trust):
        """Keeps it. A disk that does not take it leaves the entry as trusted as it was."""
        try:
            write_whole(_beside(entry.path, TRUST), trust.encode())
        except OSError:
            pass

    def quarantine(self, entry):
        """Never uses this entry again."""
        with open(_beside(entry.path, ".bad"), "wb", opener=_private):
            pass

    def _collect_key(self, folder):
        paths = [os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(SUFFIX)]
        for path in sorted(paths, key=_modified, reverse=True)[PER_KEY:]:
            _remove_entry(path)

    def collect(self):
        """Removes the least recently used entries beyond the size limit, and what killed writers left."""
        entries = []
        for folder, _, names in os.walk(self._root):  # XLA's programs are not entries and have other names
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".tmp"):
                    if not _alive(name):
                        remove(path)
                elif name.endswith(SUFFIX):
                    entries.append((_modified(path), os.path.getsize(path), path))
        kept = 0
        for _, size, path in sorted(entries, reverse=True):
            kept += size
            if kept > WHOLE:
                _remove_entry(path)


def read(path):
    """The entry in a file, or None where it is not whole."""
    import json

    try:
        data = _read_own(path)
    except OSError:
        return None
    body = memoryview(data)[:-32]
    start = len(MAGIC)
    if data[:start] != MAGIC or len(data) < start + 40 or hashlib.sha256(body).digest() != data[-32:]:
        return None
    size = int.from_bytes(data[start:start + 8], "little")
    position = start + 8 + size
    header = json.loads(bytes(data[start + 8:position]))
    blobs = {}
    for name, length in header.pop("blobs"):
        blobs[name] = bytes(body[position:position + length])
        position += length
    return Entry(header, blobs, path)


def _read_own(path):
    """The content of a regular file of this user's. Raises OSError; never waits for a pipe or a device."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(file, "rb") as opened:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_size > WHOLE:
            raise OSError(f"{path} is no entry")
        return opened.read()


def _encode(entry):
    import json

    header = dict(entry.header, blobs=[[name, len(blob)] for name, blob in entry.blobs.items()])
    encoded = json.dumps(header, separators=(",", ":")).encode()
    body = b"".join([MAGIC, len(encoded).to_bytes(8, "little"), encoded, *entry.blobs.values()])
    return body + hashlib.sha256(body).digest()


def _private(path, flags):
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def _beside(path, suffix):
    return path[: -len(SUFFIX)] + suffix


def _remove_entry(path):
    remove(path)
    remove(_beside(path, TRUST))


def _modified(path):
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _alive(temporary_name):
    try:
        os.kill(int(temporary_name.split(".")[-2]), 0)
    except (ValueError, ProcessLookupError, IndexError):
        return False
    except OSError:
        return True
    return True


def make_private(folder):
    """Makes a folder and those above it that are missing, all of them for this user alone. Raises OSError."""
    if not os.path.isdir(folder):
        make_private(os.path.dirname(folder))
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            pass  # another process was faster


def write_whole(path, data):
    """Writes a private file that is there whole or not at all. Raises OSError."""
    make_private(os.path.dirname(path))
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb", buffering=0, opener=_private) as file:
            write_all(file.fileno(), memoryview(data))
        os.replace(temporary, path)
    except BaseException:
        remove(temporary)
        raise


def remove(path):
    """Removes a file; one that is not there is no error."""
    try:
        os.unlink(path)
    except OSError:
        pass
