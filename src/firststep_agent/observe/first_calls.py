"""What a function's first call was busy with: optimising its graph, compiling it with XLA, or executing it.

TensorFlow optimises and instantiates on the calling thread, which then waits for the executor. So what the kernel says
of that thread splits the call, to a few per cent: docs/decisions, "First calls are split by what the thread did". Where the call fetches
the first batch of an input pipeline, the wait for it is told from the execution (first_batches.py).
"""

from time import thread_time_ns

from firststep_agent.observe import first_batches, kernel_files, machine_code
from firststep_agent.observe.labels.graphs import compiled_by_xla

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from firststep_agent.observe.first_batches import FirstBatch

KINDS = ("first-call", "session-run-first")


def begin(run: "Any", inputs: "Iterable[Any]" = ()) -> "tuple[int, int, FirstBatch | None]":
    """What the thread has spent so far, and what watches the call of a function with these inputs: (ns on a CPU, ns runnable without
    one, watch)."""
    watch = first_batches.begin(run, inputs)
    return thread_time_ns(), kernel_files.scheduled("thread-self")[1], watch


def split(before: "tuple[int, int, FirstBatch | None]", start: int, end: int,
          name: str) -> "list[tuple[str, int, int, dict[str, Any] | None]]":
    """[(kind, start, end, labels)] of a first call of the function `name` between `start` and `end`."""
    ran, runnable, watch = before
    busy = min(end - start, thread_time_ns() - ran + max(0, kernel_files.scheduled("thread-self")[1] - runnable))
    waited = watch.end(start + busy, end) if watch else None
    direct, nested = compiled_by_xla(name)
    found: list[Any]
    if direct:
        found = [("xla-compile", start, end, machine_code.label())]
    else:
        found = [("graph-optimise", start, start + busy, None),
                 ("xla-compile", start + busy, end, machine_code.label()) if nested else ("first-execution", start + busy, end, None)]
    if waited:
        found.append(("data-first-element", *(min(max(start, one), end) for one in waited[:2]), waited[2]))
    return found
