"""The modules that starts of this environment load, kept in one file: what `import-image` and `compile-
bytecode` share.

The deepest layer of Python's import system is replaced, and nothing above it: the search of one directory
(`FileFinder.find_spec`) and the reading of one module's code (`SourceFileLoader.get_code`). Loaders, specs,
`sys.meta_path` and `sys.path_hooks` are Python's own, so that every finder of the program or of a package
stands where it stood.
"""

from firststep_agent.boost.image.session import session

__all__ = ["session"]
