"""Where the cache stands in TensorFlow: between a call that wants a new trace and the trace.

Of every top-level trace it first asks the store; where nothing there holds, the trace runs as before and is learned. What listens
for builds stands in Keras only while a trace is learned.
"""

import sys
import threading

from firststep_agent import clock
from firststep_agent.boost.cache_functions import ID, frames
from firststep_agent.boost.cache_functions.answer import inside, owed, replay
from firststep_agent.boost.cache_functions.answer.lookup import Lookup
from firststep_agent.boost.cache_functions.keep import entries, nested, outputs, refusal_notes, xla_programs
from firststep_agent.boost.cache_functions.key import callables, configuration, guards, signature
from firststep_agent.boost.cache_functions.learn import first_starts, purity, under_way
from firststep_agent.boost.cache_functions.learn.first_starts import FirstStarts
from firststep_agent.boost.cache_functions.proof import ledger, watch
from firststep_agent.boost.cache_functions.reads import executed, stands
from firststep_agent.boost.cache_functions.reads.watch import modules
from firststep_agent.boost.cache_functions.stack_room import StackRoom
from firststep_agent.boost.traces import first_traces, initialise, outlets
from firststep_agent.frameworks.listening import CALL, Instead
from firststep_agent.frameworks.points import points_at
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from firststep_agent.boost.cache_functions.key.ingredients import Key
    from firststep_agent.boost.cache_functions.reads.whole import Whole
    from firststep_agent.frameworks.door import While
    from firststep_agent.frameworks.standing import Listening

_TRACING = "tensorflow.python.eager.polymorphic_function.tracing_compilation", "_create_concrete_function"
_LOADING = "tensorflow.python.saved_model.function_deserialization", "load_function_def_library"
_FUNCTION = "tensorflow.python.eager.polymorphic_function.polymorphic_function"
_COLLECTS = "Context.enable_run_metadata", "Context.enable_graph_collection"
_CONTEXT, _DEVICES = "tensorflow.python.eager.context", ("Context._initialize_physical_devices", "Context.ensure_initialized")
_CREATION = _FUNCTION, "UnliftedInitializerVariable.__init__"
_LOOKS = _FUNCTION, "Function._list_all_concrete_functions"
_HANDS_OUT = _FUNCTION, "Function.get_concrete_function"


def install(run: "Any", settings: "dict[str, Any]") -> None:
    """Waits for the parts of TensorFlow, which has told its version by now, and for the Keras that the program uses."""
    from firststep_agent.boost.cache_functions.learn import keras2, keras3

    if run.refuses(ID, "tensorflow"):
        return
    learned, _ = run.door.scope("learned trace")
    Hook(run, settings, learned, _xla_programs(run)).attach()
    for package, module in (("keras", keras3), ("keras", keras2), ("tf_keras", keras2)):
        run.before_import(package, lambda package=package, module=module: module.install(run, package, learned))
    frames.install(run)


def _xla_programs(run: "Any") -> "xla_programs.XlaPrograms":
    programs = xla_programs.XlaPrograms(run.cache)
    if sys.platform == "linux" and programs.may_be_kept():
        unknown, _ = run.door.scope("devices not known yet")
        for place in _DEVICES:
            (point,) = points_at("tensorflow", _CONTEXT, place)
            run.wrap(point, programs.looking(unknown.end), ID, until=unknown)
        unknown.__enter__()
        run.on_ready(programs.later)
        run.on_exit(programs.keep)
    return programs


