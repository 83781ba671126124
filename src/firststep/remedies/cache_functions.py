"""Keep traced and optimised functions on disk and call them in the next start.

A `tf.function`, Keras's training step first of all, is traced, differentiated and optimised anew in every process.
After the learning run the optimised function is kept with a list of everything that its tracing depended on; the
next start binds it to the new process's variables and calls it.

Exact because it is used only while everything that it depended on is the same: code, values that the code read,
shapes, versions, settings. What cannot be digested is not kept, and the report says which object and why. Random
streams stand where a trace would have left them. An entry that ever disagreed is never used again. See
docs/function-cache.md.

It refuses functions whose tracing has effects outside of the function, that create variables while they are traced,
or that call back into Python.
"""

from typing import Any

SHORT = "kept functions"
ORDER = 60
NEEDS_CACHE = True
SETTINGS: dict[str, Any] = {}
