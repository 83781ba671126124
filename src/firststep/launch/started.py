"""What a program has started: where it is stopped at ready, or was too long in coming, that goes with it."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path


class Started:
    """The processes below another, as they are now. A number is soon another process's: a descriptor stays that one's."""

    def __init__(self, program: int) -> None:
        self._open = ExitStack()
        self._processes: list[int] = []
        todo = [program]
        while todo:
            for child in children(todo.pop()):
                with suppress(OSError):  # it has ended, or the kernel knows no such descriptors
                    descriptor = os.pidfd_open(child)
                    self._open.callback(os.close, descriptor)
                    self._processes.append(descriptor)
                    todo.append(child)

    def end(self, grace_s: float) -> None:
        """Asks those that are there still to end, and kills them after that long."""
        with self._open:
            for number in (signal.SIGTERM, signal.SIGKILL):
                for descriptor in self._processes:
                    with suppress(OSError):
                        signal.pidfd_send_signal(descriptor, number)
                self._wait(time.monotonic() + grace_s)

    def _wait(self, until: float) -> None:
        """Until they have ended, or until that moment."""
        poll = select.poll()
        for descriptor in self._processes:
            poll.register(descriptor, select.POLLIN)
        while self._processes and time.monotonic() < until:
            for descriptor, _ in poll.poll(max(0.0, until - time.monotonic()) * 1000):
                poll.unregister(descriptor)
                self._processes.remove(descriptor)


def children(process: int) -> Iterator[int]:
    """The numbers of those that a process has started itself, and that are there."""
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            yield from map(int, task.read_text().split())
