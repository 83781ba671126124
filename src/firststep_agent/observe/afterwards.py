"""What goes on costing time after the first step: traces, sessions, initialisations, models made.

Of the frameworks' places only those are seen that no step of a training passes (`late` in frameworks/points.py), or that are left
alone once they have had nothing to tell for a while; each for its first spans, and of what comes after the last span of each line
stands for all. A step itself runs unwatched.
"""

import sys
from _thread import get_ident
from time import process_time_ns

from firststep_agent.as_found import os
from firststep_agent.clock import now
from firststep_agent.frameworks.listening import CALL
from firststep_agent.frameworks.points import MOST_IN_VAIN
from firststep_agent.observe import machine_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from typing import Any

    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.frameworks.standing import Listening

MOST = 300  # spans of each point; later calls are counted, by line
LONG_NS = 20_000_000  # a span that took so long says which line of the program it belongs to
FLUSH_EVERY_NS = 1_000_000_000


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.on_ready(lambda: _go_on(run))
    run.on_ready(lambda: _count_cpu(run))
    run.on_ready(lambda: _weigh_code(run))


def _count_cpu(run: "Any") -> None:
    """What the process still computes, on all its threads: a program that only waits, or ends, uses next to nothing."""
    before, pid = process_time_ns(), os.getpid()

    def end():
        if os.getpid() == pid:
            run.recorder.record("c", "cpu_after_ready_ns", process_time_ns() - before)

    run.on_exit(end)


def _weigh_code(run: "Any") -> None:
    """The machine code that XLA has compiled by now, and by the end: it compiles for each new shape, with no trace that tells."""
    graphs = sys.modules.get("firststep_agent.observe.labels.graphs")
    if not graphs or not graphs.any_for_xla():
        return
    pid = os.getpid()

    def record(name):
        if os.getpid() == pid and (size := machine_code.compiled()) is not None:
            run.recorder.record("c", name, size)

    record("machine_code_at_ready")
    run.on_exit(lambda: record("machine_code_at_exit"))


def _go_on(run: "Any") -> None:
    frameworks = sys.modules.get("firststep_agent.observe.frameworks")
    late = frameworks.newest.late if frameworks and frameworks.newest else ()
    if late:
        SeenOn(run, late, frameworks.label)


class SeenOn:
    """The points that are seen on."""

    def __init__(self, run: "Any", points: "Iterable[Point]", label: "Callable[[str | None], Any]") -> None:
        from firststep_agent.observe.labels.places import user_line

        self._run, self._user_line = run, user_line
        # (point, line, which labels there are) -> [further calls, their nanoseconds, the last one's span]
        self._further: dict[tuple[Any, ...], list[Any]] = {}
        self._flushed = now()
        run.on_exit(self._end)
        for point in points:
            listener = self._listener(point, label(point.span.name), label(point.span.labels))
            if point.span.when:
                interest = _Interest(label(point.span.when), listener)
                run.wrap(point, interest.listener, "afterwards", until="exit", installed=interest.installed)
            else:
                run.wrap(point, listener, "afterwards", until="exit")

    def _listener(self, point: "Point", name: "Callable[..., Any] | None", labels: "Callable[..., Any] | None") -> "Listener":
        run, user_line, recorded = self._run, self._user_line, [0]

        def watched(*args, **kwargs):
            began = now()
            result = yield CALL
            ended = now()
            shown = name(args, kwargs) if name else point.attribute
            told = labels(args, kwargs, result) if labels else {}
            if ended - began > LONG_NS and recorded[0] < MOST and "line" not in told:  # calls that are only counted are so by line
                told = {**told, **user_line()}
            span = point.span.kind, shown, began, ended, get_ident(), told
            if recorded[0] >= MOST:
                self._count(point, span)
                return
            recorded[0] += 1
            run.recorder.span(*span)
            if ended - self._flushed > FLUSH_EVERY_NS:
                self._flushed = ended
                run.recorder.flush()
                run.recorder.close()

        return watched

    def _count(self, point: "Point", span: "tuple[Any, ...]") -> None:
        _, _, began, ended, _, labels = span
        of_line = self._further.setdefault((point, labels.get("line"), tuple(labels)), [0, 0, None])
        of_line[0] += 1
        of_line[1] += ended - began
        of_line[2] = span

    def _end(self) -> None:
        for calls, ns, (*last, labels) in self._further.values():
            self._run.recorder.span(*last, {**labels, "further": [calls, ns]})


class _Interest:
    """A listener that is asked only where `when` says so, and leaves after it has said no MOST_IN_VAIN times in a row."""

    def __init__(self, when: "Callable[..., Any]", listener: "Listener") -> None:
        self._when, self._asked = when, listener
        self._in_vain = 0
        self._listening: Listening | None = None

    def installed(self, plain: "Any", listening: "Listening") -> None:
        self._listening = listening

    def listener(self, *args: "Any", **kwargs: "Any") -> "Generator[Any, Any, None]":
        if self._when(args, kwargs):
            self._in_vain = 0
            yield from self._asked(*args, **kwargs)
            return
        self._in_vain += 1
        if self._in_vain == MOST_IN_VAIN:
            self._listening.leave()
