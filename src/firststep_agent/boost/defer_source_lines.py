"""TensorFlow's registries note where each registration stands without reading its source line.

A registry keeps the frame that registered, for an error message that names its file and line. `traceback` reads the
text of that line as well, and so the source file of each gradient function and of those that called it: a frame's
summary can read it when it is asked for.
"""

import sys

ID = "defer-source-lines"
REGISTRY = "tensorflow.python.framework.registry"


def start(run, settings):
    run.after_import(REGISTRY, lambda registry: _defer(run, registry))


def _defer(run, registry):
    traceback, summaries = registry.traceback, run.tally(ID, "registrations")
    extract, walk = traceback.StackSummary.extract, traceback.walk_stack

    def extract_stack(f=None, limit=None):
        summaries[0] += 1
        stack = extract(walk(sys._getframe().f_back if f is None else f), limit=limit, lookup_lines=False)
        stack.reverse()
        return stack

    stand_in = type(sys)(traceback.__name__, traceback.__doc__)
    vars(stand_in).update(vars(traceback), extract_stack=extract_stack)
    run.replace(registry, "traceback", stand_in, always_until_ready=True)
