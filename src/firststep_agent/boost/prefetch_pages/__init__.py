"""The parts of files that a start touches, read ahead by threads while the interpreter still starts.

What the first run touched is learned at its ready: pages of mapped libraries from the kernel's page map, and files
that were opened. Reading ahead changes nothing but the page cache.
"""

from firststep_agent.boost.program import program_key
from firststep_agent.boost.store import store_for
from firststep_agent.plain_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID = "prefetch-pages"


def start(run: "Any", settings: "dict[str, Any]") -> None:
    store = store_for(run, ID)
    if store is None:
        return
    entry = store.read(program_key())
    if entry is None:
        from firststep_agent.boost.prefetch_pages.learning import learn

        learn(run, store)
        return
    entry.close()
    from firststep_agent.boost.prefetch_pages.reading import read_ahead

    read_ahead(run, loads(entry.body.decode("ascii")))
