"""Has what the program's learning run touched on disk read from the moment of the start on.

The agent does the same once the interpreter runs (`prefetch-pages`); on a machine that has just started, the interpreter's own
start waits for the disk. Besides the contents, the tool looks the import image's files and folders up: each look-up that
the kernel has not made before is a wait of its own.
"""

from __future__ import annotations

import marshal
import os
import shutil
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from firststep.model.plan import Plan
from firststep_agent.boost import folders, store, upkeep
from firststep_agent.boost.image.index import FOLDER as IMAGE
from firststep_agent.boost.prefetch_pages import ID as PAGES
from firststep_agent.boost.prefetch_pages.reading import BY_THE_TOOL, Readers, fits, is_resident, ranges_of
from firststep_agent.boost.program import program
from firststep_agent.plain_json import loads

LOOKUPS = 4  # threads


def begin(plan: Plan, command: Sequence[str], session: str) -> None:
    """Starts reading in threads, where there is something that was learned. Never fails: it is the program that matters.

    session: the folder that is shared with the agent, which leaves to the tool what that has begun.
    """
    if PAGES in plan.boost and plan.cache:
        threading.Thread(target=_read, args=(plan.cache, list(command), session), daemon=True).start()


def _read(cache: str, command: Sequence[str], session: str) -> None:
    try:
        prefix = _prefix(command[0])
        pages = _entry(cache, PAGES, prefix, program(list(command)))
        if pages is None:
            return
        ranges = ranges_of(loads(pages.body.decode("ascii")))
        if is_resident(ranges) or not fits(ranges):
            return
        image = _entry(cache, IMAGE, prefix)  # before the disk has much to do
        Path(session, BY_THE_TOOL).touch()
        Readers(ranges).start()
        if image is not None:
            paths = iter([path for table in marshal.loads(image.body) for path in table])
            for _ in range(LOOKUPS):
                threading.Thread(target=_look_up, args=(paths,), daemon=True).start()
    except Exception:
        return  # unsafe, damaged, of another format: the agent says so


def _look_up(paths: Iterable[str]) -> None:
    for path in paths:
        try:
            os.stat(path)
        except OSError:
            continue


def _prefix(interpreter: str) -> str:
    """What `sys.prefix` will be: the virtual environment's folder, or where the interpreter is installed."""
    found = Path(os.path.abspath(shutil.which(interpreter) or interpreter))
    if (found.parent.parent / "pyvenv.cfg").exists():
        return str(found.parent.parent)
    return str(found.resolve().parent.parent)


def _entry(cache: str, remedy: str, prefix: str, program_: str | None = None) -> store.Entry | None:
    """The latest entry of this environment and program. Raises store.Unsafe."""
    found = [file for file in upkeep.files(folders.root(cache), [remedy]) if file.is_entry]
    for one in sorted(found, key=lambda file: -file.last_used):
        with one.open() as file:
            entry: store.Entry = store.read_entry(file)
        if entry.meta.get("prefix") == prefix and (program_ is None or entry.meta.get("program") == program_):
            return entry
    return None
