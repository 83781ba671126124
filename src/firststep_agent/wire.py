"""The messages of protocol buffers as bytes, where there is no class that could read them."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_NUMBER, _EIGHT, _FOUR = 0, 1, 5  # kinds of fields; any other has its length before it


def fields(message: bytes) -> "Iterator[tuple[int, Any]]":
    """(number, value) of each field: numbers, bytes; those of fixed length as bytes. Raises IndexError where the message breaks off."""
    value: Any
    at, end = 0, len(message)
    while at < end:
        key, at = _number(message, at)
        kind = key & 7
        if kind == _NUMBER:
            value, at = _number(message, at)
        else:
            length, at = (8, at) if kind == _EIGHT else (4, at) if kind == _FOUR else _number(message, at)
            value, at = message[at:at + length], at + length
            if at > end:
                raise IndexError(at)
        yield key >> 3, value


def _number(message: bytes, at: int) -> "tuple[int, int]":
    """The number that begins there, and where it ends."""
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
