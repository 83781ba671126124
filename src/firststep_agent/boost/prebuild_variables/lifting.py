"""The way out of a trace for the making of a variable, and the account of what took it."""

import sys
from contextlib import contextmanager
from threading import local

from firststep_agent import kinds
from firststep_agent.boost.prebuild_variables import ID
from firststep_agent.boost.traces import first_traces, scopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_CAPTURING = "variable_capturing_scope"  # TensorFlow's creator that notes a variable as made by the trace


class Lifting:
    """lifted: variables made outside a trace."""

    def __init__(self, run: "Any") -> None:
        self._run = run
        self._reasons: set[str] = set()
        self._reported = False
        self._under_way = local()  # builds: of optimizers and metrics, on this thread
        self.lifted = 0

    @contextmanager
    def build(self, read_before: bool = False) -> "Iterator[None]":
        """While this is open, variables that are made belong to an optimizer or to a model's metrics.

        read_before: as in first_traces.build.
        """
        before = self.building
        self._under_way.builds = before + 1
        try:
            with first_traces.build(read_before):
                yield
        finally:
            self._under_way.builds = before

    @property
    def building(self) -> int:
        """How many builds of optimizers and metrics this thread is in."""
        return getattr(self._under_way, "builds", 0)

    def wanted(self, initializer: "Any") -> bool:
        """Whether a variable with this initialiser, about to be made, is to be made outside the trace."""
        if not self.possible():
            return False
        if not draws_nothing(initializer):
            self._refuse(f"the initialiser `{_name(initializer)}` may draw from a random stream")
            return False
        return True

    def possible(self) -> bool:
        """Whether a variable that is about to be made belongs to a build, and can be made outside the trace."""
        if not self.building or not in_trace():
            return False
        if _in_strategy():
            self._refuse("a distribution strategy decides where its variables live")
            return False
        reason = first_traces.why_not_apart()
        if reason is not None:
            self._refuse(reason)
        return reason is None

    @contextmanager
    def outside(self) -> "Iterator[None]":
        """Makes variables as if no trace were under way."""
        from tensorflow.python.framework import ops

        with scopes.outside():
            graph = ops.get_default_graph()
            creators = graph._variable_creator_stack
            kept = [entry for entry in creators if getattr(entry[1], "__name__", None) != _CAPTURING]
            graph._variable_creator_stack = [*kept, (0, self._count)]
            try:
                yield
            finally:
                graph._variable_creator_stack = creators

    def _count(self, next_creator: "Callable[..., Any]", **keywords: "Any") -> "Any":
        self.lifted += 1
        variable, _ = first_traces.make_apart(next_creator, **keywords)
        return variable

    def _refuse(self, reason: str) -> None:
        if reason not in self._reasons:
            self._reasons.add(reason)
            self._run.note(ID, "refused", reason=reason)

    def report(self) -> None:
        if self.lifted and not self._reported:
            self._reported = True
            self._run.note(ID, "live", variables=self.lifted)


def in_trace() -> bool:
    """Whether a function is being traced below an eager program, possibly in an init_scope of it."""
    ops = sys.modules.get("tensorflow.python.framework.ops")
    return (ops is not None and ops.get_default_graph().building_function
            and ops.executing_eagerly_outside_functions())


def _in_strategy() -> bool:
    distribute = sys.modules.get("tensorflow.python.distribute.distribute_lib")
    return distribute is not None and distribute.has_strategy()


def _name(initializer: "Any") -> str:
    """Without asking it for its words, which may be the program's."""
    if type(initializer) is str:
        return initializer
    function = kinds.plain_function(initializer)
    return kinds.qualified(type(initializer)) if function is None else function.__qualname__


def draws_nothing(initializer: "Any") -> bool:
    """True for what gives the same value however often, and whenever, it is asked."""
    if isinstance(initializer, str):
        return initializer.lower() in ("zeros", "ones")
    kind = type(initializer)
    return kind.__name__ in ("Zeros", "Ones", "Constant") and kind.__module__.split(".")[0] in (
        "keras", "tf_keras", "tensorflow")
