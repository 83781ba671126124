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
    directories: path -> (stamp, names of modules, names of packages) that were found there."""

    def __init__(self, files: "dict[str, Found]", directories: "dict[str, Listing]", meta: "dict[str, Any]") -> None:
        self.files = files
        self.directories = directories
        self.meta = meta


def load(store: "Store") -> "tuple[Index, Entry | None]":
    """(Index, Entry) of this environment, or (empty Index, None)."""
    entry = store.read(environment_key())
    if entry is None:
        return Index({}, {}, {}), None
    return Index(*marshal.loads(entry.body), entry.meta), entry  # type: ignore[call-arg]


def save(store: "Store", files: "dict[str, Found]", directories: "dict[str, Listing]", meta: "dict[str, Any]",
         pieces: "Sequence[bytes | memoryview]") -> "str | None":
    """Keeps an image. Returns None, or in words why not."""
    frozen = {path: (stamp, frozenset(modules), frozenset(packages))
              for path, (stamp, modules, packages) in directories.items()}
    body = marshal.dumps((files, frozen))
    return store.write(environment_key(), {**description(shared=True), **meta}, body, pieces)
