"""What a native object keeps where Python shows no attribute: the bytes of its structure, and of the buffer that it lends.

Two forks of one process have the same objects at the same addresses, so that equal bytes say that neither has touched it, and an
iterator's or a stream's position, a compressor's or a lock's state count without being known one by one. What lies behind a
pointer is not seen: methods of objects that keep their state there are refused where a trace calls them (`reads.calls`).
"""

import ctypes
import struct

from firststep_agent import kinds, ownership

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_REFERENCES = struct.calcsize("nP")  # bytes of the head of every object: how often it is held, and its type
_WORD = struct.calcsize("P")
_MOST_LENT = 1 << 26  # bytes of a buffer that are compared


class TooLarge(Exception):
    """More bytes than can be compared beside a start."""


def of(value: "Any") -> "tuple[bytes, bytes | None]":
    """(bytes of the structure, digest of the buffer).

    Nothing of what a framework keeps in C, which its own code moves at will, but where its iterators are. Raises TooLarge.
    """
    native = next(base for base in kinds.mro(type(value)) if not ownership.is_user_class(base))
    if ownership.module_owner(kinds.module(native)) == ownership.FRAMEWORK and not hasattr(native, "__next__"):
        return b"", None
    return _structure(value, native), lent(value)


def _structure(value: "Any", native: type) -> bytes:
    data = bytearray(ctypes.string_at(id(value), native.__basicsize__))
    for at, size in ((0, _REFERENCES), (native.__weakrefoffset__, _WORD), (native.__dictoffset__, _WORD)):
        if at >= 0:  # who refers to it, weakly too, and its attributes, which are walked
            data[at:at + size] = bytes(size)
    return bytes(data)


def lent(value: "Any", most: int = _MOST_LENT) -> "bytes | None":
    """Digest of the buffer that it lends, or None. Raises TooLarge."""
    import hashlib

    try:
        view = memoryview(value)
    except (TypeError, BufferError, ValueError):
        return None
    with view:
        if view.nbytes > most:
            raise TooLarge(f"a `{kinds.qualname(type(value))}` of {view.nbytes >> 20} MB")
        return hashlib.blake2b(view.tobytes(), digest_size=16).digest()
