"""Reads protocol buffers by their wire format, with no schema and no library: what is needed of one message, in bounds.

A message that lies in another is a pair (begin, end) of places in the same bytes, so nothing is copied and nothing recurses.
"""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
Piece = tuple[int, int]


class Malformed(Exception):
    """The bytes are no message."""


def fields(data: bytes, piece: Piece) -> Iterator[tuple[int, int | Piece]]:
    """(number, value) of each field: a whole number, or where its bytes lie. Raises Malformed."""
    at, end = piece
    while at < end:
        tag, at = _varint(data, at, end)
        number, kind = tag >> 3, tag & 7
        value: int | Piece
        if kind == VARINT:
            value, at = _varint(data, at, end)
        elif kind == LENGTH:
            length, at = _varint(data, at, end)
            value = (at, at + length)
            at += length
        elif kind in (FIXED64, FIXED32):
            size = 8 if kind == FIXED64 else 4
            value = int.from_bytes(data[at:at + size], "little")
            at += size
        else:
            raise Malformed(f"a field of kind {kind}")
        if at > end or not number:
            raise Malformed("a field that ends outside its message")
        yield number, value


def text(data: bytes, value: int | Piece, longest: int) -> str:
    """The string at that place, no more than `longest` bytes of it; empty where the field is a number."""
    if isinstance(value, int):
        return ""
    begin, end = value
    return data[begin:min(end, begin + longest)].decode("utf-8", "replace")


def piece(value: int | Piece) -> Piece:
    """Where the message lies that the field holds. Raises Malformed for a number."""
    if isinstance(value, int):
        raise Malformed("a number where a message belongs")
    return value


def number(value: int | Piece) -> int:
    """The signed number that the field holds. Raises Malformed for anything else."""
    if not isinstance(value, int):
        raise Malformed("a message where a number belongs")
    return value - (1 << 64) if value >= 1 << 63 else value


def _varint(data: bytes, at: int, end: int) -> Piece:
    """(the number, the place after it)"""
    value = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
        shift += 7
    raise Malformed("a number that does not end")
