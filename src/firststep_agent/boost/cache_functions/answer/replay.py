"""The lazy concrete function: answers top-level eager calls from an entry, traces plainly for anything else."""

import functools
import itertools
import threading

from firststep_agent import kinds
from firststep_agent.as_found import os
from firststep_agent.boost.cache_functions import frames
from firststep_agent.boost.cache_functions.keep import convert, origins, outputs, uids
from firststep_agent.boost.cache_functions.keep.header import OPTIMISED
from firststep_agent.boost.cache_functions.key import guards
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from firststep_agent.boost.cache_functions.answer.saving import SavingNote
    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry
    from firststep_agent.boost.cache_functions.proof.proof_child import ProofChild

_numbers = itertools.count(1)


class StoredGraph:
    """A stored graph, registered in this process."""

    def __init__(self, entry: "FunctionEntry", run: "Any", traced: "Callable[[], origins.Traced | origins.Answered]") -> None:
        header = entry.header
        self.entry = entry
        self.name = header.name
        self._results = header.results
        self._optimised = header.form == OPTIMISED
        self._run = run
        self._traced = traced  # what it stands for, for the texts of errors
        self._attributes: dict[tuple[Any, Any], tuple[Any, ...]] = {}
        self._has_failed = False
        self._registered = 0
        self._saving: SavingNote | None = None
        self._register()

    def _register(self) -> None:
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.eager import cancellation, context, execute
        from tensorflow.python.framework import errors

        self._runtime = context.context, cancellation.context, execute  # what each call wants
        self._errors = errors.OpError
        ctx = context.context()
        ctx.ensure_initialized()
        self._device, self._config = guards.optimised_for(ctx)
        self._unnamed = guards.unnamed_device(ctx)
        library = self.entry.blobs.pop("library")
        if ctx.has_function(self.name):
            # Kernels keep state: two functions of one name would draw from one stream of random numbers.
            self.name, library = convert.named_apart(library, next(_numbers))
        for definition in convert.definitions(library):
            pywrap_tfe.TFE_ContextAddFunctionDef(ctx._handle, definition, len(definition))
            self._registered += 1

    def live_as_long_as(self, function: "Any") -> None:
        """Takes the functions out of TensorFlow again when the concrete function is gone, as TensorFlow does with its own."""
        import weakref

        from tensorflow.python.eager import context

        names = convert.names(self.name, self._registered)
        weakref.finalize(function, _unregister, context.context(), names).atexit = False

    def tells(self, saving: "SavingNote") -> None:
        """At its first call, or when it is known that none follows."""
        self._saving = saving

    def prepared(self, may: "Callable[..., bool]", *asked: "Any") -> "tuple[Callable[..., Any], tuple[Any, ...]] | None":
        """What a call now needs, for `execute`; None where it is to go the plain way: may(*asked) is false, or something here failed."""
        try:
            if not may(*asked):
                return None
            context, cancellation, execute = self._runtime
            ctx, manager = context(), cancellation()
            options = ctx.function_call_options
            if (ctx.device_name or self._unnamed) != self._device or self._optimised and options.config_proto_serialized != self._config:
                return None  # TensorFlow would place and optimise the traced graph anew
            attributes = self._attributes.get((options.executor_type, options.config_proto_serialized)) or self._attributes_of(options)
            if manager is None:
                return execute.execute, (attributes, ctx)
            return execute.execute_with_cancellation, (attributes, ctx, manager)
        except Exception as error:
            if is_theirs(error):
                raise
            self._failed(error)
            return None

    def _failed(self, error: "Exception") -> None:
        """Notes an error of its own: the first, for one of each call says no more."""
        if not self._has_failed:
            self._has_failed = True
            self._run.failed("a call of a stored graph", error)

    def execute(self, inputs: "list[Any]", prepared: "tuple[Callable[..., Any], tuple[Any, ...]]") -> "Any":
        """The results, flat. Exceptions are those of the step."""
        saving = self._saving
        if saving is not None:
            self._saving = None
            return saving.call(lambda: self.execute(inputs, prepared))
        call, more = prepared
        try:
            return call(self.name, self._results, inputs, *more)
        except self._errors as error:
            self._explain(error)
            raise

    def _attributes_of(self, options: "Any") -> "tuple[Any, ...]":
        executor, config = options.executor_type, options.config_proto_serialized
        asked = _without_optimiser(config) if self._optimised else config
        self._attributes[executor, config] = attributes = "executor_type", executor or "", "config_proto", asked
        return attributes

    def _explain(self, error: "Any") -> None:
        from firststep_agent.boost.cache_functions.answer import messages

        try:
            messages.explain(error, self.entry.blobs["origins"], self.name, self._traced())
        except Exception as failure:
            if is_theirs(failure):
                raise
            self._run.failed("message of a replayed step", failure)


