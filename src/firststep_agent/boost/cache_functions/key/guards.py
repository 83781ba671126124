"""When a stored function may answer: a top-level eager call, under nothing that would change or watch it."""

import _thread
import functools
import sys

from firststep_agent.boost.cache_functions.key import configuration
from firststep_agent.boost.traces import first_traces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import FrameType
    from typing import Any


def top_level() -> bool:
    """True where a new trace is asked for by an eager call that is in no graph."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops
    from tensorflow.python.saved_model import save_context

    return context.executing_eagerly() and not ops.inside_function() and not save_context.in_save_context()


def unusual() -> "str | None":
    """What around the call keeps a trace from being stored or answered, in words; None where nothing does."""
    from tensorflow.python.distribute import distribute_lib
    from tensorflow.python.eager import context

    if not configuration.has_devices():
        return "TensorFlow has no devices yet: it looks for them in the function's first call"
    if distribute_lib.has_strategy():
        return "a distribution strategy is in use"
    if context.context()._log_device_placement:
        return "TensorFlow tells where it places each operation (`tf.debugging.set_log_device_placement`)"
    if runs_later(context.context()):
        return "operations run asynchronously: an error would come out where nobody puts it into a plain run's words"
    if _collecting:
        return "TensorFlow collects the graphs of functions for the program (`tf.summary.trace_on`)"
    if first_traces.are_programs_creators():
        return "a tf.variable_creator_scope is open around its first call"
    return None


def program_collects(*arguments: "Any", **keywords: "Any") -> "Generator[Any, Any, None]":
    """Listens where TensorFlow begins to collect the graphs of functions, as made and as optimised (`tf.summary.trace_on`): from then on
    each is to be the program's own, and the buffer in which they are is its own as well."""
    _collecting[:] = [True]
    return
    yield


_collecting: "list[bool]" = []  # True from then on


def call_follows() -> bool:
    """True where TensorFlow calls the function that it asks for before any code of the program's goes on: in no other thread, and not
    after `get_concrete_function`."""
    return not _thread._count() and _asked_by() == "__call__"


def is_handed_out() -> bool:
    """True where `get_concrete_function` asks for the function: the program gets its graph."""
    return "get_concrete_function" in _asked_by()


def _asked_by() -> str:
    """The method of TensorFlow's `Function` that a trace is made for."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if code.co_filename.endswith("polymorphic_function.py") and ("get_concrete_function" in code.co_name or code.co_name == "__call__"):
            return code.co_name
        frame = frame.f_back
    return ""


def may_execute() -> bool:
    """True where an eager execution gives what the caller wants, and at once: no tape, no accumulator, no callback, no graph."""
    context, could_record = eager()
    ctx = context()
    if _collecting or not ctx.executing_eagerly() or could_record() or ctx.op_callbacks:
        return False
    handle = ctx._context_handle
    if handle is None:  # TensorFlow starts with this call
        return True
    executor_of, is_asynchronous, let_go = _executors()  # as in runs_later: one function less at each step
    executor = executor_of(handle)
    later = is_asynchronous(executor)
    let_go(executor)
    return not later


def runs_later(ctx: "Any") -> "Any":
    """Whether this thread's operations are executed asynchronously. TensorFlow's own way of asking waits for all that are under way."""
    handle = ctx._context_handle
    if handle is None:
        return False
    executor_of, is_asynchronous, let_go = _executors()
    executor = executor_of(handle)
    later = is_asynchronous(executor)
    let_go(executor)
    return later


@functools.cache
def _executors() -> "tuple[Callable[[Any], Any], Callable[[Any], bool], Callable[[Any], None]]":
    from tensorflow.python import pywrap_tfe

    return pywrap_tfe.TFE_ContextGetExecutorForThread, pywrap_tfe.TFE_ExecutorIsAsync, pywrap_tfe.TFE_DeleteExecutor


@functools.cache
def eager() -> "tuple[Callable[[], Any], Callable[[], bool]]":
    """Looked up once: every call of a stored function asks."""
    from tensorflow.python.eager import context, record

    return context.context, record.could_possibly_record


def no_gradient_is_asked(function: "Any", inputs: "list[Any]") -> "Any":
    """True where TensorFlow makes an eager call of a traced function by its graph alone, although a tape or accumulator is there.

    Tells the tapes which variables the function reads, as TensorFlow does before it looks.
    """
    from tensorflow.python.eager import context
    from tensorflow.python.ops import gradients_util, resource_variable_ops

    ctx = context.context()
    if _collecting or not ctx.executing_eagerly() or ctx.op_callbacks or runs_later(ctx):
        return False
    for variable in function.graph.variables:
        resource_variable_ops.variable_accessed(variable)
    return gradients_util.PossibleTapeGradientTypes(inputs) == gradients_util.POSSIBLE_GRADIENT_TYPES_NONE


def may_collect() -> bool:
    """True where the buffers of collected graphs are not the program's."""
    return not _collecting


def optimised_for(ctx: "Any") -> "tuple[str, bytes]":
    """(device, configuration) of a call now: for these TensorFlow places and optimises the graph of a function, for others anew."""
    return ctx.device_name or unnamed_device(ctx), ctx.function_call_options.config_proto_serialized


def unnamed_device(ctx: "Any") -> str:
    """The device whose kernels, and random numbers, a call without one has as well: the first CPU, where there are no others. Beside an
    accelerator none is known."""
    devices = ctx.devices()
    return devices[0] if all(":CPU:" in name for name in devices) else ""


def surroundings() -> str:
    """What of the calling context is baked into a trace or its execution, as text for the key."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops

    ctx = context.context()
    graph = ops.get_default_graph()
    return "|".join([
        f"device {ctx.device_name}", f"scope {ctx.scope_name}", f"placement {ctx.device_policy}",
        f"executor {ctx.function_call_options.executor_type}", f"seed {ctx._seed}",
        f"control {bool(graph._control_dependencies_stack)}",
    ])
