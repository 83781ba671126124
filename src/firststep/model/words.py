"""Times, sizes and numbers in words, as people say them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


def duration(ns: int) -> str:
    """A time by itself, to two or three figures: 0.4 ms, 12 ms, 1.6 s, 2 min 5 s."""
    if ns < 10 * MILLISECOND:
        return f"{ns / MILLISECOND:.1f} ms"
    if ns < SECOND:
        return f"{ns / MILLISECOND:.0f} ms"
    if ns < 120 * SECOND:
        return f"{ns / SECOND:.1f} s"
    return f"{ns // (60 * SECOND)} min {ns // SECOND % 60} s"


def size(count: int) -> str:
    """Bytes in decimal units: 98 MB."""
    value = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            return (f"{value:.0f} {unit}" if value >= 10 or unit == "bytes" else f"{value:.1f} {unit}") if count != 1 else "1 byte"
        value /= 1000
    raise AssertionError("unreachable")


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 module`, `2,577 modules`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def cpu_count(number: float) -> str:
    """`1 CPU`, `0.5 CPUs`, `16 CPUs`: a quota is a part of one."""
    return f"{number:g} CPU{'' if number == 1 else 's'}"


def file_name(path: str) -> str:
    """The last part of a path, with the folder where it is no more than a version's number: "export/1"."""
    parts = path.rstrip("/").split("/")
    return "/".join(parts[-2:]) if parts[-1].isdigit() else parts[-1]


def library_name(path: str) -> str:
    """A library's file name, without what says for which Python it was built."""
    return re.sub(r"\.(?:cpython-\d+[\w-]*|abi3)(?=\.so$)", "", path.rpartition("/")[2])


def plain_name(function: str) -> str:
    """A graph function's name without what the framework put around it: `__inference_train_step_42` is `train_step`."""
    return re.sub(r"^__(?:inference|forward|backward)_|_\d+$", "", function)


def longest_name(found: Iterable[tuple[str, int]]) -> str:
    """The name with most of the time: `train_step 0.9 s`, or `init 1.2 s in 60` for sixty that differ by a number."""
    times: Counter[str] = Counter()
    often: Counter[str] = Counter()
    for name, ns in found:
        if ns:
            times[plain_name(name)] += ns
            often[plain_name(name)] += 1
    return "".join(f"{name} {duration(ns)}{f' in {often[name]}' if often[name] > 1 else ''}" for name, ns in times.most_common(1))
