"""Read the modules that a start needs from one file instead of thousands.

`import tensorflow` searches directories and opens, checks and reads a file for each of 2,600 modules. After
the first run their code stands in one file of the cache, and the directories' contents beside it.

Exact because each module's source file is looked at (`stat`: modification and change times, size, inode)
before its code is used, and so is each directory before its contents are relied upon; whatever differs is
loaded plainly, and learned. Only the deepest layer of Python's import system is replaced, the search of one
directory and the reading of one module: finders, loaders, specs, `__file__`, `__cached__`, tracebacks,
`inspect`, `importlib.resources`, `pickle` and `pkgutil` are as before, and a folder earlier on the path, an
editable install or a `.pth` file comes first as it always did. At ready Python's own functions are back.

It leaves alone: loaders and finders that are not Python's own, bytecode that is not checked against its
source, symbolic links, files that changed while the program ran, and everything under `python -v`.
"""

SHORT = "modules from one file"
ORDER = 30
NEEDS_CACHE = True
SETTINGS: dict[str, object] = {}
