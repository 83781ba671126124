"""Whether the main thread had a CPU."""

from __future__ import annotations

from bisect import bisect_left

from firststep.model.facts import Piece


def ran(piece: Piece) -> float:
    """How much of the time around a piece the thread had a CPU, or waited for one, from 0 to 1. Its state at a sample does not say so: a
    thread that is looked at waits for Python's lock, which who looks has."""
    if piece.process is None or not piece.process.samples:
        return 0.0
    samples = piece.process.samples
    at = bisect_left(samples, (piece.start + piece.end) // 2, key=lambda sample: sample.at)
    before, after = samples[max(0, at - 1)], samples[min(at, len(samples) - 1)]
    worked = after.ran - before.ran + after.waited - before.waited
    return worked / (after.at - before.at) if after.at > before.at else 0.0
