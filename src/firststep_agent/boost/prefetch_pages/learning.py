"""Which parts of which files a start touched."""

import sys

from firststep_agent.as_found import open, os
from firststep_agent.boost.prefetch_pages import ID
from firststep_agent.boost.program import description, environment_key, folder, program_key
from firststep_agent.plain_json import dumps
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from firststep_agent.boost.store import Store

PAGE = os.sysconf("SC_PAGE_SIZE")
GAP = 32  # pages: smaller holes between touched pages are read with them
SMALLEST = 65536  # bytes of an opened file that is worth an entry
MOST_OPENED = 10_000  # files that are noted: a program may open others for ever, and a start does not wait for so many
PRESENT = 63  # the bit of a page map's word that says the page is there


def learn(run: "Any", store: "Store") -> None:
    """Notes opened files until ready, looks at the mapped ones there, and keeps both."""
    opened = _watch_opened()
    pid = os.getpid()

    def keep():
        if opened["active"] and os.getpid() == pid:
            opened["active"] = False
            files = _touched([path for path, is_read in opened["paths"].items() if is_read], run.cache)
            size = sum(length for _, _, ranges in files for _, length in ranges)
            reason = store.write(program_key(), description(), dumps(files).encode("ascii"))
            labels = {"reason": reason} if reason else {"files": len(files), "megabytes": size // 1_000_000}
            run.note(ID, "refused" if reason else "learned", **labels)

    run.on_ready(keep)
    run.on_exit(keep)


def _watch_opened() -> "dict[str, Any]":
    """`paths`: path -> whether it was opened to be read alone, each time. What is written is nothing that a start waits for, and the
    program may lock it. By an audit hook, which cannot be taken away again, so it looks at its `active` first."""
    state: dict[str, Any] = {"active": True, "paths": {}}

    def hook(event, arguments):
        if event == "open" and state["active"] and _is_of_a_name(*arguments):
            path, _, flags = arguments[:3]
            here = "/" if path.startswith("/") else folder()  # as it is now: the program may go elsewhere
            if here is not None:
                full = os.path.join(here, path)
                if full in state["paths"] or len(state["paths"]) < MOST_OPENED:
                    state["paths"][full] = state["paths"].get(full, True) and not flags & os.O_ACCMODE

    sys.addaudithook(hook)
    return state


def _is_of_a_name(path: object = None, mode: object = None, flags: object = None, *more: object) -> bool:
    """Whether a file is opened by its name. Programs may tell of more by the same word."""
    return type(path) is str and isinstance(flags, int)


def _touched(opened: "Iterable[str]", cache: str) -> "list[tuple[str, list[int], list[list[int]]]]":
    """[path, [size, inode], [[offset, length], ...]] per file, in the order of need."""
    files: dict[str, Any] = {}
    image = os.path.join(cache, "import-image", environment_key() + ".entry")
    for path in (image, *opened):
        if not path.startswith(("/proc/", "/sys/", "/dev/")) and not path.endswith((".pyc", ".py", ".part")):
            files.setdefault(os.path.abspath(path), None)
    for path, ranges in _mapped().items():
        files[path] = ranges
    found = []
    for path, ranges in files.items():
        try:
            stat = os.stat(path)
        except OSError as error:
            if is_theirs(error):
                raise
            continue
        if os.path.isfile(path) and stat.st_size >= SMALLEST:
            found.append((path, identity(stat), ranges or [[0, stat.st_size]]))
    return found


def identity(stat: "os.stat_result") -> "list[int]":
    """What tells whether a file is still the one that was learned: only where to read ahead depends on it."""
    return [stat.st_size, stat.st_ino]


def _mapped() -> "dict[str, list[list[int]]]":
    """Path -> ranges of a file that are mapped and present in this process."""
    pages: dict[str, list[int]] = {}
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps, open("/proc/self/pagemap", "rb", 0) as page_map:
            for line in maps:
                fields = line.split(None, 5)
                if len(fields) == 6 and fields[5].startswith("/") and not {"w", "s"} <= set(fields[1]):  # nor is what is written there
                    low, _, high = fields[0].partition("-")
                    first = int(fields[2], 16) // PAGE
                    present = _present(page_map.fileno(), int(low, 16) // PAGE, int(high, 16) // PAGE)
                    pages.setdefault(fields[5].rstrip("\n"), []).extend(first + number for number in present)
    except OSError as error:
        if is_theirs(error):
            raise
    return {path: _ranges(sorted(numbers)) for path, numbers in pages.items() if numbers}


def _present(file: int, first: int, end: int) -> "list[int]":
    """Numbers, from 0, of the pages of one mapping that are present."""
    words = memoryview(os.pread(file, (end - first) * 8, first * 8)).cast("Q")
    return [number for number, word in enumerate(words) if word >> PRESENT]


def _ranges(pages: "Iterable[int]") -> "list[list[int]]":
    """[[offset, length], ...] in bytes, holes of up to GAP pages filled."""
    found: list[list[int]] = []
    for page in pages:
        if found and page - found[-1][1] <= GAP:
            found[-1][1] = page
        else:
            found.append([page, page])
    return [[first * PAGE, (last - first + 1) * PAGE] for first, last in found]
