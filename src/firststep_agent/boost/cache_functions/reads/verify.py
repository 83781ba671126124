"""Whether what a manifest records still holds in this process."""

from firststep_agent.boost.cache_functions.reads import inner, library, manifest
from firststep_agent.boost.cache_functions.reads.names import Names
from firststep_agent.boost.cache_functions.reads.watch import recheck
from firststep_agent.boost.objects import paths, roots, words
from firststep_agent.boost.objects.pausing import Paused
from firststep_agent.boost.objects.reading import Reading
from firststep_agent.boost.objects.walk import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def verify(recorded: "Any", python_function: "Any") -> "str | None":
    """None where everything holds, else what differs, in words."""
    if recorded.get("schema") != manifest.SCHEMA:
        return "it was learned by another version of firststep"
    with Paused():
        return recheck(recorded) or library.check(recorded["library"]) or _state(recorded, python_function)


def _state(recorded: "dict[str, Any]", python_function: "Any") -> "str | None":
    names = Names.from_json(recorded["names"])
    try:
        wanted = frozenset(id(paths.resolve(python_function, path)) for path in recorded["values"])
    except LookupError as error:
        return f"a value that the trace read is no longer there ({error})"
    found = walk(roots.roots(python_function), Reading(names, wanted))
    if found.opaque:
        return words.opaque(found, found.opaque[0])
    if found.digest() == recorded["state"]["digest"]:
        stale = inner.stale((v for v in found.objects if inner.is_function(v)), python_function)
        if stale is not None:
            return str(inner.refusal(stale))
        if not wanted:
            inner.remember_replayed(python_function, names, recorded["state"]["digest"])
        return None
    return words.difference(found, manifest.unpack(recorded["state"]["lines"]))
