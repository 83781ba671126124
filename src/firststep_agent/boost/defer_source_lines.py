"""TensorFlow's registries note where each registration stands without reading its source line.

A registry keeps the frame that registered, for an error message that names its file and line. `traceback` reads the
text of that line as well, and so the source file of each gradient function and of those that called it: a frame's
summary can read it when it is asked for.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

ID = "defer-source-lines"


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.before_import("tensorflow", lambda: _begin(run))


def _begin(run: "Any") -> None:
    from firststep_agent.frameworks.points import points_at

    (point,) = points_at("tensorflow", "tensorflow.python.framework.registry", "traceback")
    run.put(point, lambda traceback: _deferring(run, traceback), ID)


def _deferring(run: "Any", traceback: "ModuleType") -> "ModuleType":
    """Python's module `traceback`, but for `extract_stack`."""
    summaries = run.tally(ID, "registrations")
    extract, walk = traceback.StackSummary.extract, traceback.walk_stack

    def extract_stack(f=None, limit=None):
        summaries[0] += 1
        stack = extract(walk(sys._getframe().f_back if f is None else f), limit=limit, lookup_lines=False)
        stack.reverse()
        return stack

    stand_in = type(sys)(traceback.__name__, traceback.__doc__)
    vars(stand_in).update(vars(traceback), extract_stack=extract_stack)
    return stand_in