class Hook:
    """What listens at `tracing_compilation._create_concrete_function`. learned: a While, open while a trace is learned. programs:
    the XlaPrograms."""

    def __init__(self, run: "Any", settings: "dict[str, Any]", learned: "While", programs: "xla_programs.XlaPrograms") -> None:
        self._run = run
        self._programs = programs
        self._learned = learned
        self._store = entries.Functions(run.cache)
        self._refusals = refusal_notes.Refusals(self._store.store)
        self._settings = settings
        self._plain: Callable[..., Any] | None = None
        self._starts: FirstStarts | None = None
        self._lookup: Lookup | None = None
        self._ledger: ledger.Ledger | None = None
        self._owed = owed.Owed()
        self._stands = stands.Stands(run)
        self._unreadable = False  # whether there is a setting that counts and cannot be read: nothing is answered or learned then
        self._busy = threading.Lock()  # what is watched during a trace is the process's: one at a time
        self._is_worth_it = True  # the function that was asked for last, by what its proof takes
        self._room = StackRoom()
        self._under_way = threading.local()  # call: the _TraceCall that is guarded on this thread

    def attach(self) -> None:
        """Puts itself into TensorFlow."""
        run = self._run
        (tracing,), (loading,), (creation,), (looks,), (hands_out,) = (
            points_at("tensorflow", *one) for one in (_TRACING, _LOADING, _CREATION, _LOOKS, _HANDS_OUT))
        run.wrap(tracing, self._create_concrete_function, ID, until="exit", installed=self._begin)
        run.wrap(loading, self._load_function_def_library, ID, until="exit")
        run.wrap(creation, _created, ID, until=self._learned)
        run.wrap(looks, self._looked_at, ID, until="exit")
        run.wrap(hands_out, _handed_out, ID, until="exit")
        for point in points_at("tensorflow", _CONTEXT, *_COLLECTS):
            run.wrap(point, guards.program_collects, ID, until="exit")
        purity.listen(run, self._stands)
        initialise.watch(run, ID, tells=True)
        run.on_training(under_way.trains)
        run.on_model(under_way.calls_model)
        run.on_fork(self._after_fork)

    def _begin(self, plain: "Callable[..., Any]", listening: "Listening") -> None:
        self._plain = plain
        proofs = watch.Proofs(self._run, self._settings)
        self._ledger = proofs.ledger
        self._run.on_exit(proofs.finish)  # before what the verdicts mean is written down
        self._starts = FirstStarts(self._run, self._store, self._refusals, self._create, proofs, self._settings,
                                   self._settle_programs, self._stands)
        self._lookup = Lookup(self._run, self._store, self._refusals, self._create, proofs, self._settings, self._owed,
                              self._starts.replay_over_ns, self._starts.cheap)

    def _settle_programs(self) -> None:
        """Not while a trace is watched: what is read for it would count as read by the trace."""
        if under_way.current() is None:
            self._programs.settle()

    def _create(self, *arguments: "Any") -> "Any":
        """TensorFlow's trace. What it raises is the program's."""
        call = getattr(self._under_way, "call", None) or _TraceCall()
        with executed.suspended():
            first_traces.look(arguments[3])
        try:
            with self._room():
                traced = self._plain(*arguments)  # type: ignore[misc]
        except BaseException as error:
            call.error = error
            raise
        if call.arguments is not None and call.arguments[0] is arguments[0] and call.arguments[3] is arguments[3]:
            call.traced = traced
        return traced

    def _create_concrete_function(self, function_type: "Any", type_context: "Any", func_graph: "Any",
                                  tracing_options: "Any") -> "Generator[Any, Any, None]":
        if self._lookup is None or self._keras_is_untried():
            return
        self._settle_programs()
        arguments = function_type, type_context, func_graph, tracing_options
        self._starts.is_traced_later(tracing_options.python_function)
        answers = self._owed.answers(tracing_options.python_function)
        again = inside.current()
        if answers:
            yield Instead(lambda proceed: self._after(answers, arguments, proceed), guarded=True)
        elif again is not None:
            yield Instead(lambda proceed: self._inside(again, arguments), guarded=True)
        elif under_way.current() is None and (not guards.top_level() or _is_frameworks_own(tracing_options)):
            if not _is_frameworks_own(tracing_options):
                first_traces.look(tracing_options)
            with frames.hidden(), self._room(gone=1):  # this generator
                yield CALL
        else:
            yield Instead(lambda proceed: self._guarded(arguments), guarded=True)

    def _after(self, answers: "list[Any]", arguments: "tuple[Any, ...]", proceed: "Callable[..., Any]") -> "Any":
        """The trace, where TensorFlow has none from the functions that were answered."""
        current = under_way.current()
        if current is not None:
            current.refuse("it calls a function whose trace an answer has put off until now")
        made = owed.made_up_for(answers, arguments[0], arguments[3])
        return proceed(*arguments) if made is None else made

    def _inside(self, again: "inside.Inside", arguments: "tuple[Any, ...]") -> "Any":
        with frames.hidden():
            return again.trace(self._create, *arguments)

    def _looked_at(self, function: "Any") -> "Generator[Any, Any, None]":
        """Somebody asks a function for its traces: those count that were, or would have been, made within another's."""
        if self._starts is not None:
            self._starts.is_traced_later(function.python_function, nested.LOOKED_AT)
            answers = self._owed.answers(function.python_function)
            if answers:
                yield Instead(lambda proceed: self._made_up(answers, function, proceed), guarded=True)

    def _made_up(self, answers: "list[Any]", function: "Any", proceed: "Callable[..., Any]") -> "Any":
        owed.trace(answers)
        return proceed(function)

    def _keras_is_untried(self) -> bool:
        return any(package in sys.modules and self._run.refuses(ID, package) for package in ("keras", "tf_keras"))

    def _guarded(self, arguments: "tuple[Any, ...]") -> "Any":
        """An error of the cache is never the program's: it is noted, and the trace is TensorFlow's."""
        outer = getattr(self._under_way, "call", None)
        call = self._under_way.call = _TraceCall(arguments)
        try:
            with frames.hidden():
                return self._traced(*arguments)
        except BaseException as error:
            if error is call.error or is_theirs(error):
                raise
            self._run.note(ID, "error", function=arguments[3].name, reason=f"{type(error).__name__}: {error}")
        finally:
            call.error = None  # it knows its frames, and they know it
            self._under_way.call = outer
        return self._plain(*arguments) if call.traced is None else call.traced  # type: ignore[misc]

    def _traced(self, *arguments: "Any") -> "Any":
        learned = under_way.current()
        if learned is not None:
            return learned.trace(self._create, *arguments)
        if _is_loaded(arguments[3]):
            return self._plainly(*arguments)
        busy = self._busy
        if not busy.acquire(blocking=False):
            return self._create(*arguments)
        try:
            return self._top_level(*arguments)
        finally:
            busy.release()

    def _after_fork(self) -> None:
        self._room.after_fork()
        outlets.after_fork()
        self._busy = threading.Lock()

    def _top_level(self, function_type: "Any", type_context: "Any", func_graph: "Any", options: "Any") -> "Any":
        self._run.beside.complete()  # it would change what is compared, and be a thread beside the trace
        self._is_worth_it = True
        with first_traces.unheard():
            answer = self._answer(function_type, type_context, func_graph, options)
        if answer is not None:
            return answer
        began_ns = clock.thread_time_ns()
        traced = self._plainly(function_type, type_context, func_graph, options)
        if not self._is_worth_it and clock.thread_time_ns() - began_ns >= ledger.LEAST_TRACE_S * 1e9:
            self._run.note(ID, "refused", function=options.name, reason=ledger.NOT_WORTH_IT)
        return traced

    def _plainly(self, *arguments: "Any") -> "Any":
        traced = self._create(*arguments)
        if not self._unreadable:
            self._starts.by_content.watch(traced)
        return traced

    def _load_function_def_library(self, *arguments: "Any", **keywords: "Any") -> "Generator[Any, Any, None]":
        """Functions of SavedModels come with their graphs."""
        functions = yield CALL
        if self._starts is not None and not self._unreadable and guards.top_level():
            for function in functions.values():
                self._starts.by_content.watch(function)

    def _answer(self, function_type: "Any", type_context: "Any", func_graph: "Any", options: "Any") -> "Any":
        """The stored function, or a trace that was learned from, or None where there is nothing to learn."""
        if self._unreadable:
            return None
        self._is_worth_it = self._ledger.ask()
        if not self._is_worth_it:
            return None
        try:
            modules.settle()
            trace = AskedTrace(function_type, type_context, func_graph, options)
            unusual = guards.unusual()
            if unusual is not None:
                raise signature.NotDescribable(unusual)
            trace.identify()
            known = self._refusals.reason(trace.primary)
            if known is not None and first_starts.is_cheap(known) and known != self._starts.cheap:
                known = None  # by another measure of what is cheap
            if known is not None and not self._refusals.is_about_misses(trace.primary):
                return self._refused(trace, known)
            found = self._lookup.find(trace)
            if found.lazy or found.confirm or found.plainly:
                known = None
        except (signature.NotDescribable, outputs.NotEncodable) as error:
            self._run.note(ID, "refused", function=options.name, reason=str(error))
            return None
        except configuration.Unreadable as error:
            self._unreadable = True
            self._run.note(ID, "refused", reason=f"no key without a setting that counts: {error}")
            return None
        except Exception as error:
            if is_theirs(error):
                raise
            self._run.note(ID, "error", function=options.name, reason=f"{type(error).__name__}: {error}")
            return None
        if found.lazy is not None:
            self._refusals.holds(trace.primary)
            return found.lazy
        if found.plainly is not None:
            return self._refused(trace, found.plainly)
        if known is not None and found.confirm is None:
            return self._refused(trace, known)
        self._is_worth_it = self._ledger.affords_trace(0.0 if found.confirm is None else found.confirm.header.trace_ns / 1e9)
        if not self._is_worth_it:
            return None
        with self._learned:
            return self._starts.trace(trace, found) if found.confirm is None else self._starts.confirm(trace, found)

    def _refused(self, trace: "AskedTrace", reason: str) -> None:
        if not first_starts.is_cheap(reason):
            self._run.note(ID, "refused", function=trace.name, reason=reason)