class StoredAnswer(StoredGraph):
    """A stored function bound to this process: what a top-level eager call executes."""

    def __init__(self, entry: "FunctionEntry", run: "Any", retrace: "Callable[[list[Any]], Any]", trace: "Any") -> None:
        self.captures: list = None  # type: ignore[assignment]  # bound by the look-up, when all builds have been repeated
        self.builds_ns = 0  # what repeating them took: the program's own work, done elsewhere
        self.retrace = retrace
        self.function_type = function_type_of(entry, trace.function_type)
        self.proof: ProofChild | None = None  # that this answer is what a trace would give; None once it is known
        self._training = entry.header.function if entry.header.training else None
        self._model = entry.header.model
        self._calls = 0
        self._is_settled = False  # whether nothing is to be done at a call but to execute
        self._tracing = os.getpid(), threading.RLock()
        begun, called_from, blobs, by = trace.func_graph._graph_key, frames.called_from(), entry.blobs, entry.header.uids
        super().__init__(entry, run, lambda: origins.Answered(
            blobs["stacks"], called_from, lambda names, main: uids.renumbered(names, main, begun, by)))

    def call(self, tensor_inputs: "Sequence[Any]", prepared: "tuple[Callable[..., Any], tuple[Any, ...]]") -> "Any":
        """Executes; structured outputs. Exceptions are those of the step."""
        inputs = [*tensor_inputs, *self.captures]
        results = self.execute(inputs, prepared) if self._is_settled else self._followed(inputs, prepared)
        return self.function_type.pack_output(results)

    def _followed(self, inputs: "list[Any]", prepared: "tuple[Callable[..., Any], tuple[Any, ...]]") -> "Any":
        """Executes, while there is no verdict, and somebody is to be told what kind of step it was."""
        proof = self.proof  # the first call waits for its process, also where the verdict is there already
        try:
            self._begin()
        except Exception as error:
            if is_theirs(error):
                raise
            self._failed(error)
        try:
            return self.execute(inputs, prepared)
        finally:
            if proof is not None:
                proof.leave_no_process()

    def tracing(self) -> "threading.RLock":
        """Held while it is traced: by one thread at a time, as TensorFlow traces a function. A fork's child has none of the threads that
        may hold it."""
        if self._tracing[0] != os.getpid():
            self._tracing = os.getpid(), threading.RLock()
        return self._tracing[1]

    def traced(self) -> "Any":
        """The concrete function that it stands for, traced now."""
        if self._saving is not None:
            self._saving.without_call()
        if self.proof is not None:
            self.proof.leave_no_process()
        traced = self.retrace(self.captures)
        self.retrace = _no_more  # it holds what is traced: that goes with the program's function, and not with who has this one
        return traced

    def _begin(self) -> None:
        if self.proof is not None and not self.proof.is_open():
            self.proof = None
        if self._calls < 2:
            self._calls += 1
            if self._training is not None:
                self._run.mark_training(self._training)
            if self._model:
                self._run.mark_model()
        else:
            self._is_settled = self.proof is None


def _no_more(captures: "list[Any]") -> "Any":
    raise RuntimeError("it is traced already")


