"""Watches the modules that the image lacks while they are loaded plainly, and keeps them at ready."""

import _frozen_importlib_external as external
from binascii import crc32
from marshal import dumps

from firststep_agent import ownership
from firststep_agent.as_found import os, time
from firststep_agent.boost.image import index as indexes
from firststep_agent.boost.image.index import is_of_every_start
from firststep_agent.boost.image.serving import WITH_BYTECODE, WITHOUT_BYTECODE, home, standard_loaders, unchanged_loaders
from firststep_agent.boost.image.stamps import directory_stamp, settled, stamp, stamp_with_content, tells
from firststep_agent.clock import now
from firststep_agent.compiler_heard import CompilerHeard
from firststep_agent.descriptors import open_own
from firststep_agent.dressing import leave_not_mine
from firststep_agent.imports import in_the_place_of
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _frozen_importlib import ModuleSpec
    from collections.abc import Callable, Iterable, Iterator
    from types import CodeType
    from typing import Any

    from firststep_agent.boost.image.index import Index, Listing, Stamp
    from firststep_agent.boost.store import Entry, Store

HEADER = 16  # bytes of a .pyc before its code: magic number, flags, time and size of its source
FEWEST = 8  # modules that the image may lack before it is written anew
SHARE = 0.01  # of its modules, likewise


