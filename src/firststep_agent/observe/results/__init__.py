"""Results: what the program computed, as digests that two runs of it can be compared by.

Written at exit as records of type "result": {what, name, ...}, most with a `digest`. what: "history" (Keras'
losses and metrics of each epoch), "outputs" (of a function's or a session's first calls), "weights" (the
variables as they stand at exit), "stream" (where a random stream stands), "result" (what the program named
itself through `firststep.result`), "memory" (`bytes`: the process's peak before these were written) or "cost"
(`ns`, `cpu_ns`: what writing these took, which belongs to no time of the program).
"""

import gc

from firststep_agent import clock
from firststep_agent.as_found import open
from firststep_agent.observe.results import history, named, outputs, streams, weights
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


def start(run: "Any", settings: "dict[str, Any]") -> None:
    own = [_memory, *(part.start(run) for part in (history, outputs, weights, named))]
    inherited = [streams.records]
    run.on_exit(lambda: _write(run, own + inherited))
    run.on_fork(inherited.clear)  # a forked child has but copies of its parent's streams


def _write(run: "Any", sources: "list[Callable[[], Iterable[dict[str, Any]]]]") -> None:
    started, cpu_started = clock.now(), clock.thread_time_ns()
    gc.collect()  # what is unreachable is no result, whether or not a collection has found it yet
    for source in sources:
        try:
            for record in source():
                run.recorder.record("result", record)
        except Exception as error:
            if is_theirs(error):
                raise
            run.failed("results", error)
    cost = {"ns": clock.now() - started, "cpu_ns": clock.thread_time_ns() - cpu_started}
    run.recorder.record("result", {"what": "cost", "name": "digests", **cost})


def _memory() -> "Iterator[dict[str, Any]]":
    try:
        with open("/proc/self/status", encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError as error:
        if is_theirs(error):
            raise
        return
    for line in lines:
        if line.startswith("VmHWM:"):
            yield {"what": "memory", "name": "peak", "bytes": int(line.split()[1]) * 1024}
