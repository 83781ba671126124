"""Who goes first in each pair: counterbalanced, and not in step with anything periodic on the machine."""

from __future__ import annotations

import random
from collections.abc import Iterator


def orders(seed: int) -> Iterator[bool]:
    """Endless: whether the plain run goes first. Of every two pairs one is so; which of them is drawn."""
    draw = random.Random(seed)
    while True:
        first = draw.random() < 0.5
        yield first
        yield not first
