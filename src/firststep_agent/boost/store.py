"""Where a remedy keeps what it learned: one checked file per entry, in a folder that only this user can
write.

An entry is a header, a small `meta` (JSON), a `body` (bytes, covered by a SHA-256) and a `tail` (bytes that
are read in pieces, each of which carries its own checksum in the body). Layout: docs/cache-format.md. An
entry that is damaged is removed and counts as absent; a folder that others could write is refused; a disk
that is full or read-only keeps nothing.
"""

import os
import stat
from _io import FileIO
from _struct import Struct
from binascii import crc32

from firststep_agent.clock import now
from firststep_agent.plain_json import dumps, loads

MAGIC = b"firststep-entry\n"
SCHEMA = 1
HEADER = Struct("<16sIIQQI")  # magic, schema, bytes of meta, of body, of tail, CRC-32 of the tail
DIGEST_SIZE = 32
SUFFIX = ".entry"
BLOCK = 1 << 20  # bytes that are read at once where pieces follow one another


class Unsafe(Exception):
    """The folder cannot be used; the message says why and what to do."""


class Damaged(Exception):
    """The file is not a whole entry of this schema."""


def sha256(data):
    try:
        from _sha2 import sha256 as digest
    except ImportError:
        try:
            from _sha256 import sha256 as digest
        except ImportError:
            from hashlib import sha256 as digest
    return digest(data)


class Entry:
    """An entry that was found whole. piece() reads from the tail; close() when no more pieces are wanted."""

    def __init__(self, file, meta, body, tail_at, tail_checksum):
        self.meta = meta
        self.body = body
        self._file = file
        self._identity = file_identity(file)
        self._tail_at = tail_at
        self._tail_checksum = tail_checksum

    def piece(self, offset, size, checksum):
        """Bytes of the tail, or None where they are not what was written."""
        data = os.pread(self._file, size, self._tail_at + offset)
        return data if len(data) == size and crc32(data) == checksum else None

    def in_order(self):
        """A piece() for pieces that follow one another: read in blocks. What it returns holds until it is called again.
        """
        file, buffer = FileIO(self._file, closefd=False), memoryview(bytearray(BLOCK))
        begins = ends = 0

        def piece(offset, size, checksum):
            nonlocal begins, ends
            if size > BLOCK:
                return self.piece(offset, size, checksum)
            if offset < begins or offset + size > ends:
                file.seek(self._tail_at + offset)
                begins, ends = offset, offset + file.readinto(buffer)
            data = buffer[offset - begins:min(offset + size, ends) - begins]
            return data if len(data) == size and crc32(data) == checksum else None

        return piece

    def tail_is_whole(self):
        """Reads the whole tail and compares its checksum with the header's."""
        checksum, position = 0, self._tail_at
        while data := os.pread(self._file, 1 << 20, position):
            checksum = crc32(data, checksum)
            position += len(data)
        return checksum == self._tail_checksum

    def close(self):
        if self._file is not None:
            close_own(self._file, self._identity)
            self._file = None


def file_identity(file):
    """What tells whether a descriptor still stands for the same open file."""
    found = os.fstat(file)
    return found.st_dev, found.st_ino


def close_own(file, identity):
    """Closes a descriptor unless the program has closed it, and perhaps opened another file under its number."""
    try:
        if file_identity(file) == identity:
            os.close(file)
    except OSError:
        pass


class Store:
    """The entries of one remedy under a cache root. Raises Unsafe where the root is not ours alone."""

    def __init__(self, root, remedy):
        if not root:
            raise Unsafe("the plan names no cache directory")
        self.folder = os.path.join(root, remedy)
        for folder in (root, self.folder):
            _make(folder)
            check_ours(folder)

    def _path(self, key):
        return os.path.join(self.folder, key + SUFFIX)

    def read(self, key):
        """The entry, or None. One that is damaged is removed."""
        path = self._path(key)
        try:
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            return None
        try:
            entry = read_entry(file)
        except (Damaged, OSError, ValueError):
            os.close(file)
            _remove(path)
            return None
        try:
            os.utime(file)  # last used: what pruning goes by
        except OSError:
            pass
        return entry

    def write(self, key, meta, body, tail=()):
        """Keeps an entry. Returns None, or in words why it could not be kept. tail: pieces of bytes, in order."""
        temporary = os.path.join(self.folder, f".{key}.{os.getpid()}.{now()}.tmp")
        try:
            file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as error:
            return _words(error)
        try:
            try:
                write_entry(file, meta, body, tail)
            finally:
                os.close(file)
            os.replace(temporary, self._path(key))
        except OSError as error:
            _remove(temporary)
            return _words(error)
        return None


def store_for(run, remedy):
    """The remedy's Store, or None where the cache cannot be used, which is noted."""
    try:
        return Store(run.cache, remedy)
    except Unsafe as error:
        run.note(remedy, "refused", reason=str(error))
        return None


def _make(folder):
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    except OSError as error:
        raise Unsafe(f"the cache directory {folder} cannot be made: {_words(error)}") from None


def check_ours(folder):
    """Raises Unsafe unless `folder` is a directory of this user that nobody else can write."""
    try:
        found = os.lstat(folder)
    except OSError as error:
        raise Unsafe(f"the cache directory {folder} cannot be read: {_words(error)}") from None
    if not stat.S_ISDIR(found.st_mode):
        raise Unsafe(f"the cache directory {folder} is not a directory")
    if found.st_uid != os.geteuid():
        raise Unsafe(f"the cache directory {folder} belongs to another user (uid {found.st_uid}): "
                     "set FIRSTSTEP_CACHE to one of your own")
    if found.st_mode & 0o022:
        raise Unsafe(f"the cache directory {folder} can be written by others: chmod 700 {folder}")


def write_entry(file, meta, body, tail):
    """Writes a whole entry to an open file. Raises OSError."""
    meta = dumps(meta).encode("ascii")
    checksum = size = 0
    for piece in tail:
        checksum = crc32(piece, checksum)
        size += len(piece)
    head = HEADER.pack(MAGIC, SCHEMA, len(meta), len(body), size, checksum)
    digest = sha256(head + meta + body).digest()
    _write_all(file, head + digest + meta + body)
    for start in range(0, len(tail), 512):
        _write_all(file, b"".join(tail[start:start + 512]))


def _write_all(file, data):
    view = memoryview(data)
    while view:
        view = view[os.write(file, view):]


def read_entry(file):
    """The entry in an open file, its tail unread. Raises Damaged or OSError."""
    head = os.read(file, HEADER.size + DIGEST_SIZE)
    if len(head) != HEADER.size + DIGEST_SIZE:
        raise Damaged("it is cut short")
    fixed, digest = head[:HEADER.size], head[HEADER.size:]
    magic, schema, meta_size, body_size, tail_size, tail_checksum = HEADER.unpack(fixed)
    if magic != MAGIC or schema != SCHEMA:
        raise Damaged("it is not an entry of this schema")
    tail_at = len(head) + meta_size + body_size
    if os.fstat(file).st_size != tail_at + tail_size:
        raise Damaged("its size is not what its header says")
    data = os.read(file, meta_size + body_size)
    if len(data) != meta_size + body_size or sha256(fixed + data).digest() != digest:
        raise Damaged("its checksum is wrong")
    return Entry(file, loads(data[:meta_size].decode("ascii")), data[meta_size:], tail_at, tail_checksum)


def _remove(path):
    try:
        os.unlink(path)
    except OSError:
        pass


def _words(error):
    return os.strerror(error.errno) if error.errno else str(error)
