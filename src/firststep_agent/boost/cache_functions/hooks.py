"""Where the cache stands in TensorFlow: between a call that wants a new trace and the trace.

Of every top-level trace it first asks the store; where nothing there holds, the trace runs as ever and is learned.
"""

import os
import sys
import threading

from firststep_agent import clock
from firststep_agent.boost.cache_functions import (
    ID,
    callables,
    first_traces,
    frames,
    guards,
    initialise,
    learning,
    outputs,
    refusals,
    signature,
    store,
    teach,
    xla,
)
from firststep_agent.boost.cache_functions.lookup import Lookup
from firststep_agent.boost.cache_functions.proof import watch
from firststep_agent.boost.cache_functions.teach import Teacher

_POINT = "tensorflow.python.eager.polymorphic_function.tracing_compilation"
_LOADING = "tensorflow.python.saved_model.function_deserialization"
_VARIABLES = "tensorflow.python.eager.polymorphic_function.polymorphic_function"


def install(run, settings, version):
    """Waits for the parts of TensorFlow, which is `version`, and for the Keras that the program uses."""
    from firststep_agent.boost.cache_functions import keras2, keras3

    run.after_import(_POINT, lambda module: Hook(run, settings).attach(module))
    _keep_xla_programs(run, version)
    keras3.install(run)
    keras2.install(run)
    frames.install(run)


def _keep_xla_programs(run, version):
    programs = xla.XlaCache(os.path.join(run.cache, ID, "xla"))
    if sys.platform == "linux" and xla.can_be_kept(version) and programs.switch_on():
        run.on_exit(programs.take_over)
        run.on_fork(programs.forget)


class Hook:
    """The replacement of `tracing_compilation._create_concrete_function`."""

    def __init__(self, run, settings):
        self._run = run
        self._store = store.Store(os.path.join(run.cache, ID))
        self._refusals = refusals.Refusals(os.path.join(run.cache, ID))
        self._settings = settings
        self._create = None
        self._teacher = None
        self._lookup = None
        self._busy = threading.Lock()  # what is watched during a trace is the process's: one at a time

    def attach(self, module):
        """Puts itself into TensorFlow."""
        import functools

        original = self._create = module._create_concrete_function
        proofs = watch.Proofs(self._run, self._settings)
        self._run.on_exit(proofs.finish)  # before what the verdicts mean is written down
        self._teacher = Teacher(self._run, self._store, self._refusals, original, proofs, self._settings)
        self._lookup = Lookup(self._run, self._store, original, proofs, self._settings)

        @functools.wraps(original)
        def _create_concrete_function(function_type, type_context, func_graph, tracing_options):
            learned = learning.current()
            with frames.hidden():
                if learned is not None:
                    return learned.trace(original, function_type, type_context, func_graph, tracing_options)
                arguments = function_type, type_context, func_graph, tracing_options
                if not guards.top_level() or _is_frameworks_own(tracing_options):
                    return original(*arguments)
                if _is_loaded(tracing_options):
                    return self._plainly(*arguments)
                busy = self._busy
                if not busy.acquire(blocking=False):
                    return original(*arguments)
                try:
                    return self._top_level(*arguments)
                finally:
                    busy.release()

        module._create_concrete_function = _create_concrete_function
        self._run.after_import(_VARIABLES, _watch_functions)
        self._run.after_import(_LOADING, self._watch_loading)
        self._run.on_training(_note_training)
        self._run.on_fork(self._after_fork)

    def _after_fork(self):
        self._busy = threading.Lock()

    def _top_level(self, function_type, type_context, func_graph, options):
        with first_traces.unheard():
            answer = self._answer(function_type, type_context, func_graph, options)
        return self._plainly(function_type, type_context, func_graph, options) if answer is None else answer

    def _plainly(self, *arguments):
        traced = self._create(*arguments)  # type: ignore[misc]
        self._teacher.by_content.watch(traced)
        return traced

    def _watch_loading(self, module):
        """Functions of SavedModels come with their graphs."""
        import functools

        original = module.load_function_def_library
        by_content = self._teacher.by_content

        @functools.wraps(original)
        def load_function_def_library(*arguments, **keywords):
            functions = original(*arguments, **keywords)
            if guards.top_level():
                for function in functions.values():
                    by_content.watch(function)
            return functions

        module.load_function_def_library = load_function_def_library

    def _answer(self, function_type, type_context, func_graph, options):
        """The stored function, or a trace that was learned from, or None where there is nothing to learn."""
        try:
            trace = Trace(function_type, type_context, func_graph, options)
            unusual = guards.unusual()
            if unusual is not None:
                raise signature.NotDescribable(unusual)
            trace.identify()
            known = self._refusals.reason(trace.primary)
            if known is not None and teach.is_cheap(known) and known != self._teacher.cheap:
                known = None  # by another measure of what is cheap
            if known is not None and not self._refusals.is_about_misses(trace.primary):
                return self._refused(trace, known)
            found = self._lookup.find(trace)
            if found.lazy or found.confirm or found.plainly:
                known = None
        except (signature.NotDescribable, outputs.NotEncodable) as error:
            self._run.note(ID, "refused", function=options.name, reason=str(error))
            return None
        except Exception as error:
            self._run.note(ID, "error", function=options.name, reason=f"{type(error).__name__}: {error}")
            return None
        if found.lazy is not None:
            self._refusals.answered(trace.primary)
            return found.lazy
        if found.plainly is not None:
            self._run.note(ID, "refused", function=trace.name, reason=found.plainly)
            return None
        if found.confirm is not None:
            return self._teacher.confirm(trace, found)
        return self._teacher.trace(trace, found) if known is None else self._refused(trace, known)

    def _refused(self, trace, reason):
        if not teach.is_cheap(reason):
            self._run.note(ID, "refused", function=trace.name, reason=reason)


