"""Which of some descriptors can be read: `select.select` refuses numbers above 1023, which a tool that inherits many descriptors gets."""

from __future__ import annotations

import select
from collections.abc import Iterable


def readable(descriptors: Iterable[int], timeout_s: float | None = None) -> frozenset[int]:
    """Those that can be read, or whose other end has gone, once there is one or the time is over; None for no end."""
    return _ready(descriptors, select.POLLIN, timeout_s)


def writable_now(descriptor: int) -> bool:
    """Whether it takes what is written."""
    return bool(_ready([descriptor], select.POLLOUT, 0))


def _ready(descriptors: Iterable[int], event: int, timeout_s: float | None) -> frozenset[int]:
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, event)
    return frozenset(descriptor for descriptor, _ in poll.poll(None if timeout_s is None else timeout_s * 1000))
