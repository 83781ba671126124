"""Where a remedy keeps what it learned: one checked file per entry, below the cache directory (`folders`).

An entry is a header, a `meta` (JSON), a `body` (bytes, covered with the meta by a SHA-256) and a `tail` (bytes that are
read in pieces, each of which carries its own checksum in the body). The meta names the entry's kind and key, so that a
file that was moved or swapped is not taken for another. Layout: docs/cache-format.md.

What a remedy looks up by key alone: `write` and `read`. Where several entries may hold for one key: `add` and
`candidates`, with `use`, `quarantine` and a bound on their number. What is found out about them later lies beside them, checked
in the same way: `keep_beside` and `beside`. An entry that is damaged is removed and counts as
absent; what is not a regular file of this user's is left alone and counts as absent; a disk that is full or read-only
keeps nothing.
"""

import stat
from _struct import Struct
from binascii import crc32

from firststep_agent.as_found import os
from firststep_agent.boost.folders import MARK, Unsafe, mark_again, open_folder, root
from firststep_agent.boost.turns import Turn
from firststep_agent.clock import now
from firststep_agent.descriptors import open_own
from firststep_agent.plain_json import dumps, loads
from firststep_agent.signals import is_theirs
from firststep_agent.writing import write_all

try:
    from _blake2 import blake2b  # Python's own: importing OpenSSL's digests takes as long as some starts gain by them
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    from firststep_agent.descriptors import Own

    Found = TypeVar("Found")

MAGIC = b"firststep-entry\n"
SCHEMA = 3
HEADER = Struct("<16sIIQQI")  # magic, schema, bytes of meta, of body, of tail, CRC-32 of the tail
DIGEST_SIZE = 32
DIGITS, DIGITS_OF = 32, frozenset("0123456789abcdef")  # of keys and names
SUFFIX, USES, BAD = ".entry", ".uses", ".bad"
TRUST, REFUSED = ".trust", ".refused"  # the function cache's: what proofs have shown of an entry, why there is none
ANSWERING = ".answering"  # and who answers from one without a verdict yet
REFUSALS_LAST_S = 24 * 3600.0  # that such a reason counts
BLOCK = 1 << 20  # bytes that are read at once where pieces follow one another
LARGEST = 1 << 29  # bytes of meta and body together, which are read at once
NEWEST = 16  # entries of one key that are kept

__all__ = ["Damaged", "Entry", "Store", "Unsafe", "store_for"]


class Damaged(Exception):
    """The file is not a whole entry of this schema. ours: whether it carries our mark all the same."""

    def __init__(self, why: str, ours: bool = True) -> None:
        super().__init__(why)
        self.ours = ours


class Entry:
    """An entry that was found whole. piece() reads from the tail; close() when no more pieces are wanted.

    name: which of its key's entries, None where a key has but one.
    """

    def __init__(self, file: "Own", meta: "dict[str, Any]", body: bytes, tail_at: int, tail_checksum: int) -> None:
        self.meta = meta
        self.body = body
        self.key: Any = meta.get("key")
        self.name: Any = meta.get("name")
        self._file = file
        self._tail_at = tail_at
        self._tail_checksum = tail_checksum

    def piece(self, offset: int, size: int, checksum: int) -> "bytes | None":
        """Bytes of the tail, or None where they are not what was written."""
        data = os.pread(self._file.unchecked(), size, self._tail_at + offset)
        return data if len(data) == size and crc32(data) == checksum else None

    def in_order(self) -> "Callable[[int, int, int], bytes | memoryview | None]":
        """A piece() for pieces that follow one another: read in blocks. What it returns holds until it is called again.
        """
        block, begins = memoryview(b""), 0

        def piece(offset, size, checksum):
            nonlocal block, begins
            if size > BLOCK:
                return self.piece(offset, size, checksum)
            if offset < begins or offset + size > begins + len(block):
                begins, block = offset, memoryview(os.pread(self._file.unchecked(), BLOCK, self._tail_at + offset))
            data = block[offset - begins:offset - begins + size]
            return data if len(data) == size and crc32(data) == checksum else None

        return piece

    def tail_is_whole(self) -> bool:
        """Reads the whole tail and compares its checksum with the header's."""
        checksum, position = 0, self._tail_at
        while data := os.pread(self._file.unchecked(), BLOCK, position):
            checksum = crc32(data, checksum)
            position += len(data)
        return checksum == self._tail_checksum

    def close(self) -> None:
        self._file.close()