def _note_training(name):
    """The ready probe has seen an optimizer, or an assignment of gradients, in the trace that is being learned."""
    current = learning.current()
    if current is not None:
        current.training = True


def _watch_functions(module):
    initialise.watch(module.Function)
    _watch_creation(module)


def _watch_creation(module):
    """Variables that a trace creates are effects on the user's objects: such a function is not kept."""
    import functools

    original = module.UnliftedInitializerVariable.__init__

    @functools.wraps(original)
    def __init__(self, *arguments, **keywords):
        current = learning.current()
        if current is not None:
            current.refuse("it creates variables while it is traced: create them before the first call")
        original(self, *arguments, **keywords)

    module.UnliftedInitializerVariable.__init__ = __init__


class Trace:
    """One trace that is asked for: its arguments to TensorFlow, the user's function, its first-level key."""

    def __init__(self, function_type, type_context, func_graph, options):
        self.function_type = function_type
        self.type_context = type_context
        self.func_graph = func_graph
        self.options = options
        self.name = options.name
        self.function = callables.traced(options)
        self.primary = None
        self.started_ns = clock.now()
        self._whole = None

    @property
    def whole(self):
        """The program's state (dependencies.whole) when it was first asked for, which is before the trace."""
        if self._whole is None:
            from firststep_agent.boost.cache_functions.dependencies import whole

            self._whole = whole.Whole(self.function)
        return self._whole

    def identify(self):
        """Computes the first-level key. Raises signature.NotDescribable or outputs.NotEncodable."""
        from firststep_agent.boost.cache_functions import dependencies

        self.signature = signature.describe(self.function_type, self.options)
        objects = signature.objects(self.function_type)
        if objects:
            self.function = dependencies.Called(self.function, objects)
        self.primary = dependencies.identity(self.function, self.signature)


def _is_frameworks_own(options):
    """The frameworks' helpers that run once and are no step, like initialisers of variables, and the functions of tf.data.

    Those are traced in 5 to 14 ms each, and a look-up takes as long.
    """
    code = getattr(callables.traced(options), "__code__", None)
    if code is None:
        return False
    return any(part in code.co_filename for part in _OWN)


def _is_loaded(options):
    """Whether what is traced calls a function of a SavedModel and does nothing else."""
    code = getattr(callables.traced(options), "__code__", None)
    return code is not None and "/tensorflow/python/saved_model/" in code.co_filename


_OWN = ("/tensorflow/python/eager/polymorphic_function/", "/tensorflow/python/data/", "/tensorflow/python/checkpoint/")
