"""Each run of the garbage collector as a span."""

from firststep_agent.collector import CollectorWatch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start(run: "Any", settings: "dict[str, Any]") -> None:
    watch = CollectorWatch(whose=True)

    def record():
        for began, ended, thread, file, info in watch.runs():
            asked = {} if file is None else {"asked": True, "by": file}
            labels = {**({"collected": info["collected"]} if info["collected"] else {}), **asked}
            run.recorder.span("gc", f"generation {info['generation']}", began, ended, thread, labels or None)

    def stop():
        watch.end()
        record()

    watch.begin()
    run.recorder.before_flush(record)
    run.on_ready(stop)
    run.on_exit(stop)
    run.on_fork(watch.runs)  # those of the parent
