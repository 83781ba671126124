"""Python's data stack: a chunk large enough for the frames of all that a function calls.

From 3.11 on, Python keeps the frames of Python functions in chunks of 16 KiB, which it maps when a call needs the next
one and unmaps when that call returns. Where a loop of calls happens to run across the end of a chunk, each call maps
and unmaps one. A frame that says that it needs much is given a chunk that holds much, and all that is called from it
uses the rest.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

EXISTS = sys.version_info >= (3, 11)
SLOTS = 33_000  # 258 KiB: more than half of the chunk that CPython makes for it (512 KiB, of which only used pages count)
_TRACES = "tensorflow.python.eager.polymorphic_function.tracing_compilation", "_create_concrete_function.__code__"


def presize_traces(run: "Any", by: str) -> None:
    """Until ready, all that a trace of TensorFlow's calls has its frames in a chunk of its own."""
    if EXISTS:
        from firststep_agent.frameworks.points import points_at

        (traces,) = points_at("tensorflow", *_TRACES)
        run.put(traces, lambda code: None if code.co_stacksize >= SLOTS else large(code), by)  # two may wish it


def large(code: "CodeType") -> "CodeType":
    """The code, of a frame that says that it needs much."""
    return code.replace(co_stacksize=SLOTS)