class Learner:
    """What was loaded plainly. remedies: those whose modules are to be learned."""

    def __init__(self, store: "Store", index: "Index", entry: "Entry | None") -> None:
        self.remedies: set[str] = set()
        self._store = store
        self._index = index
        self._entry = entry
        self._began = time.time_ns()
        self._watching = True
        self._codes: dict[str, CodeType] = {}  # source path -> code
        self._stamps: dict[str, Stamp | None] = {}  # source path -> the file's stamp before it was read
        self._warned: set[str] = set()  # source paths
        self._bytecode: dict[str, bytes] = {}  # source path -> the .pyc's bytes
        self._written: dict[str, str] = {}  # source path -> the .pyc that Python meant to write
        self._load_ns: dict[str, int] = {}
        self._found: dict[str, dict[str, bool]] = {}  # directory -> {name: is a package}

    # --- watching --------------------------------------------------------------------------------------------

    def watch(self, run: "Any", loader_type: "Any") -> None:
        """Sees the bytecode that Python reads and writes, so that nothing needs to be read a second time."""
        plain_data, plain_cache = loader_type.get_data, loader_type._cache_bytecode
        ending, leave = external.BYTECODE_SUFFIXES[0], leave_not_mine

        def get_data(self_, path):
            try:
                data = plain_data(self_, path)
            except BaseException as error:
                leave(error)
                raise
            if path.endswith(ending) and type(self_) is loader_type and self._watching:
                self._bytecode[self_.path] = data
            return data

        def _cache_bytecode(self_, source_path, bytecode_path, data):
            if type(self_) is loader_type and self._watching:
                self._bytecode[source_path] = data
                self._written[source_path] = bytecode_path
            try:
                return plain_cache(self_, source_path, bytecode_path, data)
            except BaseException as error:
                leave(error)
                raise

        run.replace(home(loader_type, "get_data"), "get_data", in_the_place_of(plain_data, get_data))
        run.replace(home(loader_type, "_cache_bytecode"), "_cache_bytecode", in_the_place_of(plain_cache, _cache_bytecode))

    def get_code(self, original: "Callable[..., Any]") -> "Callable[..., Any]":
        leave, clock, heard, stamp_of, unchanged = leave_not_mine, now, CompilerHeard, _stamp_of, unchanged_loaders()
        of_every_start = is_of_every_start if self._entry is not None else lambda name: False

        def get_code(self_, fullname):
            is_pythons = unchanged(self_)
            before = stamp_of(self_.path) if self._watching else None
            began = clock()
            warned = heard()
            try:
                with warned:
                    code = original(self_, fullname)
            except BaseException as error:
                leave(error)
                raise
            if is_pythons and self._watching and (self._index.is_read or not of_every_start(fullname)):
                if warned.texts:
                    self._warned.add(self_.path)
                self._codes[self_.path] = code
                self._stamps[self_.path] = before
                self._load_ns[self_.path] = clock() - began
            return code

        return get_code

    def find_spec(self, original: "Callable[..., Any]") -> "Callable[..., Any]":
        self._search = original
        finder_type, standard, leave, is_source = external.FileFinder, standard_loaders(), leave_not_mine, _is_source

        def find_spec(self_, fullname, target=None):
            try:
                spec = original(self_, fullname, target)
            except BaseException as error:
                leave(error)
                raise
            if is_source(spec) and type(self_) is finder_type and self_._loaders == standard:  # type: ignore[attr-defined]
                name = fullname.rpartition(".")[2]
                self._found.setdefault(self_.path, {})[name] = spec.submodule_search_locations is not None
            return spec

        return find_spec

    # --- keeping ---------------------------------------------------------------------------------------------

    def keep(self) -> "tuple[dict[str, int], str | None]":
        """Writes the image anew if enough is missing. Returns ({remedy: modules learned}, None or why not)."""
        self._watching = False
        try:
            return self._keep()
        finally:
            self._codes.clear()
            self._bytecode.clear()

    def _keep(self) -> "tuple[dict[str, int], str | None]":
        if len(self._codes) < FEWEST or len(self._codes) < SHARE * len(self._index.files):
            return {}, None
        files, pieces = {}, []
        learned: dict[str, int] = {}
        spent: dict[str, int] = {}
        offset = 0
        for path, stamped, data, compiled in (*self._old_modules(), *self._new_modules()):
            remedy = WITHOUT_BYTECODE if compiled else WITH_BYTECODE
            files[path] = (stamped, offset, len(data), crc32(data), compiled)
            pieces.append(data)
            offset += len(data)
            if path in self._codes:
                learned[remedy] = learned.get(remedy, 0) + 1
                spent[remedy] = spent.get(remedy, 0) + self._load_ns[path]
        if not learned:
            return {}, None
        reason = indexes.save(self._store, files, self._directories(), self._meta(learned, spent), pieces)
        return learned, reason

    def _meta(self, learned: "dict[str, int]", spent: "dict[str, int]") -> "dict[str, dict[str, int]]":
        """Modules of each remedy that were timed in a plain run, and the time they took there."""
        old = self._index.meta
        return {
            name: {remedy: old.get(name, {}).get(remedy, 0) + new.get(remedy, 0)
                   for remedy in (WITH_BYTECODE, WITHOUT_BYTECODE)}
            for name, new in (("modules", learned), ("load_ns", spent))
        }

    def _old_modules(self) -> "Iterator[tuple[str, Stamp, bytes | memoryview, bool]]":
        for path, (stamped, offset, size, checksum, compiled) in self._index.files.items():
            if path not in self._codes and _stamp_of(path, lambda found, path=path: stamp_with_content(path, found)) == stamped:
                data = self._entry.piece(offset, size, checksum)
                if data is not None:
                    yield path, stamped, data, compiled

    def _new_modules(self) -> "Iterator[tuple[str, Stamp, bytes | memoryview, bool]]":
        for path, code in self._codes.items():
            try:
                found = os.stat(path)
            except OSError as error:
                if is_theirs(error):
                    raise
                continue
            if not settled(found, self._began) or stamp(found) != self._stamps[path]:
                continue
            data = self._kept_bytecode(path)
            if data is not None and data[:4] == external.MAGIC_NUMBER and data[4:8] != b"\0\0\0\0":
                continue  # bytecode that need not follow its source: only Python can tell what holds
            if data is not None and _is_of(data, found):
                if WITH_BYTECODE in self.remedies and not _may_be_stale(path, found):
                    yield path, stamp_with_content(path, found), memoryview(data)[HEADER:], False
            elif WITHOUT_BYTECODE in self.remedies and path not in self._warned:
                yield path, stamp_with_content(path, found), dumps(code), True

    def _kept_bytecode(self, path: str) -> "bytes | None":
        """The .pyc's bytes; None where there is none, for Python compiles such a module, and warns of it, in each start. It says nothing
        where it cannot write one."""
        data, written = self._bytecode.get(path), self._written.get(path)
        return data if data is None or written is None or _begins_with(written, data[:HEADER]) else None

    def _directories(self) -> "dict[str, Listing]":
        known = {path: listing for path, listing in self._index.directories.items()
                 if path not in self._found and _stamp_of(path, directory_stamp) == listing[0]}
        for directory, names in self._found.items():
            try:
                found = os.stat(directory)
            except OSError as error:
                if is_theirs(error):
                    raise
                continue
            if not tells(found):
                continue  # what is in it now cannot be told from its times
            now_stamp = directory_stamp(found)
            if not settled(found, self._began):
                if not settled(found, time.time_ns()):
                    continue
                names = self._searched_again(directory, names)
            old = self._index.directories.get(directory)
            modules = {name for name, is_package in names.items() if not is_package}
            packages = {name for name, is_package in names.items() if is_package}
            if old is not None and old[0] == now_stamp:
                modules |= old[1]
                packages |= old[2]
            known[directory] = (now_stamp, *self._without_moving(directory, modules, packages))
        self._add_packages(known)
        return known

    def _add_packages(self, known: "dict[str, Listing]") -> None:
        """The folders of packages: what is in them decides whether it is their source that is found."""
        for directory, (_, _, packages) in list(known.items()):
            for name in packages:
                folder = f"{directory.rstrip('/')}/{name}"
                found = None if folder in known else _status_of(folder)
                if found is None or not tells(found) or not settled(found, time.time_ns()):
                    continue
                if settled(found, self._began) or self._searched_again(directory, [name]).get(name):
                    known[folder] = (directory_stamp(found), frozenset(), frozenset())

    def _searched_again(self, directory: str, names: "Iterable[str]") -> "dict[str, bool]":
        """Python wrote bytecode there meanwhile, or somebody something else: what is found now counts."""
        finder = external.FileFinder(directory, *external._get_supported_file_loaders())  # type: ignore[attr-defined]
        found = {}
        for name in names:
            spec = self._search(finder, name)
            if _is_source(spec):
                found[name] = spec.submodule_search_locations is not None
        return found

    @staticmethod
    def _without_moving(directory: str, modules: "Iterable[str]", packages: "Iterable[str]") -> "tuple[set[str], set[str]]":
        """What a link leads to, and what is in a folder that has a module's name, can change without the directory: those are searched
        plainly."""
        links, folders = set(), set()
        for entry in os.scandir(directory):
            if entry.is_symlink():
                links.add(entry.name)
            elif entry.is_dir():
                folders.add(entry.name)
        suffixes = [suffix for _, some in external._get_supported_file_loaders() for suffix in some]  # type: ignore[attr-defined]
        return ({name for name in modules if name not in folders and links.isdisjoint((name, *(name + suffix for suffix in suffixes)))},
                {name for name in packages if name not in links
                 and not any(os.path.islink(f"{directory}/{name}/__init__{suffix}") for suffix in suffixes)})


