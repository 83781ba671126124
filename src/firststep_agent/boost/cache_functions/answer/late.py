"""A trace from where an answer begins: beside it, for its proof, or later, when its graph is needed after all."""

import collections
import contextlib
import copy
import functools

from firststep_agent import counted, streams
from firststep_agent.boost.cache_functions import frames
from firststep_agent.boost.cache_functions.answer import inside
from firststep_agent.boost.cache_functions.key import tapes
from firststep_agent.boost.traces import first_traces, others, speech
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


_What = collections.namedtuple("_What", "function_type type_context options")  # what it is called with may go


def trace(asked: "Any", header: "Any", func_graph: "Any", create: "Callable[..., Any]", traced: "list[Any] | None" = None) -> "Any":
    """The concrete function, traced as often as it is plainly, from where all is built that a first trace builds. traced: takes the
    functions inside it."""
    with inside.opened(header.twice_inside, [] if traced is None else traced):
        if header.twice:
            create(asked.function_type, asked.type_context, type(func_graph)(asked.options.name), asked.options)
        else:
            streams.move_names(header.names_first)
        return create(asked.function_type, asked.type_context, func_graph, asked.options)


class TooLate(RuntimeError):
    """A trace that was put off until its graph was needed has come out as another than the stored one."""


DRAWN_BESIDE_OTHERS = "its trace draws from NumPy's random, and other threads may draw from it while it is made"


class DrawnBesideOthers(Exception):
    """It is so."""


def draws_beside_others(header: "Any") -> bool:
    """Whether a trace that is put off would take numbers away from other threads."""
    return bool(header.drawn) and others.may_run()


@contextlib.contextmanager
def _streams_of_then(header: "Any") -> "Iterator[None]":
    """Random streams and counters as they were before the first trace, and afterwards as they are now. Beside other threads it moves the
    counts on as far as they are moved back."""
    if draws_beside_others(header):
        raise DrawnBesideOthers(DRAWN_BESIDE_OTHERS)
    before, beside_others = streams.positions(), others.may_run()
    streams.move_names_back(header.names)
    streams.draw_back(header.drawn)
    counted.move_back(header.asked)
    try:
        yield
    finally:
        streams.take_back(before, beside_others)


class Late:
    """A trace that is put off until its graph is needed. All that it takes of TensorFlow is looked up when it is made: what is not
    there is found out before there is an answer."""

    def __init__(self, run: "Any", create: "Callable[..., Any]", asked: "Any") -> None:
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.autograph.core import ag_ctx
        from tensorflow.python.eager import context
        from tensorflow.python.framework import func_graph, ops, stack

        self._run = run
        self._create = create
        options = copy.copy(asked.options)
        vars(options)["function_cache"] = None  # it leads to the answer: what the program lets go is to go then, without a collector
        self._asked = _What(asked.function_type, asked.type_context, options)
        self._graph, self._scope, self._conversion = func_graph.FuncGraph, ops.init_scope, ag_ctx.ControlStatusCtx
        self._within = functools.partial(stack.DefaultStack.get_controller, ops._default_graph_stack, ops.get_default_graph())
        self._status = ag_ctx.Status.ENABLED if asked.options.autograph else ag_ctx.Status.DISABLED
        self._context = context.context()
        self._call_options = self._context.function_call_options  # stand in the graph, where a function calls another
        self._taken = tapes.Tapes()
        self._tapes = (pywrap_tfe.TFE_Py_TapeSetIsStopped, pywrap_tfe.TFE_Py_TapeSetRestartOnThread,
                       pywrap_tfe.TFE_Py_TapeSetStopOnThread)

    def trace(self, header: "Any") -> "Any":
        """Traces as the first call would have, and leaves the random streams and counters of names where they are. Raises
        DrawnBesideOthers."""
        options = self._asked.options
        with _streams_of_then(header), contextlib.ExitStack() as around:
            self._enter(around, options)
            traced = trace(self._asked, header, self._graph(options.name), self._create)
        traced._garbage_collector.release()
        return traced

    def _enter(self, around: "contextlib.ExitStack", options: "Any") -> None:
        """The surroundings of a first call; where they cannot be had, those of this one."""
        try:
            around.enter_context(first_traces.apart())
            around.enter_context(self._scope())
            around.enter_context(self._within())  # `init_scope` leaves the graph that is being traced on top: this one is not inside it
            self._set_options(around)
            self._record(around)
            around.enter_context(self._taken.taken_away())
            around.enter_context(self._conversion(self._status, options.autograph_options))
            around.callback(speech.Warned().put_back)
            around.enter_context(speech.Speech(aloud=False))
            around.enter_context(frames.hidden())
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.failed("a trace that was put off", error)

    def _set_options(self, around: "contextlib.ExitStack") -> None:
        """Those of the graph optimiser that there were then; what the trace itself sets stays."""
        ctx, then, now = self._context, self._call_options, self._context.function_call_options

        def set_back():
            if ctx.function_call_options is then:
                ctx.function_call_options = now

        ctx.function_call_options = then
        around.callback(set_back)

    def _record(self, around: "contextlib.ExitStack") -> None:
        """Lets the tapes of a trace record: `init_scope` has paused all tapes of the thread."""
        are_stopped, restart, stop = self._tapes
        if are_stopped():
            restart()
            around.callback(stop)
