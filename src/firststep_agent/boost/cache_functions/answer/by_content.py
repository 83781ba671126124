"""Optimised graphs, found by the content of the traced ones: what is left to do for functions that cannot be answered unseen.

A function that is refused is traced in every process, and one of a SavedModel is read from there. What TensorFlow's optimiser
makes of it depends on its graph, on the process's configuration and on the devices and shapes of what it is called with. So its
first call asks the store by all these; the function remains what it is, and only top-level calls go to the stored graph.
"""

import threading
import weakref

from firststep_agent import clock, kinds
from firststep_agent.boost.cache_functions import ID, carried
from firststep_agent.boost.cache_functions.answer import replay
from firststep_agent.boost.cache_functions.answer.saving import SavingNote
from firststep_agent.boost.cache_functions.keep import origins, pending
from firststep_agent.boost.cache_functions.keep.header import OPTIMISED, Header
from firststep_agent.boost.cache_functions.key import guards, ingredients
from firststep_agent.boost.objects import canonical
from firststep_agent.boost.objects.refusal import Refused
from firststep_agent.frameworks.points import MOST_IN_VAIN
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry, Functions
    from firststep_agent.boost.cache_functions.keep.refusal_notes import Refusals
    from firststep_agent.boost.cache_functions.key.ingredients import Key

_SMALL = 100  # operations: fewer are optimised as fast as they are looked up
_WORTH_NS = 20_000_000


class ByContent:
    """Asks the store on behalf of one process. keep(key, record): writes an entry later; before_a_call(): called before each first one."""

    def __init__(self, run: "Any", kept: "Functions", refusals: "Refusals", keep: "Callable[[Key, pending.Pending], None]",
                 before_a_call: "Callable[[], None]") -> None:
        self._run = run
        self._store = kept
        self._refusals = refusals
        self._keep = keep
        self._before_a_call = before_a_call
        self._deciding = threading.RLock()
        run.on_fork(self._after_fork)

    def _after_fork(self) -> None:
        self._deciding = threading.RLock()

    def watch(self, function: "Any", learned: "pending.Pending | pending.Confirming | None" = None) -> None:
        """Asks at the first top-level call of a concrete function, unless so many come from under a tape or from inside a graph that no
        other is to be expected. learned: a Pending, which wants the optimised graph as well, or one that is confirmed."""
        if learned is None and (guards.unusual() is not None or _is_small(function)):
            return
        reference, plain, in_vain = weakref.ref(function), type(function)._call_flat, 0

        def _call_flat(tensor_inputs, captured_inputs):
            nonlocal in_vain
            function = reference()
            if not self._runs_graph(function, tensor_inputs, captured_inputs):
                if learned is not None:
                    learned.is_used_inside()
                in_vain += 1
                if in_vain >= MOST_IN_VAIN:
                    self._leave(function, _call_flat)
                return plain(function, tensor_inputs, captured_inputs)
            with self._deciding:  # two threads' first calls must not go two ways: kernels of random operations hold their position
                call = function._call_flat
                if call is _call_flat:
                    call = self._decide(function, tensor_inputs, captured_inputs, learned)
            return call(tensor_inputs, captured_inputs)

        carried.call(function, _call_flat)

    def _leave(self, function: "Any", watching: "Callable[..., Any]") -> None:
        """Asks no more, unless another thread's call has been the first meanwhile."""
        with self._deciding:
            if function.__dict__.get("_call_flat") is watching:
                del function.__dict__["_call_flat"]

    def _runs_graph(self, function: "Any", tensor_inputs: "Sequence[Any]", captured_inputs: "Sequence[Any]") -> bool:
        try:
            return _runs_graph(function, tensor_inputs, captured_inputs)
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.note(ID, "error", function=_name(function), reason=f"{type(error).__name__}: {error}")
            function.__dict__.pop("_call_flat", None)  # it would fail at each call
            return False

    def _decide(self, function: "Any", tensor_inputs: "Sequence[Any]", captured_inputs: "Sequence[Any]",
                learned: "pending.Pending | pending.Confirming | None") -> "Callable[..., Any]":
        """What makes the first call; what makes the later ones stands in the function afterwards."""
        try:
            self._before_a_call()
            first, later = self._find(function, [*tensor_inputs, *captured_inputs], captured_inputs, learned)
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.note(ID, "error", function=_name(function), reason=f"{type(error).__name__}: {error}")
            first = later = None
        if later is None and learned is not None:
            later = _watching(type(function)._call_flat, weakref.ref(function), learned)
        if later is None:
            del function.__dict__["_call_flat"]
        else:
            carried.call(function, later)
        return first or later or function._call_flat

    def _find(self, function: "Any", inputs: "list[Any]", captured_inputs: "Sequence[Any]",
              learned: "pending.Pending | pending.Confirming | None") -> "tuple[Callable[..., Any] | None, Callable[..., Any] | None]":
        """(first call, later calls): None is the plain way."""
        before = clock.now()
        if not guards.may_collect():
            return None, None
        wanted = [learned] if isinstance(learned, pending.Pending) and guards.may_execute() else []
        if pending.compiles_by_xla(function._inference_function.cached_definition) or _is_small(function):
            return self._collecting(function, wanted), None
        digest, names = canonical.exactly(function._inference_function)
        if isinstance(learned, pending.Confirming):
            learned.is_of(digest)
        key = ingredients.of_graph(digest, [_input(tensor) for tensor in inputs])
        primary = key.hex
        entry = next(self._store.candidates(primary), None)
        if entry is not None:
            self._refusals.holds(primary)
            for each in wanted:
                each.adopt(function, entry)
            return None, self._answer(function, names, entry, captured_inputs, before, learned)
        if self._refusals.reason(primary) is None:
            header = Header(_name(function))
            try:
                wanted.append(_Seen(function, None, header, lambda seen: self._keep(key, seen)))
            except Refused as refused:
                self._refusals.refuse(primary, str(refused))
        return self._collecting(function, wanted), None

    def _collecting(self, function: "Any", records: "list[pending.Pending]") -> "Callable[..., Any] | None":
        """The first call of a function whose optimised graph the records want; None where none does."""
        if not records:
            return None
        return lambda tensor_inputs, captured_inputs: pending.collect(self._run, function, records, tensor_inputs, captured_inputs)

    def _answer(self, function: "Any", names: "list[str]", entry: "FunctionEntry", captured_inputs: "Sequence[Any]", before: int,
                learned: "pending.Pending | pending.Confirming | None") -> "Callable[..., Any]":
        reference = weakref.ref(function)
        stored = replay.StoredGraph(entry, self._run, lambda: origins.Traced(reference()._inference_function, names))
        stored.live_as_long_as(function)
        self._store.use(entry)
        stored.tells(SavingNote(entry, clock.now() - before,
                            lambda saved_ns: self._run.note(ID, "reused", function=_name(function), saved_ns=saved_ns)))
        return _answering(stored, reference, captured_inputs, learned)


