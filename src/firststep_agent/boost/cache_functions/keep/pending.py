"""From a learned trace to an entry on disk: the first call gives the optimised graph, the rest is done off the path."""

import threading

from firststep_agent import clock
from firststep_agent.boost.cache_functions import ID, frames
from firststep_agent.boost.cache_functions.keep import captures, convert, entries, origins, outputs
from firststep_agent.boost.cache_functions.keep.header import OPTIMISED, TRACED
from firststep_agent.boost.cache_functions.key import guards
from firststep_agent.boost.objects import canonical
from firststep_agent.boost.objects.refusal import Passing, Refused
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.header import Header

ELSEWHERE = "its first call is made on another device, or with other options of TensorFlow's, than its trace"
USED_INSIDE = ("it is called from inside another function, under a tape or asynchronously as well: the graph for that would be traced "
               "later than in a plain run, and could see another state")
CALLED_OTHERWISE = ("it is called again on another device, or after options of the graph optimiser were set, when something that it reads "
                    "has changed: the graph for that would be traced later than in a plain run")

TRACED_OTHERWISE = "the start that was to confirm it has traced another graph"

_LARGEST = 128 << 20  # bytes of one graph: an eighth of the whole cache


_collecting = threading.Lock()


class Watched:
    """A function that is learned or confirmed, whose uses are watched. has_changed(): whether what its trace read may be another now."""

    has_changed: "Callable[[], bool]" = staticmethod(lambda: True)
    _was_called_otherwise = False

    def is_used_inside(self, reason: str = USED_INSIDE) -> None:
        raise NotImplementedError

    def is_called_otherwise(self) -> None:
        """It is called where TensorFlow optimises its graph anew. The first time is the one at which an answer would be traced."""
        if not self._was_called_otherwise:
            self._was_called_otherwise = True
            if self.has_changed():
                self.is_used_inside(CALLED_OTHERWISE)


