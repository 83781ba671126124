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
    from collections.abc import Sequence
    from typing import Any


class Verified:
    """reason: None where everything that the trace read holds, else what differs, in words; differs: places of the program's state that
    the trace may have read, and that are others (`Names.at_large`)."""

    def __init__(self, reason: "str | None", differs: "Sequence[str]" = ()) -> None:
        self.reason = reason
        self.differs = differs


def verify(recorded: "Any", python_function: "Any") -> "str | None":
    """None where everything holds, else what differs, in words."""
    return verified(recorded, python_function).reason


def verified(recorded: "Any", python_function: "Any") -> "Verified":
    """Looks at everything that a manifest records."""
    if recorded.get("schema") != manifest.SCHEMA:
        return Verified("it was learned by another version of firststep")
    with Paused():
        reason = recheck(recorded) or library.check(recorded["library"])
        return Verified(reason) if reason else _state(recorded, python_function)


def _state(recorded: "dict[str, Any]", python_function: "Any") -> "Verified":
    names = Names.from_json(recorded["names"])
    try:
        wanted = frozenset(id(paths.resolve(python_function, path)) for path in recorded["values"])
    except LookupError as error:
        return Verified(f"a value that the trace read is no longer there ({error})")
    found, differs = walk(roots.roots(python_function), Reading(names.at_large(), wanted)), []
    if found.digest() != recorded["at_large"]["digest"]:
        differs = words.differences(found, manifest.unpack(recorded["at_large"]["lines"]))
        found = walk(roots.roots(python_function), Reading(names, wanted))
        if found.opaque:
            return Verified(words.opaque(found, found.opaque[0]))
        if found.digest() != recorded["state"]["digest"]:
            return Verified(words.difference(found, manifest.unpack(recorded["state"]["lines"])))
    stale = inner.stale((v for v in found.objects if inner.is_function(v)), python_function)
    if stale is not None:
        return Verified(str(inner.refusal(stale)))
    if not wanted and not names.anywhere:
        inner.remember_replayed(python_function, names, recorded["state"]["digest"])
    return Verified(None, differs)