def _unregister(ctx: "Any", names: "list[str]") -> None:
    for name in names:
        if ctx.has_function(name):
            ctx.remove_function(name)


def _without_optimiser(serialized: bytes) -> "Any":
    """The call's configuration with the graph optimiser off: the stored graph has been through it."""
    from tensorflow.core.protobuf import config_pb2

    config = config_pb2.ConfigProto.FromString(serialized)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config.SerializeToString(deterministic=True)


@functools.cache
def lazy_class() -> type:
    """The subclass of TensorFlow's ConcreteFunction whose own attributes appear when they are asked for."""
    from tensorflow.python.eager.polymorphic_function import concrete_function

    base = concrete_function.ConcreteFunction
    own = frozenset(n for n in base.__init__.__code__.co_names if n.startswith("_"))

    class LazyConcreteFunction(base):  # type: ignore[valid-type, misc]
        """Holds a StoredAnswer. Where something is asked that only a trace can give it is the traced function as well; top-level
        calls stay with the stored graph, whose kernels hold the state of its random operations."""

        def __init__(self, answer):
            self.__dict__.update(_answer=answer, _traced=None, _function_type=answer.function_type,
                                 _garbage_collector=_NoGarbage())
            answer.live_as_long_as(self)

        def __getattr__(self, name):
            held = self.__dict__
            if name in own and not held.get("_traced", True):
                self._become_traced()
            if name not in held:  # where it is, another thread has had it traced since it was looked for
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
            return held[name]

        def is_needed(self):
            """Somebody uses what TensorFlow keeps of the trace."""
            if not self._traced:
                self._become_traced()

        def _become_traced(self):
            with self._answer.tracing():
                if not self._traced:  # another thread has not been here meanwhile
                    traced = self._answer.traced()
                    self.__dict__.update(traced.__dict__, _traced=traced)

        def __reduce_ex__(self, protocol):
            """Who copies it, or writes it down, gets as far as with the traced one."""
            self.is_needed()
            return self._traced.__reduce_ex__(protocol)

        def pretty_printed_signature(self, verbose=True):
            if verbose:  # with the captures, which stand in the type that a trace has
                self.is_needed()
            return base.pretty_printed_signature(self, verbose)

        @property
        def captured_inputs(self):
            return base.captured_inputs.fget(self) if self._traced else self._answer.captures

        def _call_flat(self, tensor_inputs, captured_inputs):
            answer = self._answer
            own_captures = captured_inputs is answer.captures or kinds.same(captured_inputs, answer.captures)
            prepared = answer.prepared(guards.may_execute) if own_captures else None
            if prepared is not None:
                return answer.call(tensor_inputs, prepared)
            if not self._traced:
                self._become_traced()
                if own_captures:
                    captured_inputs = self.captured_inputs
            inputs = [*tensor_inputs, *captured_inputs]
            prepared = answer.prepared(lambda: guards.no_gradient_is_asked(self, inputs)) if own_captures else None
            if prepared is not None:
                return answer.call(tensor_inputs, prepared)
            return base._call_flat(self, tensor_inputs, captured_inputs)

    LazyConcreteFunction.__name__ = LazyConcreteFunction.__qualname__ = "ConcreteFunction"
    return LazyConcreteFunction


def traced(function: "Any") -> "Any":
    """A concrete function that a program gets hold of; what stands for one has been traced."""
    if isinstance(function, lazy_class()):
        function.is_needed()  # type: ignore[attr-defined]
    return function


class _NoGarbage:
    """Stands for the collector of a graph that does not exist yet."""

    release = staticmethod(bool)  # nothing, and of C: TensorFlow calls it at each step


def function_type_of(entry: "Any", function_type: "Any") -> "Any":
    """The type of the function with its recorded output. Raises outputs.NotEncodable."""
    from collections import OrderedDict

    from tensorflow.core.function.polymorphism import function_type as types

    return types.FunctionType(function_type.parameters.values(), OrderedDict(),
                              return_annotation=outputs.decode(entry.header.output))
