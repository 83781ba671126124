"""Operations that make, ask and fill variables run as what they are, instead of in a function of their own.

TensorFlow puts each new kind of eager operation into a function, and sends that through all passes over graphs, which
takes half a millisecond. The name of a variable makes the operation that creates it a new kind; so does a new shape for
those that fill and read it. EagerContext has a switch for it, for the whole process: it is thrown around one operation,
and only while no other thread could run one meanwhile.
"""

import sys
from _functools import partial

from firststep_agent.boost.traces import others
from firststep_agent.imports import disguised
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

ID = "run-operations-directly"
SUMMARIES = "tensorflow.python.ops.summary_ops_v2"
OPERATIONS = frozenset(["AssignVariableOp", "ReadVariableOp", "VarHandleOp", "VarIsInitializedOp"])  # they compute nothing

_EXECUTE = "tensorflow.python.pywrap_tfe", "TFE_Py_FastPathExecute"
_ASYNCHRONOUS = (("tensorflow.python.pywrap_tfe", "TFE_ContextSetExecutorForThread"),
                 ("tensorflow.python.pywrap_tfe", "TFE_ContextOptionsSetAsync"))


def start(run: "Any", settings: "dict[str, Any]") -> None:
    run.before_import("tensorflow", lambda: _begin(run))


def _begin(run: "Any") -> None:
    from firststep_agent.frameworks.points import points_at

    standing: list[Any] = []

    def directly(original):
        standing.append(_directly(run, original))
        return standing[0]

    (point,) = points_at("tensorflow", *_EXECUTE)
    run.put(point, directly, ID)
    for module, name in _ASYNCHRONOUS:
        (point,) = points_at("tensorflow", module, name)
        run.put(point, lambda original, name=name: _ends(run, original, name, standing), ID)


def _ends(run: "Any", original: "Callable[..., Any]", name: str, standing: "list[Any]") -> "Any":
    """Where operations begin to run asynchronously, nothing of ours stands among them any more: what fails names the frames that began
    it, and the function it ran in, when our plain way again is long past."""
    if not standing or standing[0] is None:
        return None
    asks = sys.modules[_EXECUTE[0]].TFE_ExecutorIsAsync if name == "TFE_ContextSetExecutorForThread" else bool

    def sets(*arguments):
        try:
            asynchronous = standing and asks(*arguments[1:2])
        except TypeError:  # as the function itself will say
            asynchronous = False
        if asynchronous:
            run.replacements.take_away(standing.pop())
            run.note(ID, "refused", reason="operations run asynchronously")
        return original(*arguments)

    return partial(disguised(sets))


def _directly(run: "Any", original: "Callable[..., Any]") -> "Any":
    """What executes an operation, with the switch thrown around those that may."""
    switch = getattr(sys.modules["tensorflow.python.pywrap_tfe"], "TFE_ContextSetRunEagerOpAsFunction", None)
    if switch is None:
        run.note(ID, "refused", reason="this TensorFlow has no switch for it")
        return None
    context = _Context(run)
    seen, direct = set(), run.tally(ID, "operations")

    def TFE_Py_FastPathExecute(*arguments):
        operation = arguments[1] if len(arguments) > 1 else None
        handle = context.handle(arguments[0]) if operation in OPERATIONS else None
        if handle is None:
            return original(*arguments)
        if operation not in seen:  # once plainly: it leaves the name of its function in the context
            seen.add(operation)
            return original(*arguments)
        try:  # a signal's handler may raise as soon as the switch is thrown
            if context.throws(switch, handle):
                result = original(*arguments)
                direct[0] += 1
                return result
        except Exception as error:  # an error's text names the function: the plain way again, outside
            if is_theirs(error):
                raise
        finally:
            if not context.failed:
                switch(handle, True)
        return original(*arguments)

    # No plain function where TensorFlow has none: the function cache would take it for a patch of the library.
    return partial(disguised(TFE_Py_FastPathExecute))


class _Context:
    """Whether the switch may be thrown now. failed: it could not be."""

    def __init__(self, run: "Any") -> None:
        self._run = run
        self._handle = None  # of the context whose devices have been looked at
        self._suits = False
        self.failed = False
        self._py_functions: Mapping[Any, Any] = {}

    def handle(self, context: "Any") -> "Any":
        """The handle of a context in which the switch may be thrown now, else None.

        It may on the one CPU that the context has, while nothing else can run an operation, and nobody is told of them. Threads of
        TensorFlow's own come to eager operations through `tf.py_function` alone.
        """
        try:
            return None if self.failed else self._allowed(context)
        except Exception as error:
            if is_theirs(error):
                raise
            self._gives_up(error)
            return None

    def _allowed(self, context: "Any") -> "Any":
        handle = context._context_handle
        if handle is None:  # it has not begun
            return None
        if handle is not self._handle:
            self._handle, self._suits = handle, self._is_known(context)
        if not self._suits or others.threads() or self._py_functions or self._is_collected():
            return None
        return None if context._log_device_placement or context._thread_local_data.op_callbacks else handle

    @staticmethod
    def _is_collected() -> bool:
        """Whether the program wants the graphs of all that runs, as `tf.summary.trace_on` does."""
        return getattr(sys.modules.get(SUMMARIES), "_current_trace_context", None) is not None

    def throws(self, switch: "Callable[[Any, bool], Any]", handle: "Any") -> bool:
        """Throws the switch. False, and never again, where it cannot be."""
        try:
            switch(handle, False)
        except Exception as error:
            if is_theirs(error):
                raise
            self._gives_up(error)
        return not self.failed

    def _gives_up(self, error: "Exception") -> None:
        self.failed = True
        self._run.note(ID, "error", reason=f"{type(error).__name__}: {error}")

    def _is_known(self, context: "Any") -> bool:
        try:
            self._py_functions = others.called_by_tensorflow()
            devices = [device.device_type for device in context._logical_devices]
            always = sys.modules[type(context).__module__].run_eager_op_as_function_enabled()
            reason = None if devices == ["CPU"] else f"the devices are {', '.join(devices)}: known to be exact on one CPU only"
            told = (hasattr(context, "_log_device_placement") and hasattr(context._thread_local_data, "op_callbacks")
                    and hasattr(sys.modules[SUMMARIES], "_current_trace_context"))
            if not always or not told:
                reason = "this TensorFlow decides otherwise what runs in a function"
        except Exception as error:
            if is_theirs(error):
                raise
            reason = f"{type(error).__name__}: {error}"
        if reason is not None:
            self._run.note(ID, "refused", reason=reason)
        return reason is None
