"""What a function's first call was busy with: optimising its graph, compiling it with XLA, or executing it.

TensorFlow optimises and instantiates on the calling thread, which then waits for the executor. So what the kernel says
of that thread splits the call, to a few per cent: docs/decisions, "First calls are split by what the thread did".
"""

from time import thread_time_ns

from firststep_agent.observe.labels.graphs import compiled_by_xla

KINDS = ("first-call", "session-run-first")


def begin():
    """What the thread has spent so far: (ns on a CPU, ns runnable without one)."""
    return thread_time_ns(), _runnable_ns()


def split(before, start, end, name):
    """[(kind, start, end)] of a first call of the function `name` between `start` and `end`."""
    direct, nested = compiled_by_xla(name)
    if direct:
        return [("xla-compile", start, end)]
    ran, runnable = begin()
    busy = min(end - start, ran - before[0] + max(0, runnable - before[1]))
    return [
        ("graph-optimise", start, start + busy),
        ("xla-compile" if nested else "first-execution", start + busy, end),
    ]


def _runnable_ns():
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
