"""What is watched while a trace runs, because no walk over objects can see it: files, environment, values, random streams."""

from firststep_agent.boost.cache_functions.reads import calls
from firststep_agent.boost.cache_functions.reads.watch import environment, files, modules, streams, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.executed import Executed
    from firststep_agent.boost.cache_functions.reads.snapshot import Snapshot
    from firststep_agent.boost.cache_functions.reads.stands import Stands


class TraceWatch:
    """Context manager around the trace; afterwards `check` refuses, `record` says what goes into the manifest.

    stands: the Stands of the run.
    """

    def __init__(self, stands: "Stands") -> None:
        self._files = files.Files()
        self._environment = environment.Environment()
        self._values = values.Values(stands)
        self._streams = streams.Streams()
        self._modules = modules.Modules()
        self._parts = (self._streams, self._environment, self._values, self._files, self._modules)

    def __enter__(self) -> None:
        for part in self._parts:
            part.start()

    def __exit__(self, *error: object) -> None:
        for part in reversed(self._parts):
            part.stop()

    def check(self, executed: "Executed", snapshot: "Snapshot") -> None:
        """Raises Refused for what cannot be read again in another process."""
        self._files.check()
        self._modules.check()
        calls.check(executed)
        self._values.check(snapshot)
        self._streams.check(self._values.computed(snapshot))
        if self._values.computed(snapshot):
            calls.check_computed(executed)

    def imported(self) -> "frozenset[str]":
        """Files of the modules that were imported first."""
        return self._modules.files()

    def values(self, snapshot: "Snapshot") -> "list[Any]":
        """Tensors and variables whose contents the trace read."""
        return self._values.read(snapshot)

    def record(self) -> "dict[str, Any]":
        """The manifest's part."""
        return {"files": self._files.record(), "environment": self._environment.record(), "streams": self._streams.record(),
                "imports": self._modules.record()}


def recheck(recorded: "dict[str, Any]") -> "str | None":
    """None where files, environment and seeds are as recorded, else what differs."""
    return (files.recheck(recorded["files"]) or environment.recheck(recorded["environment"]) or streams.recheck(recorded["streams"])
            or modules.recheck(recorded["imports"]))
