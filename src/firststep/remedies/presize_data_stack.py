"""Run imports and traces in one large chunk of Python's data stack.

Python 3.11 and later keep the frames of functions in chunks of 16 KiB, mapped when a call needs the next one and
unmapped when it returns. A loop of calls across the end of a chunk maps and unmaps one at every call: thousands of
times in `import tensorflow`. The outermost import of a thread, and each trace of a function, runs in a frame that asks
for a chunk large enough for all below it.

Exact because only where frames lie in memory changes. No frame is larger than half a mebibyte, and pages that are
not used are not there.
"""

SHORT = "a larger stack chunk"
ORDER = 15
NEEDS_CACHE = False
SETTINGS: dict[str, object] = {}