def _watching(plain: "Callable[..., Any]", reference: "weakref.ref[Any]",
              learned: "pending.Pending | pending.Confirming") -> "Callable[..., Any]":
    """The `_call_flat` of a function that is being learned and goes the plain way, while there is, or may be, an entry to take back."""
    context, asked, at_first = _surroundings()

    def _call_flat(tensor_inputs, captured_inputs):
        function = reference()
        try:
            executes = guards.may_execute() and not learned.is_over
            ctx = context()
            asks = ctx.device_name, ctx.function_call_options.config_proto_serialized
            if executes and asks != asked and guards.optimised_for(ctx) != at_first:
                learned.is_called_otherwise()
        except Exception as error:
            if is_theirs(error):
                raise
            executes = False
        if not executes:
            function.__dict__.pop("_call_flat", None)
            learned.is_used_inside()
        return plain(function, tensor_inputs, captured_inputs)

    return _call_flat


class _Seen(pending.Pending):
    """A function whose optimised graph is kept. Nothing else is ever asked of that graph, so later calls are not watched."""

    is_told = False  # why it is not answered unseen was said
    is_of_optimised = True

    def _describe(self, function: "Any", under_way: "Any") -> None:
        pending.refuse_resources(function)
        pending.refuse_lists(function)
        self.header.results = len(function.function_type.flat_outputs or ())

    def entry(self) -> "FunctionEntry":
        if self.header.first_call_ns < _WORTH_NS:
            raise Refused("its first call is as fast as a look-up")
        entry = super().entry()
        if self.header.form != OPTIMISED:
            raise Refused("TensorFlow does not say what its optimiser made of it")
        return entry


def _answering(stored: "replay.StoredGraph", reference: "weakref.ref[Any]", captures: "Sequence[Any]",
               learned: "pending.Pending | pending.Confirming | None") -> "Callable[..., Any]":
    """The `_call_flat` of a function whose top-level calls a stored graph makes."""
    described = [_input(tensor) for tensor in captures]

    def may(function, tensor_inputs, captured_inputs):
        if not (kinds.same(captured_inputs, captures) or [_input(tensor) for tensor in captured_inputs] == described):
            if learned is not None:
                learned.is_used_inside()
            return False
        if guards.may_execute():
            return True
        if learned is not None:
            learned.is_used_inside()
        return guards.no_gradient_is_asked(function, [*tensor_inputs, *captured_inputs])

    def _call_flat(tensor_inputs, captured_inputs):
        function = reference()
        prepared = stored.prepared(may, function, tensor_inputs, captured_inputs)
        if prepared is None:
            if learned is not None:
                learned.is_called_otherwise()
            return type(function)._call_flat(function, tensor_inputs, captured_inputs)
        return function.function_type.pack_output(stored.execute([*tensor_inputs, *captured_inputs], prepared))

    return _call_flat


def _surroundings() -> "tuple[Callable[[], Any], Any, Any]":
    """What gives TensorFlow's context, what a call now asks of it, and what that makes TensorFlow optimise a graph for; None twice where
    that cannot be told."""
    context, _ = guards.eager()
    try:
        ctx = context()
        return context, (ctx.device_name, ctx.function_call_options.config_proto_serialized), guards.optimised_for(ctx)
    except Exception as error:
        if is_theirs(error):
            raise
        return context, None, None


def _runs_graph(function: "Any", tensor_inputs: "Sequence[Any]", captured_inputs: "Sequence[Any]") -> bool:
    """Whether TensorFlow would make this call by the function's graph alone: eagerly, and no gradient is asked for."""
    return guards.may_execute() or guards.no_gradient_is_asked(function, [*tensor_inputs, *captured_inputs])


def _input(tensor: "Any") -> str:
    data = getattr(tensor, "_handle_data", None)
    return f"{tensor.dtype.name} {tensor.device} {'' if data is None else data.SerializeToString(deterministic=True).hex()}"


def _is_small(function: "Any") -> bool:
    graph = function.graph
    return graph.version < _SMALL and not graph._functions


def _name(function: "Any") -> "Any":
    return function.graph.name
