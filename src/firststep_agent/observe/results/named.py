"""What the program itself calls its result, through `firststep.result(name, value)`."""

from firststep_agent.observe.results import digests
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_SHOWN = 200  # characters of a value


def start(run: "Any") -> "Callable[[], Iterable[dict[str, Any]]]":
    global _records
    _records = {}
    run.on_fork(_records.clear)
    return lambda: list(_records.values())


_records: "dict[str, dict[str, Any]]" = None  # type: ignore[assignment]


def result(name: str, value: "Any") -> None:
    """Called in the program, whose values may change afterwards: digested at once. Never raises."""
    if _records is None:
        return
    digest = digests.new()
    try:
        digests.feed(digest, value)
    except Exception as error:
        if is_theirs(error):
            raise
        digest.update(f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace"))
    before = _records.get(name)
    if before:
        digest.update(before["digest"].encode())
    _records[name] = {
        "what": "result", "name": str(name), "digest": digest.hexdigest(),
        "count": before["count"] + 1 if before else 1, "values": [repr(value)[:_SHOWN]],
    }
