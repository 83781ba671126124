"""An entry bound to this process: its builds made, its captures found, and what stands for its trace besides the graph."""

from firststep_agent import counted, streams
from firststep_agent.boost.cache_functions.answer import late
from firststep_agent.boost.cache_functions.keep import access, builds, captures, nested
from firststep_agent.boost.cache_functions.proof import work
from firststep_agent.boost.traces import first_traces, speech

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firststep_agent.boost.cache_functions.reads.sources import Sources


class Bound:
    """`asked`, a trace, and `entry`, which may stand for it. perform() first; what it raises leaves nothing behind."""

    def __init__(self, asked: "Any", entry: "Any", create: "Callable[..., Any]") -> None:
        from firststep_agent.boost.cache_functions.reads.repeated import Repeated

        self._asked = asked
        self._header = entry.header
        self._create = create
        self._resolve = access.resolver(asked.function)
        self._repetition = builds.RepeatedBuilds(self._header.builds, self._resolve, self._header.said_by_builds)
        self._settled = False
        self.changes = Repeated(self._header.manifest, asked.function)  # before a build moves objects
        self.nested: list = []  # functions that would be traced with it
        self.traced: list = []  # that were, by trace(): (TensorFlow's options, concrete function)

    def perform(self) -> "list[Any]":
        """Makes the builds; the captures, in their order. Raises builds.NotRepeatable, captures.NotReachable, LookupError."""
        try:
            self.changes.are_built(self._repetition.perform(self.changes.builds()))
            self.nested = nested.bind(self._header.nested, self._resolve)  # where the builds have put them
            return captures.bind(self._header.captures, self._resolve)
        except BaseException:
            self._repetition.undo()
            raise

    def job(self, bound: "list[Any]", sources: "Sources | None" = None) -> "work.Job":
        """What a child has to do to prove the entry, from here. bound: what perform() gave."""
        header = self._header
        return work.Job(self._asked.name, self._asked.function, _nothing, self._settle,
                        lambda: self.trace(self._asked.func_graph), lambda: header, bound, header.manifest["files"],
                        header.proof_bound_s, sources=sources)

    def tell(self) -> None:
        """Says what the builds have said."""
        self._repetition.tell()

    def trace(self, func_graph: "Any") -> "Any":
        """The concrete function, traced for real after the builds."""
        return late.trace(self._asked, self._header, func_graph, self._create, self.traced)

    def settle(self) -> None:
        """Leaves behind what the trace would have left, the graph apart."""
        self._settled = True
        self.tell()
        self._settle()
        first_traces.settle()

    def _settle(self) -> None:
        self.changes.repeat()
        streams.move_names(self._header.names)
        streams.draw(self._header.drawn)
        counted.move(self._header.asked)
        speech.again(self._header.said_in_trace)

    def undo(self) -> None:
        """As if it had not been bound."""
        if self._settled:
            self.changes.put_back()
            streams.move_names_back(self._header.names)
            streams.draw_back(self._header.drawn)
            counted.move_back(self._header.asked)
        self._repetition.undo()


def _nothing() -> None:
    """The state at the fork is that before the trace."""
