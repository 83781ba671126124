"""What the step hooks of one process share: who is inside what, and what has trained."""

import sys
from _thread import get_ident
from weakref import WeakKeyDictionary, WeakSet

from firststep_agent.clock import now
from firststep_agent.observe.eagerness import eager
from firststep_agent.observe.steps.assignments import OpenGradients
from firststep_agent.observe.steps.device import wait_for_devices
from firststep_agent.observe.steps.intent import stack_speaks_of_training

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Steps:
    """Turns what the hooks see into ended steps of the run."""

    def __init__(self, run: "Any") -> None:
        self.run = run
        self.inside: dict[int, str] = {}  # thread -> the outermost of fit, evaluate, predict, train_on_batch, apply, session, load
        self.kinds: WeakKeyDictionary[Any, str] = WeakKeyDictionary()  # of functions: what a call of each is
        self.session_kinds: dict[Any, Any] = {}  # of what sessions and their callables run
        self.marks = 0  # grows whenever a training step is traced, or a traced one is taken from a cache
        self._ended: set[int] = set()  # who has ended a step of the current iteration
        self.models_traced = 0  # grows whenever a model is called while a function is traced, or such a function is taken from a cache
        self.training_graphs: WeakSet[Any] = WeakSet()  # of functions that train
        self.pending = OpenGradients(self)
        self._called: set[int] = set()  # models that have been called on values
        self._scanned = False
        run.on_training(self._mark)
        run.on_model(self._mark_model)
        run.on_fork(self.inside.clear)

    def traced(self) -> None:
        """A training step is being traced on this thread: what run.mark_training() is told of one from a cache."""
        self.run.mark_training(getattr(_outermost_graph(), "name", "function"))

    def _mark(self, name: str) -> None:
        self.marks += 1
        graph = _outermost_graph()
        if graph is not None:
            self.training_graphs.add(graph)

    def _mark_model(self) -> None:
        self.models_traced += 1

    def intends_training(self) -> None:
        """The program has made an optimizer, compiled a model or opened a tape."""
        if self.inside.get(get_ident()) != "load":
            self.run.saw_training_intent = True

    def trained(self, source: "Any", label: str, ends_ns: "int | None" = None) -> None:
        """`source` (an optimizer, a function) has ended a training step.

        A program may have several that take turns, as a GAN has: an iteration of all of them is one step, which the
        first of them ends.
        """
        if self._ended and id(source) not in self._ended:
            self._ended.add(id(source))
            return
        self._ended = {id(source)}
        self.ended("train", label, ends_ns=ends_ns)

    def ended(self, kind: str, label: str, ends_ns: "int | None" = None, firm: bool = True) -> None:
        """A step has ended. firm: False where it may have been a call that only builds the model."""
        if not self.run.watching_steps:
            return
        if kind == "predict":
            self._look_for_training()
        wait_for_devices()
        self.run.step_ended(kind, label, ends_ns or now(), firm)

    def called(self, model: "Any", label: str) -> None:
        """A model, or a function around one, was called on values: a prediction, unless it is never called again."""
        firm = id(model) in self._called
        self._called.add(id(model))
        self.ended("predict", label, firm=firm)

    def _look_for_training(self) -> None:
        if not self._scanned and not self.run.training_expected():
            self._scanned = True
            if stack_speaks_of_training(sys._getframe()):
                self.run.saw_training_intent = True


def _outermost_graph() -> "Any":
    """The graph of the outermost function that is being traced here, or None."""
    ops = sys.modules.get("tensorflow.python.framework.ops")
    found, graph = None, ops.get_default_graph() if ops and not eager() else None
    while graph is not None and getattr(graph, "building_function", False):
        found, graph = graph, getattr(graph, "outer_graph", None)
    return found
