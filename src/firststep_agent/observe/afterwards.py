"""What goes on costing time after the first step: traces, sessions, initialisations, models made.

Of the frameworks' places only those are seen that no step of a training passes (`late` in frameworks/points.py), or that are left
alone once they have had nothing to tell for a while; each for its first spans, and what comes after is counted. A step itself
runs unwatched.
"""

import os
import sys
from _thread import get_ident
from time import process_time_ns

from firststep_agent.clock import now
from firststep_agent.frameworks.listening import CALL
from firststep_agent.frameworks.points import MOST_IN_VAIN

MOST = 300  # spans of each point; later calls are counted
FLUSH_EVERY_NS = 1_000_000_000


def start(run, settings):
    run.on_ready(lambda: _go_on(run))
    run.on_ready(lambda: _count_cpu(run))


def _count_cpu(run):
    """What the process still computes, on all its threads: a program that only waits, or ends, uses next to nothing."""
    before, pid = process_time_ns(), os.getpid()

    def end():
        if os.getpid() == pid:
            run.recorder.record("c", "cpu_after_ready_ns", process_time_ns() - before)

    run.on_exit(end)


def _go_on(run):
    frameworks = sys.modules.get("firststep_agent.observe.frameworks")
    late = frameworks.newest.late if frameworks and frameworks.newest else ()
    if late:
        Afterwards(run, late, frameworks.label)


class Afterwards:
    """The points that are seen on."""

    def __init__(self, run, points, label):
        self._run = run
        self._counts: dict = {}  # point -> [spans, further calls, their nanoseconds]
        self._flushed = now()
        run.on_exit(self._end)
        for point in points:
            self._counts[point] = [0, 0, 0]
            listener = self._listener(point, label(point.span.name), label(point.span.labels))
            if point.span.when:
                interest = _Interest(label(point.span.when), listener)
                run.wrap(point, interest.listener, "afterwards", until="exit", installed=interest.installed)
            else:
                run.wrap(point, listener, "afterwards", until="exit")

    def _listener(self, point, name, labels):
        counts, run = self._counts[point], self._run

        def watched(*args, **kwargs):
            began = now()
            result = yield CALL
            ended = now()
            if counts[0] >= MOST:
                counts[1] += 1
                counts[2] += ended - began
                return
            counts[0] += 1
            shown = name(args, kwargs) if name else point.attribute
            run.recorder.span(point.span.kind, shown, began, ended, get_ident(), labels(args, kwargs, result) if labels else {})
            if ended - self._flushed > FLUSH_EVERY_NS:
                self._flushed = ended
                run.recorder.flush()
                run.recorder.close()

        return watched

    def _end(self):
        for point, (_, calls, ns) in self._counts.items():
            if calls:
                self._run.recorder.record("c", f"afterwards {point.span.kind}", [calls, ns])


class _Interest:
    """A listener that is asked only where `when` says so, and leaves after it has said no MOST_IN_VAIN times in a row."""

    def __init__(self, when, listener):
        self._when, self._asked = when, listener
        self._in_vain = 0
        self._listening = None

    def installed(self, plain, listening):
        self._listening = listening

    def listener(self, *args, **kwargs):
        if self._when(args, kwargs):
            self._in_vain = 0
            yield from self._asked(*args, **kwargs)
            return
        self._in_vain += 1
        if self._in_vain == MOST_IN_VAIN:
            self._listening.leave()