class Pending(Watched):
    """A traced function on the learning run, until its entry is written. From its first call until then it keeps the traced graph, and
    never the concrete function, nor anything of the program's: who asks whether it is handed out is there as long as the function."""

    is_told = True  # whether the report says that it was learned, or why not
    is_of_optimised = False  # whether it serves nothing but the optimised graph
    inference: "Any"
    _graph: "Any"
    _metadata: "bytes | None"

    def __init__(self, concrete_function: "Any", under_way: "Any", header: "Header", finish: "Callable[[Any], object]") -> None:
        self._finish = finish
        self._optimised_for = _optimised_for()
        self._metadata = self.inference = self._graph = self._called_from = None
        self.name = header.function
        self.header = header
        self._library_of: entries.FunctionEntry | None = None
        self.used_inside: str | None = None  # why a trace that is put off could be another, in words
        self.is_over = False  # whether no entry is kept, and so none to be taken back
        self.proof: Any = None  # of a second trace beside the learning run's
        self.written: Callable[[str], object] | None = None  # takes the entry back, once it is written
        self._describe(concrete_function, under_way)

    def _describe(self, function: "Any", under_way: "Any") -> None:
        self._called_from = frames.called_from()
        if function.graph.function_captures.by_ref_external:
            raise Refused("it captures Python values by reference")
        refuse_resources(function)
        refuse_lists(function)
        try:
            self.header.captures = captures.describe(function, under_way.path_of)
            self.header.output = outputs.encode(function.function_type.output)
        except (captures.NotReachable, outputs.NotEncodable) as error:
            raise Refused(str(error)) from None
        self.header.results = len(function.function_type.flat_outputs or ())

    def take(self, function: "Any", metadata: bytes, first_call_ns: int) -> None:
        """What TensorFlow said of the function's first call: a serialised RunMetadata."""
        if _optimised_for() != self._optimised_for:
            self.is_used_inside(ELSEWHERE)
        self.header.first_call_ns = first_call_ns
        self._metadata = metadata
        self.inference = function._inference_function
        self._graph = function.graph
        self._finish(self)

    def let_go(self) -> None:
        """It is written, or never will be: what was traced is not needed any more."""
        self._metadata = self.inference = self._graph = self._called_from = self._library_of = None
        self.is_over = self.is_over or self.written is None

    def adopt(self, function: "Any", entry: "entries.FunctionEntry") -> None:
        """Takes the optimised graph from an entry that was found by the content of the traced one."""
        self._library_of = entries.FunctionEntry(entry.header, dict(entry.blobs))
        self.take(function, b"", entry.header.first_call_ns)

    def is_used_inside(self, reason: str = USED_INSIDE) -> None:
        """It, or a function that was traced with it, was called where a stored graph cannot answer: a trace made then would see the
        state of then. Once is enough."""
        if self.used_inside:
            return
        self.used_inside, self.is_over = reason, True
        if self.written is not None:
            self.written(reason)

    def entry(self) -> "entries.FunctionEntry":
        """The entry to write. Raises Refused."""
        if self.used_inside:
            raise Refused(self.used_inside)
        self.header.exact, traced = canonical.exactly(self.inference)
        if self._library_of is not None:
            self.header.name, self.header.form = self._library_of.header.name, self._library_of.header.form
            return entries.FunctionEntry(self.header, {**self._library_of.blobs, **self._stacks(traced)})
        try:
            library, nodes = self._library()
        except convert.NotConvertible as error:
            raise Refused(str(error)) from None
        reason = convert.refusal(library)
        if reason is not None:
            raise Refused(reason)
        former = convert.name_by_digest(library)
        self.header.name = library.function[len(former) - 1].signature.name
        serialized = library.SerializeToString(deterministic=True)
        if len(serialized) > _LARGEST:
            raise Refused(f"its graph holds {len(serialized) >> 20} MB of constants: large arrays could be variables")
        return entries.FunctionEntry(self.header, {
            "library": serialized,
            "origins": origins.of_content(former, nodes, traced),
            **self._stacks(traced),
        })

    def _stacks(self, traced: "list[str]") -> "dict[str, bytes]":
        """What an answer needs of the process that traced it: what is found by the content of a traced graph has that beside it."""
        if self.is_of_optimised:
            return {}
        return {"stacks": origins.of_process(self.inference, traced, self._called_from)}

    def _library(self) -> "tuple[Any, dict[str, origins.Nodes]]":
        """The functions to keep, and where their nodes come from."""
        definition = self.inference.cached_definition
        if self._metadata is not None and not compiles_by_xla(definition):
            try:
                library, nodes = self._optimised(definition)
                if convert.missing(library) is None:
                    self.header.form = OPTIMISED
                    return library, nodes
            except Passing:
                if self.is_of_optimised:
                    raise
        # XLA takes the optimiser's place; TensorFlow 2.15 leaves functions that its optimiser specialised out of what it collects; what
        # other threads do meanwhile (functions of Python's in an input pipeline) may be in between.
        self.header.form = TRACED
        return convert.traced_function(definition, self._graph.as_graph_def().library.function), {}

    def _optimised(self, definition: "Any") -> "tuple[Any, dict[str, origins.Nodes]]":
        from tensorflow.core.protobuf import config_pb2

        graphs = config_pb2.RunMetadata.FromString(self._metadata).function_graphs
        if len(graphs) != 1:
            raise Passing(f"its first call instantiated {len(graphs)} functions, not one")
        if not convert.is_of(graphs[0], definition):
            raise Passing("what TensorFlow's optimiser made of its first call is not its graph alone")
        return convert.optimised_function(graphs[0].post_optimization_graph, definition.signature, definition.attr)


class Confirming(Watched):
    """Stands where a Pending stands, in a start that confirms: its entry is there, wants nothing more, and may have to be taken back."""

    def __init__(self, exact: str, take_back: "Callable[[str], object]") -> None:
        self._exact = exact
        self._take_back = take_back
        self.is_over = False

    def is_used_inside(self, reason: str = USED_INSIDE) -> None:
        """As of a Pending."""
        if not self.is_over:
            self.is_over = True
            self._take_back(reason)

    def is_of(self, exact: str) -> None:
        """This process has traced a graph of this digest, whatever its proof has traced."""
        if exact != self._exact:
            self.is_used_inside(TRACED_OTHERWISE)