class Store:
    """The entries of one kind, in the folder of a remedy. Raises Unsafe where the cache directory is not ours alone.

    Keys and names are of 32 hexadecimal digits. kind: which of the remedy's kinds of entries; an entry of another kind
    counts as absent.
    """

    def __init__(self, path: str, remedy: str, kind: str = "entry") -> None:
        self.remedy = remedy
        self._kind = f"{remedy} {kind}"
        self._root = root(path)
        try:
            with self._root.open() as at:
                self._folder_below(at, make=True).close()
                mark_again(at.number())
        except OSError as error:
            if is_theirs(error):
                raise
            raise Unsafe(f"the cache directory {os.path.join(path, remedy)} cannot be used: {_words(error)}") from None

    # --- one entry to a key ----------------------------------------------------------------------------------

    def read(self, key: str) -> "Entry | None":
        """The key's entry, or None. Counts as a use."""
        entry = self._in_folder(None, lambda folder: self._read(folder, key + SUFFIX, key, None))
        if entry is not None:
            _touch(entry)
        return entry

    def write(self, key: str, meta: "dict[str, Any]", body: bytes, tail: "Sequence[bytes | memoryview]" = ()) -> "str | None":
        """Keeps the key's entry. Returns None, or in words why it could not be kept. tail: pieces of bytes, in order."""
        return self._keep(None, key, SUFFIX, {**meta, "kind": self._kind, "key": key}, body, tail)

    # --- several entries to a key ----------------------------------------------------------------------------

    def candidates(self, key: str) -> "Iterator[Entry]":
        """The key's entries that are whole and were never quarantined, the last used first, each closed by the caller."""
        for name in self._in_folder(key, _names) or ():
            entry = self._in_folder(key, lambda folder, name=name: self._read(folder, name + SUFFIX, key, name))
            if entry is not None:
                yield entry

    def add(self, key: str, name: str, meta: "dict[str, Any]", body: bytes, tail: "Sequence[bytes | memoryview]" = ()) -> "str | None":
        """Keeps one of the key's entries, the newest NEWEST of them. name: a digest of what it holds, so that what is
        learned twice is one file. Returns None, or in words why it could not be kept.
        """
        meta = {**meta, "kind": self._kind, "key": key, "name": name}
        return self._keep(key, name, SUFFIX, meta, body, tail) or self._limit(key)  # type: ignore[func-returns-value]

    def touch(self, key: str, name: str) -> None:
        """One of a key's entries was used now: what pruning goes by."""
        self._in_folder(key, lambda folder: _used_now(name + SUFFIX, folder))

    def beside(self, key: str, name: str, suffix: str) -> "dict[str, Any] | None":
        """What lies beside a key's entries under this name, a dict; None where that is nothing whole."""
        entry = self._in_folder(key, lambda folder: self._read(folder, name + suffix, key, name, suffix))
        if entry is None:
            return None
        entry.close()
        return entry.meta["facts"]  # type: ignore[no-any-return]

    def keep_beside(self, key: str, name: str, suffix: str, facts: "dict[str, Any]") -> "str | None":
        """Keeps a dict of plain values beside a key's entries. Returns None, or in words why it could not be kept."""
        meta = {"kind": self._kind + suffix, "key": key, "name": name, "facts": facts}
        return self._keep(key, name, suffix, meta, b"", ())

    def forget_beside(self, key: str, name: str, suffix: str) -> None:
        """Removes it; where there is nothing, that is no error."""
        self._in_folder(key, lambda folder: _remove(folder, name + suffix))

    def all_beside(self, key: str, name: str, suffix: str) -> "list[str]":
        """The suffixes of what lies beside under this name and ends so: `.<numbers><suffix>`, one for each process that keeps its own."""
        return self._in_folder(key, lambda folder: _suffixes(folder, name, suffix)) or []

    def turn(self) -> "Turn":
        """Who reads what is kept, and writes it changed, does so within this."""
        return Turn(self._marked)

    def use(self, entry: "Entry") -> "int | None":
        """Counts a use of one of a key's entries. Returns how many there were, None where that cannot be written."""
        try:
            _touch(entry)
            with self._beside(entry, USES, os.O_APPEND) as file:
                write_all(file.number(), b".")
                return os.fstat(file.number()).st_size
        except (OSError, Unsafe) as error:
            if is_theirs(error):
                raise
            return None

    def quarantine(self, entry: "Entry") -> None:
        """Never gives out this entry again, nor one of its name. Raises OSError where the disk does not take that."""
        try:
            with self._folder(entry.key) as folder:
                _mark_bad(folder.number(), entry.name)
        except FileNotFoundError:
            pass  # somebody has removed it
        except Unsafe as error:
            raise OSError(str(error)) from None

    def discard(self, key: str, name: "str | None" = None) -> None:
        """Removes an entry; one that is not there is no error."""
        self._in_folder(None if name is None else key, lambda folder: _remove_entry(folder, name or key))

    # ---------------------------------------------------------------------------------------------------------

    def _folder(self, inside: "str | None" = None) -> "Own":
        """An Own of the remedy's folder, or of a key's in it. Raises OSError or Unsafe."""
        with self._root.open() as at:
            return self._folder_below(at, inside)

    def _folder_below(self, at: "Own", inside: "str | None" = None, make: bool = False) -> "Own":
        folder = open_folder(self.remedy, at.number(), make)
        if inside is None:
            return folder
        with folder:
            return open_folder(inside, folder.number(), make)

    def _marked(self) -> "Own":
        """An Own of the cache's mark. Raises OSError."""
        try:
            with self._root.open() as at:
                return open_regular(MARK, os.O_RDWR, at.number())
        except Unsafe as error:
            raise OSError(str(error)) from None

    def _in_folder(self, inside: "str | None", do: "Callable[..., Found]") -> "Found | None":
        """do(descriptor of the folder); None where there is no such folder, or none of ours."""
        try:
            opened = self._folder(inside)
        except (OSError, Unsafe) as error:
            if is_theirs(error):
                raise
            return None
        with opened as folder:
            return do(folder.number())

    def _read(self, folder: int, file_name: str, key: str, name: "str | None", beside: str = "") -> "Entry | None":
        try:
            file = open_regular(file_name, os.O_RDONLY, folder)
        except OSError as error:
            if is_theirs(error):
                raise
            return None
        try:
            entry = read_entry(file)
        except (Damaged, OSError, ValueError, MemoryError) as error:
            file.close()
            if is_theirs(error):
                raise
            if isinstance(error, Damaged) and error.ours:
                _remove(folder, file_name)
            return None
        if (entry.meta.get("kind"), entry.key, entry.name) != (self._kind + beside, key, name):
            entry.close()
            return None
        return entry

    def _keep(self, inside: "str | None", name: str, suffix: str, meta: "dict[str, Any]", body: bytes,
              tail: "Sequence[bytes | memoryview]") -> "str | None":
        try:
            with self._root.open() as at:
                with self._folder_below(at, inside, make=True) as folder:
                    _write(folder.number(), name, suffix, meta, body, tail)
                mark_again(at.number())
        except (OSError, Unsafe) as error:
            if is_theirs(error):
                raise
            return _words(error)
        return None

    def _limit(self, key: str) -> None:
        self._in_folder(key, lambda folder: [_remove_entry(folder, name) for name in _names(folder)[NEWEST:]])  # type: ignore[func-returns-value]

    def _beside(self, entry: "Entry", suffix: str, flags: int = 0) -> "Own":
        with self._folder(entry.key) as folder:
            return open_regular(entry.name + suffix, os.O_WRONLY | os.O_CREAT | flags, folder.number())


