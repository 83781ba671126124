"""Runs of the garbage collector as spans: after very many of them, the last of the short ones stands for all since the last writing."""

from firststep_agent.collector import CollectorWatch
from firststep_agent.observe.enough import Enough

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start(run: "Any", settings: "dict[str, Any]") -> None:
    watch, enough = CollectorWatch(whose=True), Enough()

    def record():
        short: dict[Any, tuple[int, int, int, int, int]] = {}  # how many, nanoseconds, objects, the last one's beginning and end
        for began, ended, thread, file, info in watch.runs():
            generation, collected = info["generation"], info["collected"]
            if enough.tells(began, ended):
                _tell(run, generation, thread, file, collected, began, ended)
            else:
                number, ns, objects, _, _ = short.get((generation, thread, file), (0, 0, 0, 0, 0))
                short[generation, thread, file] = number + 1, ns + ended - began, objects + collected, began, ended
        for of, (number, ns, *last) in short.items():
            _tell(run, *of, *last, further=[number, ns])

    def stop():
        watch.end()
        record()

    watch.begin()
    run.recorder.before_flush(record)
    run.on_ready(stop)
    run.on_exit(stop)
    run.on_fork(watch.runs)  # those of the parent


def _tell(run: "Any", generation: int, thread: int, file: "str | None", collected: int, began: int, ended: int, **labels: "Any") -> None:
    if collected:
        labels["collected"] = collected
    if file is not None:
        labels.update(asked=True, by=file)
    run.recorder.span("gc", f"generation {generation}", began, ended, thread, labels or None)