def collect(run: "Any", function: "Any", records: "Iterable[Pending]", tensor_inputs: "Any", captured_inputs: "Any") -> "Any":
    """Makes the first call of a function, and has TensorFlow say what its optimiser made of the graph."""
    plain = type(function)._call_flat
    if not _collecting.acquire(blocking=False):  # another thread's first call: one buffer for all
        return plain(function, tensor_inputs, captured_inputs)
    try:
        collection = _quietly(run, _Collection)
        before = clock.now()
        try:
            result = plain(function, tensor_inputs, captured_inputs)
        except BaseException:
            for record in records:
                if record.is_told:
                    run.note(ID, "refused", function=record.name, reason="its first call failed")
            raise
        finally:
            spent = clock.now() - before
            metadata = None if collection is None else _quietly(run, collection.end)
    finally:
        _collecting.release()
    if metadata is not None:
        for record in records:
            _quietly(run, lambda record=record: record.take(function, metadata, spent))
    return result


def _quietly(run: "Any", do: "Callable[..., Any]") -> "Any":
    """do(); None, and an event in the trace, where that fails: the program's call stands beside it."""
    try:
        return do()
    except Exception as error:
        if is_theirs(error):
            raise
        run.failed("what TensorFlow's optimiser makes of a graph", error)
        return None


def _optimised_for() -> "tuple[str, bytes]":
    from tensorflow.python.eager import context

    return guards.optimised_for(context.context())


def compiles_by_xla(definition: "Any") -> bool:
    """Whether a FunctionDef asks for `jit_compile`."""
    return "_XlaMustCompile" in definition.attr and definition.attr["_XlaMustCompile"].b


class _Collection:
    """Collects the graphs of functions that are instantiated from now on until `end`."""

    def __init__(self) -> None:
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.client import pywrap_tf_session
        from tensorflow.python.eager import context
        from tensorflow.python.framework import c_api_util

        self._context = context.context()
        self._execute, self._export_metadata = pywrap_tfe.TFE_Py_Execute, pywrap_tfe.TFE_ContextExportRunMetadata
        self._buffer, self._bytes = c_api_util.tf_buffer, pywrap_tf_session.TF_GetBuffer
        self._context.ensure_initialized()
        pywrap_tfe.TFE_ContextEnableGraphCollection(self._context._handle)  # its method is the program's (guards.program_collects)
        try:
            self._clear()
        except BaseException:
            self._context.disable_graph_collection()
            raise

    def end(self) -> "Any":
        """What was collected: a serialised RunMetadata."""
        try:
            return self._export()
        finally:
            self._context.disable_graph_collection()

    def _clear(self) -> None:
        """Drops what another thread added when the last collection had ended.

        TensorFlow merges it into the next graph that it collects, unless an operation is executed before.
        """
        self._execute(self._context._handle, None, "NoOp", [], [], 0)
        self._export()

    def _export(self) -> "Any":
        """What was collected so far, and is not collected any more."""
        with self._buffer() as buffer:
            self._export_metadata(self._context._context_handle, buffer)
            return self._bytes(buffer)


def refuse_resources(function: "Any") -> None:
    """Raises Refused where a result is a resource: it would be one of the process that learned."""
    from tensorflow.python.framework import dtypes

    for output in function.function_type.flat_outputs or ():
        if output.dtype == dtypes.resource:
            raise Refused("it returns a resource")


def refuse_lists(function: "Any") -> None:
    """Raises Refused where a result is a list of tensors in one: Python is told their shapes beside it, by the trace alone."""
    for output in function.function_type.flat_outputs or ():
        if output.dtype._handle_data is not None:
            raise Refused("it returns a list of tensors as one tensor")