def _is_source(spec: "ModuleSpec | None") -> bool:
    return spec is not None and type(spec.loader) is external.SourceFileLoader


def _begins_with(path: str, begin: bytes) -> bool:
    try:
        with open_own(path, os.O_RDONLY | os.O_NONBLOCK) as file:
            return os.pread(file.number(), len(begin), 0) == begin
    except OSError as error:
        if is_theirs(error):
            raise
        return False


def _status_of(path: str) -> "os.stat_result | None":
    try:
        return os.stat(path)
    except OSError as error:
        if is_theirs(error):
            raise
        return None


def _stamp_of(path: str, kind: "Callable[..., Stamp]" = stamp) -> "Stamp | None":
    try:
        return kind(os.stat(path))
    except OSError as error:
        if is_theirs(error):
            raise
        return None


def _may_be_stale(path: str, source: "os.stat_result") -> bool:
    """Whether the bytecode that Python keeps is from before the last change of a program's own source. Python takes it where the source's
    size and time are what they were, until somebody removes it."""
    kept = _status_of(external.cache_from_source(path)) if ownership.is_programs_file(path) else None
    return kept is not None and kept.st_ctime_ns < source.st_ctime_ns


def _is_of(bytecode: bytes, source: "os.stat_result") -> bool:
    """Whether a .pyc's header names this version of the source, as Python checks it."""
    mtime = int(source.st_mtime) & 0xFFFFFFFF
    return (bytecode[:4] == external.MAGIC_NUMBER and bytecode[4:8] == b"\0\0\0\0"
            and bytecode[8:12] == mtime.to_bytes(4, "little")
            and bytecode[12:16] == (source.st_size & 0xFFFFFFFF).to_bytes(4, "little"))
