"""Times and sizes in words, rounded so that what is shown still adds up."""

from __future__ import annotations

import re
from collections.abc import Mapping

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


class TimeScale:
    """One unit for a whole report, by its total: 1 ms, 0.01 s from one second on, 0.1 s from 100 s on."""

    def __init__(self, total_ns: int) -> None:
        self._unit = 100 * MILLISECOND if total_ns >= 100 * SECOND else 10 * MILLISECOND
        if total_ns < SECOND:
            self._unit = MILLISECOND

    def steps(self, ns: int) -> int:
        """Whole units, rounded half up."""
        return (2 * ns + self._unit) // (2 * self._unit)

    def text(self, steps: int) -> str:
        """What `steps` units read as: "5.80 s"."""
        if self._unit == MILLISECOND:
            return f"{steps} ms"
        return f"{steps / 10:.1f} s" if self._unit > 10 * MILLISECOND else f"{steps / 100:.2f} s"

    def time(self, ns: int) -> str:
        return self.text(self.steps(ns))


def add_up(parts: Mapping[str, int], scale: TimeScale) -> dict[str, int]:
    """Each part in whole units that add up to the rounded total: the largest remainders are rounded up."""
    total = scale.steps(sum(parts.values()))
    unit_ns = scale._unit
    floors = {name: ns // unit_ns for name, ns in parts.items()}
    missing = total - sum(floors.values())
    by_remainder = sorted(parts, key=lambda name: -(parts[name] % unit_ns))
    for name in by_remainder[:missing]:
        floors[name] += 1
    return floors


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
            return f"{value:.0f} {unit}" if value >= 10 or unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1000
    raise AssertionError("unreachable")


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 module`, `2,577 modules`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def plain_name(function: str) -> str:
    """A graph function's name without what the framework put around it: `__inference_train_step_42` is `train_step`."""
    return re.sub(r"^__(?:inference|forward|backward)_|_\d+$", "", function)