def store_for(run: "Any", remedy: str) -> "Store | None":
    """The remedy's Store, or None where the cache cannot be used, which is noted."""
    try:
        return Store(run.cache, remedy)
    except Unsafe as error:
        run.note(remedy, "refused", reason=str(error))
        return None


def open_regular(name: str, flags: int, at: "int | None" = None) -> "Own":
    """An Own of a regular file of this user's that others cannot write. Waits for nobody, follows no link. Raises OSError."""
    file = open_own(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, 0o600, at)
    found = os.fstat(file.number())
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        file.close()
        raise PermissionError("not a regular file of this user's own")
    return file


def write_entry(file: "Own", meta: "Any", body: bytes, tail: "Sequence[bytes | memoryview]") -> None:
    """Writes a whole entry to an open file. Raises OSError."""
    meta = dumps(meta).encode("ascii")
    if len(meta) + len(body) > LARGEST:
        raise OSError(f"it is larger than {LARGEST >> 20} MiB")
    checksum = size = 0
    for piece in tail:
        checksum = crc32(piece, checksum)
        size += len(piece)
    head = HEADER.pack(MAGIC, SCHEMA, len(meta), len(body), size, checksum)
    write_all(file.number(), memoryview(head + digest(head, meta, body) + meta + body))
    for start in range(0, len(tail), 512):
        write_all(file.number(), memoryview(b"".join(tail[start:start + 512])))


