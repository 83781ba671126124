"""What was compiled in an earlier start is what would be compiled now."""

from __future__ import annotations

import pytest

PROGRAM = r"""
import collections, dataclasses, enum, re, sys, warnings

def show(pattern):
    text = "Straße 12, tel. 555-1234 a.b@example.org"
    found = pattern.search(text if isinstance(pattern.pattern, str) else text.encode())
    print(repr(pattern.pattern), pattern.flags, pattern.groups, dict(pattern.groupindex), found)
    print(found and (found.groupdict(), found.lastgroup))

# every pattern of the standard library's modules, and some of every kind
import argparse, csv, difflib, email.header, html.parser, json, locale, logging, pprint, shlex, string, textwrap, tokenize, urllib.parse
for text in ("a+b", r"(?P<word>\w+) (?P<number>\d+)", "[^a-y]", "[α-ω]|ß", r"(a)?(b)\1*", "", "(?:x|y|z){2,5}?", r"\bs\w", "."):
    for flags in (0, re.I, re.M | re.S, re.A, re.X):
        show(re.compile(text, flags))
show(re.compile(b"(?P<letters>[a-z]+)(\\d)"))

Point = collections.namedtuple("Point", "x y z", defaults=(3,))
print(Point(1, 2), Point._fields, Point.__new__.__code__.co_filename, Point.__new__.__doc__, Point.__new__.__qualname__)
for number in range(20):
    made = collections.namedtuple(f"T{number}", [f"a{n}" for n in range(number)])
    print(made(*range(number)))
try:
    Point()
except TypeError as error:
    print(error)

@dataclasses.dataclass(order=True)
class Item:
    name: str
    price: float = 1.0
    tags: list = dataclasses.field(default_factory=list, compare=False)

print(Item("a"), Item("a", 2.0) > Item("a"), Item.__init__.__code__.co_filename)

for bad in ("(", "[z-a]", "*"):
    try:
        re.compile(bad)
    except re.error as error:
        print(error)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    re.compile("[[]a]"), re.compile("[a-c||]")
print([str(each.message) for each in caught])

# how many Python keeps in the process, and which
first = re.compile("first")
for number in range(300):
    re.compile(f"many {number}")
print(re.compile("first") is first, len(re._cache))
for number in range(300):
    re.compile(f"more {number}")
print(re.compile("first") is first, len(re._cache), list(re._cache)[:2], list(re._cache)[-2:])
re.purge()
print(re.compile("first") is first, re.compile("first") is re.compile("first"))
"""


@pytest.fixture
def learned(box):
    box.write("program.py", PROGRAM)
    plain = box.plain("program.py")
    first = box.boost("program.py", options=("--only", "keep-compiled"))
    assert plain.code == first.code == 0, first.said
    assert first.out == plain.out
    return plain


def test_what_was_kept_is_what_would_be_compiled(box, learned):
    second = box.boost("program.py", options=("--only", "keep-compiled"))
    assert second.out == learned.out
    assert second.live("keep-compiled"), second.said


def test_other_text_is_compiled_anew(box, learned):
    box.write("program.py", PROGRAM.replace("a+b", "b+a").replace("x y z", "x y w").replace("price: float", "cost: float"))
    changed = box.boost("program.py", options=("--only", "keep-compiled"))
    assert changed.out == box.plain("program.py").out != learned.out


def test_a_damaged_entry_counts_as_absent(box, learned):
    (path,) = box.cache.glob("keep-compiled/*.entry")
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    path.write_bytes(data)
    again = box.boost("program.py", options=("--only", "keep-compiled"))
    assert again.out == learned.out
    assert not again.live("keep-compiled")
    assert box.boost("program.py", options=("--only", "keep-compiled")).live("keep-compiled")


MANY = """
import re, sys
from firststep_agent.boost import keep_compiled
keep_compiled.LIMIT = 50
for number in range(100):
    re.compile(f"{sys.argv[1]} {number}")
"""


def test_a_program_that_makes_new_ones_for_ever_is_kept_no_more_of(box):
    box.write("program.py", MANY)
    for word in ("some", "others"):
        ran = box.boost("program.py", word, options=("--only", "keep-compiled"))
        (path,) = box.cache.glob("keep-compiled/*.entry")
        assert "learned (compilations" in ran.said
        kept = path.read_bytes()
        assert [f"{word} {number}".encode() in kept for number in (10, 99)] == [True, False]
