"""How long a text of the program's may be where people read it: a name can be a megabyte."""

from __future__ import annotations

NAME = 160  # characters of a name
WORDS = 400  # characters of a sentence


def cut(text: str, longest: int = NAME) -> str:
    """The text, its middle left out where it is too long."""
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[:half]}…{text[-half:]}"