def _write(folder: int, name: str, suffix: str, meta: "dict[str, Any]", body: bytes, tail: "Sequence[bytes | memoryview]") -> None:
    """Writes an entry to a temporary file, and renames that. Raises OSError."""
    temporary = f".{name}.{os.getpid()}.{now()}.tmp"
    try:
        with open_own(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, at=folder) as file:
            write_entry(file, meta, body, tail)
        os.replace(temporary, name + suffix, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        _remove(folder, temporary)
        raise


def read_meta(file: "Own") -> "dict[str, Any]":
    """The meta of an entry that is not read any further, unchecked: for words alone. An empty dict where it is none. Raises OSError
    or ValueError.
    """
    head = os.pread(file.number(), HEADER.size, 0)
    if len(head) != HEADER.size:
        return {}
    magic, schema, size, *_ = HEADER.unpack(head)
    if (magic, schema) != (MAGIC, SCHEMA) or size > LARGEST:
        return {}
    meta = loads(os.pread(file.number(), size, HEADER.size + DIGEST_SIZE).decode("ascii"))
    return meta if isinstance(meta, dict) else {}


def read_entry(file: "Own") -> "Entry":
    """The entry in an open file, its tail unread. Raises Damaged, whose `ours` says whether it carries our mark, or OSError.
    """
    number = file.number()
    head = os.pread(number, HEADER.size + DIGEST_SIZE, 0)
    if head[:len(MAGIC)] != MAGIC:
        raise Damaged("it is not an entry", ours=MAGIC.startswith(head))
    if len(head) != HEADER.size + DIGEST_SIZE:
        raise Damaged("it is cut short")
    fixed, checksum = head[:HEADER.size], head[HEADER.size:]
    _, schema, meta_size, body_size, tail_size, tail_checksum = HEADER.unpack(fixed)
    if schema != SCHEMA:
        raise Damaged("it is not an entry of this schema")
    size = meta_size + body_size
    if size > LARGEST or os.fstat(number).st_size != len(head) + size + tail_size:
        raise Damaged("its size is not what its header says")
    meta, body = os.pread(number, meta_size, len(head)), os.pread(number, body_size, len(head) + meta_size)
    if len(meta) + len(body) != size or digest(fixed, meta, body) != checksum:
        raise Damaged("its checksum is wrong")
    return Entry(file, loads(meta.decode("ascii")), body, len(head) + size, tail_checksum)


def digest(*parts: bytes) -> bytes:
    """Their BLAKE2b, of 32 bytes, as one."""
    hashed = blake2b(digest_size=DIGEST_SIZE)
    for part in parts:
        hashed.update(part)
    return hashed.digest()


def _names(folder: int) -> "list[str]":
    """Names, without their suffix, of a key's entries that were never quarantined, the last used first; others' files are none."""
    names = set(os.listdir(folder))
    used = []
    for file_name in names:
        name = file_name[:-len(SUFFIX)]
        if file_name.endswith(SUFFIX) and len(name) == DIGITS and DIGITS_OF.issuperset(name) and name + BAD not in names:
            try:
                used.append((os.stat(file_name, dir_fd=folder, follow_symlinks=False).st_mtime_ns, name))
            except OSError as error:
                if is_theirs(error):
                    raise
                continue  # another process has removed it
    return [name for _, name in sorted(used, reverse=True)]


def _touch(entry: "Entry") -> None:
    """Last used: what pruning goes by."""
    try:
        os.utime(entry._file.number())
    except OSError as error:
        if is_theirs(error):
            raise


def _used_now(file_name: str, folder: int) -> None:
    try:
        os.utime(file_name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if is_theirs(error):
            raise


def _remove_entry(folder: int, name: str) -> None:
    """Removes an entry with what lies beside it; a file of that name that does not begin with our mark is another's."""
    try:
        with open_regular(name + SUFFIX, os.O_RDONLY, folder) as file:
            begin = os.pread(file.number(), len(MAGIC), 0)
    except OSError as error:
        if is_theirs(error):
            raise
        return
    if not MAGIC.startswith(begin):
        return
    _remove(folder, name + SUFFIX)
    for beside in beside_entry(folder, name):
        _remove(folder, beside)


def beside_entry(folder: int, name: str) -> "list[str]":
    """The files that lie beside an entry and go with it."""
    return [name + USES, name + TRUST, *(name + suffix for suffix in _suffixes(folder, name, ANSWERING))]


def _suffixes(folder: int, name: str, suffix: str) -> "list[str]":
    return [each[len(name):] for each in os.listdir(folder) if each.startswith(name + ".") and each.endswith(suffix)]


def _mark_bad(folder: int, name: str) -> None:
    """Where the disk has no room for another file the entry itself becomes the mark, and is emptied. Raises OSError."""
    try:
        open_regular(name + BAD, os.O_WRONLY | os.O_CREAT, folder).close()
    except OSError as error:
        if is_theirs(error):
            raise
        os.replace(name + SUFFIX, name + BAD, src_dir_fd=folder, dst_dir_fd=folder)
        open_regular(name + BAD, os.O_WRONLY | os.O_TRUNC, folder).close()


def _remove(folder: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except OSError as error:
        if is_theirs(error):
            raise


def _words(error: "Any") -> str:
    return os.strerror(error.errno) if getattr(error, "errno", None) else str(error)
