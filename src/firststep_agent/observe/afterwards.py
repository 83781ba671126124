"""What goes on costing time after the first step: traces, sessions, initialisations, models made.

Of the framework's hook points only those stay that no step of a training passes (`late` in observe/points), each for its
first spans; what comes after is counted. A step itself runs unwatched.
"""

import sys
from _thread import get_ident

from firststep_agent.clock import now
from firststep_agent.signals import is_theirs

MOST = 300  # spans of each point; later calls are counted
FLUSH_EVERY_NS = 1_000_000_000


def start(run, settings):
    run.on_ready(lambda: _go_on(run))


def _go_on(run):
    frameworks = sys.modules.get("firststep_agent.observe.frameworks")
    watched = frameworks.newest.installed if frameworks and frameworks.newest else ()
    late = [entry for entry in watched if entry[0].late]
    if late:
        Afterwards(run, late)


class Afterwards:
    """The hook points that stay."""

    def __init__(self, run, entries):
        self._run = run
        self._counts: dict = {}  # point -> [spans, further calls, their nanoseconds]
        self._undo = []
        self._flushed = now()
        self._off = False
        run.on_exit(self._end)
        run.on_fork(self._leave)
        for point, owner, name, original, ours in entries:
            if vars(owner).get(name) is ours:  # nobody else has replaced it since
                self._stay(point, owner, name, original)

    def _stay(self, point, owner, name, original):
        from firststep_agent.observe.wrapping import leave_no_frame, stand_in

        counts = self._counts.setdefault(point, [0, 0, 0])

        def watched(*args, **kwargs):
            if self._off:
                return original(*args, **kwargs)
            began = now()
            try:
                result = original(*args, **kwargs)
            except BaseException as error:
                leave_no_frame(error)
                raise
            self._seen(point, counts, began, args, kwargs, result)
            return result

        dressed = stand_in(original, watched)
        setattr(owner, name, dressed)
        self._undo.append((owner, name, original, dressed))

    def _seen(self, point, counts, began, args, kwargs, result):
        try:
            ended = now()
            if counts[0] >= MOST:
                counts[1] += 1
                counts[2] += ended - began
                return
            counts[0] += 1
            name = point.name(args, kwargs) if point.name else point.qualname
            labels = point.labels(args, kwargs, result) if point.labels else {}
            self._run.recorder.span(point.kind, name, began, ended, get_ident(), labels)
            if ended - self._flushed > FLUSH_EVERY_NS:
                self._flushed = ended
                self._run.recorder.flush()
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.failed(point.qualname, error)

    def _end(self):
        self._leave()
        for point, (_, calls, ns) in self._counts.items():
            if calls:
                self._run.recorder.record("c", f"afterwards {point.kind}", [calls, ns])

    def _leave(self):
        self._off = True
        while self._undo:
            owner, name, original, dressed = self._undo.pop()
            if vars(owner).get(name) is dressed:
                setattr(owner, name, original)
