"""A program that traces, profiles or monitors itself is to see itself alone: the agent steps aside right before that begins.

Coverage, debuggers and profilers see every Python function that runs in their thread, ours as well, and an audit hook sees each file
that is opened, module that is read, process that is made. What is left of the agent from there on is nothing: its functions are out of
the way, its thread has ended, its part of the trace is written.
"""

import sys

from firststep_agent.dressing import leave_no_frame, stand_in_c

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# What begins it without a word to `sys`: (module, class, method); the profilers of Python and others are written in C.
BEGINNINGS = (
    ("coverage.collector", "Collector", "start"),
    ("cProfile", "Profile", "enable"),
    ("yappi", None, "start"),
    ("viztracer.tracer", "_VizTracer", "start"),
    ("pyinstrument.stack_sampler", "StackSampler", "subscribe"),
    ("line_profiler.line_profiler", "LineProfiler", "enable"),
    ("pydevd", "PyDB", "enable_tracing"),
)
# Modules that set a function of theirs only to see whether that works, and take it back before they are imported: every kernel of
# Jupyter imports debugpy, which few of its notebooks use.
TRIALS = ("_pydevd_bundle.pydevd_constants",)
ALL_THREADS = ("_settraceallthreads", "_setprofileallthreads")  # behind threading.settrace_all_threads, from Python 3.12 on
OURS = __package__ + "."  # cache-functions watches a trace by `sys.monitoring` from Python 3.12 on


def step_aside_from(run: "Any") -> None:
    """Has the run step aside before anything of this process is traced: all of it, for such a program watches all of itself."""
    for name in ("settrace", "setprofile", "addaudithook", *ALL_THREADS):
        if hasattr(sys, name):
            run.replace(sys, name, _stand_in(run, getattr(sys, name)))
    if hasattr(sys, "monitoring"):
        run.replace(sys.monitoring, "use_tool_id", _stand_in(run, sys.monitoring.use_tool_id))
    for beginning in BEGINNINGS:
        run.after_import(beginning[0], _watch(run, *beginning[1:]))


def _watch(run: "Any", owner_name: "str | None", method: str) -> "Callable[[Any], None]":
    def watch(module):
        owner = module if owner_name is None else getattr(module, owner_name, None)
        original = getattr(owner, method, None)
        if original is not None:
            run.replace(owner, method, _stand_in(run, original))

    return watch


def _is_none_of_the_programs(module: object) -> bool:
    return type(module) is str and (module in TRIALS or module.startswith(OURS))


def _stand_in(run: "Any", original: "Any") -> "Any":
    def begin(*arguments, **keywords):
        if arguments != (None,) and not _is_none_of_the_programs(sys._getframe(1).f_globals.get("__name__")):  # None ends it
            run.step_aside()
        try:
            return original(*arguments, **keywords)
        except BaseException as error:
            leave_no_frame(error)
            raise

    return stand_in_c(original, begin)
