"""What firststep itself can say: the strings of its own source. Whatever else stands in a message came from the program.

A message is let through as far as it is one of these; what was filled in is told again the same way, or left out.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import firststep
import firststep_agent

LEFT_OUT = "[…]"
FEWEST_LETTERS = 8  # of a sentence: what is shorter could be anybody's word
DEPTH = 3
_LETTERS = re.compile(r"[^a-z]", re.IGNORECASE)


def own_words(text: str, depth: int = DEPTH) -> str:
    """The text as far as it is firststep's own, or the system's."""
    if depth and text in _sentences():
        return text
    for pattern in _patterns() if depth else ():
        found = pattern.fullmatch(text)
        if found:
            filled = [own_words(part, depth - 1) for part in found.groups()]
            around = [re.sub(r"\\(.)", r"\1", part) for part in pattern.pattern.split("(.*?)")]
            return "".join(part for pair in zip(around, [*filled, ""], strict=True) for part in pair)
    return _of_the_system(text)


@cache
def own_names() -> frozenset[str]:
    """What our records call their labels."""
    named = {node.arg for node in _strings() if isinstance(node, ast.keyword) and node.arg}
    return frozenset(named | {node.value for node in _strings() if isinstance(node, ast.Constant) and isinstance(node.value, str)})


def _of_the_system(text: str) -> str:
    """`FileNotFoundError: [Errno 2] No such file or directory: '/x'` without what the file is called."""
    name, _, message = text.partition(": ")
    kind = f"{name}: " if _is_exception(name) else ""
    found = re.match(r"\[Errno (\d{1,3})\] ", message)
    if kind and found:
        words = os.strerror(int(found[1]))
        if message[found.end():].startswith(words):
            return f"{kind}{found[0]}{words}" + LEFT_OUT * (message != found[0] + words)
    return kind + LEFT_OUT


def _is_exception(name: str) -> bool:
    import builtins

    there = getattr(builtins, name, None) if name.isidentifier() else None
    return isinstance(there, type) and issubclass(there, BaseException)


@cache
def _sentences() -> frozenset[str]:
    constants = (node.value for node in _strings() if isinstance(node, ast.Constant))
    return frozenset(value for value in constants if isinstance(value, str) and _long(value))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """One for each string with something to fill in; those that say most come first."""
    found = set()
    for node in _strings():
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else None for part in node.values]
            if _long("".join(part or "" for part in parts)):
                found.add("".join("(.*?)" if part is None else re.escape(part) for part in parts))
    return tuple(re.compile(text, re.DOTALL) for text in sorted(found, key=lambda text: (-len(text), text)))


def _long(text: str) -> bool:
    return len(_LETTERS.sub("", text)) >= FEWEST_LETTERS and " " in text


def _strings() -> Iterator[ast.AST]:
    for package in (firststep, firststep_agent):
        for path in Path(str(package.__file__)).parent.rglob("*.py"):
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))
