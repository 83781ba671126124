"""The table of an image: which version of which file it stands for, and where in the entry's tail its code
is.
"""

import marshal

from firststep_agent.boost.program import description, environment_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence, Set
    from typing import Any

    from firststep_agent.boost.store import Entry, Store

    Stamp = tuple[Any, ...]  # of a file: with the digest of what is in it, where its times say nothing
    Found = tuple[Stamp, int, int, int, bool]
    Listing = tuple[tuple[int, int, int], Set[str], Set[str]]

FOLDER = "import-image"


class Index:
    """files: source path -> (stamp, offset, size, checksum, compiled); compiled: Python had no bytecode of it.
    directories: path -> (stamp, names of modules, names of packages) that were found there.

    Both are read when they are first asked for, which is_read tells: a program that imports nothing does not wait for them.
    """

    files: "dict[str, Found]"
    directories: "dict[str, Listing]"

    def __init__(self, meta: "dict[str, Any]", body: bytes) -> None:
        self.meta = meta
        self.is_read = False
        self._body = body

    def __getattr__(self, name: str) -> "Any":
        if name not in ("files", "directories"):
            raise AttributeError(name)
        try:
            self.files, self.directories = marshal.loads(self._body)  # two threads that ask at once read the same
        except (ValueError, EOFError, TypeError):  # no index, whatever its checksum says
            self.files, self.directories = {}, {}
        self.is_read = True
        return vars(self)[name]


def is_of_every_start(name: str) -> bool:
    """Whether a module is looked for where the program imports nothing: by the agent, or by `site`. No reason to read an index."""
    return name.partition(".")[0] in ("firststep_agent", "sitecustomize", "usercustomize")


def load(store: "Store") -> "tuple[Index, Entry | None]":
    """(Index, Entry) of this environment, or (empty Index, None)."""
    entry = store.read(environment_key())
    if entry is None:
        return Index({}, marshal.dumps(({}, {}))), None
    return Index(entry.meta, entry.body), entry


def save(store: "Store", files: "dict[str, Found]", directories: "dict[str, Listing]", meta: "dict[str, Any]",
         pieces: "Sequence[bytes | memoryview]") -> "str | None":
    """Keeps an image. Returns None, or in words why not."""
    frozen = {path: (stamp, frozenset(modules), frozenset(packages))
              for path, (stamp, modules, packages) in directories.items()}
    body = marshal.dumps((files, frozen))
    return store.write(environment_key(), {**description(shared=True), **meta}, body, pieces)