def _handed_out(*arguments: "Any", **keywords: "Any") -> "Generator[Any, Any, None]":
    """An answer that is handed out is traced at once: when the program uses it, what its trace reads may be another."""
    yield Instead(lambda proceed: replay.traced(proceed(*arguments, **keywords)), guarded=True)


def _created(*arguments: "Any", **keywords: "Any") -> "Generator[Any, Any, None]":
    """Variables that a trace creates are effects on the user's objects: such a function is not kept."""
    current = under_way.current()
    if current is not None:
        current.refuse("it creates variables while it is traced: create them before the first call")
    return
    yield


class _TraceCall:
    """A call that wants a trace: what TensorFlow's own trace raised on its way, and what it made for these arguments."""

    def __init__(self, arguments: "tuple[Any, ...] | None" = None) -> None:
        self.arguments = arguments
        self.error = None
        self.traced = None


class AskedTrace:
    """One trace that is asked for: its arguments to TensorFlow, the user's function, its first-level key."""

    def __init__(self, function_type: "Any", type_context: "Any", func_graph: "Any", options: "Any") -> None:
        self.function_type = function_type
        self.type_context = type_context
        self.func_graph = func_graph
        self.options = options
        self.name = options.name
        self.function = callables.traced(options.python_function)
        self.key: Key = None  # type: ignore[assignment]
        self.started_ns = clock.now()
        self._whole: Whole | None = None

    @property
    def primary(self) -> str:
        """The key in hexadecimal, once it is known."""
        return None if self.key is None else self.key.hex

    @property
    def whole(self) -> "Whole":
        """The program's state (reads.whole) when it was first asked for, which is before the trace."""
        if self._whole is None:
            from firststep_agent.boost.cache_functions.reads import whole

            self._whole = whole.Whole(self.function)
        return self._whole

    def identify(self) -> None:
        """Computes the first-level key. Raises signature.NotDescribable or outputs.NotEncodable."""
        from firststep_agent.boost.cache_functions.key import ingredients
        from firststep_agent.boost.objects.roots import Called

        self.signature = signature.describe(self.function_type, self.options)
        objects = signature.objects(self.function_type)
        if objects:
            self.function = Called(self.function, objects)
        self.key = ingredients.of_trace(self.function, self.signature)


def _is_frameworks_own(options: "Any") -> bool:
    """The frameworks' helpers that run once and are no step, like initialisers of variables, and the functions of tf.data.

    Those are traced in 5 to 14 ms each, and a look-up takes as long.
    """
    code = callables.code_of(callables.traced(options.python_function))
    if code is None:
        return False
    return any(part in code.co_filename for part in _OWN)


def _is_loaded(options: "Any") -> bool:
    """Whether what is traced calls a function of a SavedModel and does nothing else."""
    code = callables.code_of(callables.traced(options.python_function))
    return code is not None and "/tensorflow/python/saved_model/" in code.co_filename


_OWN = ("/tensorflow/python/eager/polymorphic_function/", "/tensorflow/python/data/", "/tensorflow/python/checkpoint/")
