"""Times of one report, rounded so that what is shown still adds up."""

from __future__ import annotations

from collections.abc import Mapping

from firststep.model.words import MILLISECOND, SECOND


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
