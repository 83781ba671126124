"""Keep the bytecode that Python itself could not keep.

In a read-only image, under `PYTHONDONTWRITEBYTECODE`, after an installer that does not compile, or where a
deployment changed every file's time, Python compiles thousands of modules at each start. The code that it
compiled in the first run is kept in the image of `import-image`.

Exact because it is the very code that Python compiled, under the same conditions as in `import-image`: used
only while the source file is, to the nanosecond of its change time, the one that was compiled. (Python's own
bytecode looks at seconds.) Warnings that the compiler prints come in the first run only, as with Python's
own bytecode.

It refuses what `import-image` refuses. Where Python has valid bytecode of its own, that is used.
"""

SHORT = "kept bytecode"
ORDER = 31
NEEDS_CACHE = True
SETTINGS: dict[str, object] = {}
