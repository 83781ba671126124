"""Text of unknown origin, made harmless for a terminal: a file's name or line may hold control sequences."""

from __future__ import annotations

import unicodedata

HARMFUL = ("Cc", "Cf", "Cs", "Zl", "Zp", "Co")  # control, direction marks, lone surrogates, separators of lines


def clean(text: str) -> str:
    """The text with every character that may move a cursor or hide another written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) if unicodedata.category(character) in HARMFUL else character for character in text)


def _escaped(character: str) -> str:
    number = ord(character)
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}" if number < 65536 else f"\\U{number:08x}"


def width(text: str) -> int:
    """Cells of a terminal that a clean text takes."""
    return sum(0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)
