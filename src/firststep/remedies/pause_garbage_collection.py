"""Let Python's garbage collector wait while libraries are imported.

A start makes hundreds of thousands of objects that live as long as the program, and Python walks through
them over and over in search of garbage that is not there: a fifth of `import tensorflow`.

Exact because garbage collection changes no value. `gc.isenabled()`, `gc.enable()`, `gc.disable()` and
`gc.collect()` are Python's own; `gc.get_threshold()` answers with the program's thresholds, and at ready
they are in force again.

It ends early, and says so, when the program sets thresholds or freezes objects itself, in a forked child,
after three minutes, and when the resident memory is more than a tenth above what the plain run had at its
peak. It learns that peak on the first run.
"""

SHORT = "collector paused"
ORDER = 10
NEEDS_CACHE = True
SETTINGS: dict[str, object] = {}
