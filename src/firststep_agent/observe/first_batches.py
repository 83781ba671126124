"""How long a function's first call waits for the first batch: the step of `fit` fetches it within the graph, where no Python is called.

TensorFlow counts, in its model of an input pipeline, the elements that each part of it has given. While such a call is under way the
sampling thread reads those counts: where a part has begun to work, and the whole has not yet given an element, the call waits for
data. What no look has seen is not claimed, so that a batch that was at hand costs nothing. The model also says for how long each part
has worked, until that part ends and is forgotten: each look remembers it, and where the program itself has fetched the first element it
is asked then. Nothing is asked of a pipeline whose counts are not kept, nor where somebody looks at each operation; and of a call,
nothing under remedies, which fork.
"""

import sys
from weakref import WeakSet

from firststep_agent.signals import is_theirs
from firststep_agent.wire import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

OPERATION = "IteratorGetModelProto"
HERE = "/job:localhost/replica:0/task:0/device:CPU:0"
LONG_NS = 100_000_000  # a call that took so long may have waited for a second element
LEAST_NS, MOST = 10_000_000, 10  # of what a transformation has worked; how many are told
NODES, OUTPUT, KEY, VALUE, NAME, ELEMENTS, TIME = 1, 2, 1, 2, 2, 8, 9  # numbers of the fields of ModelProto, its map, and its Node
_fresh: "WeakSet[Any]" = WeakSet()  # iterators that have given nothing yet, and keep count
_watches: "list[FirstBatch]" = []  # the calls that are under way


def made(iterator: "Any", dataset: "Any") -> None:
    """An iterator was made of `dataset`."""
    if dataset.options().autotune.enabled is not False:  # else its operation would fail, and TensorFlow say so
        _fresh.add(iterator)


def begin(run: "Any", inputs: "Iterable[Any]") -> "FirstBatch | None":
    """A watch of the call of a function with these inputs that begins now; None where it fetches no first batch, or nobody may look."""
    if not _fresh or run.plan.get("boost"):
        return None
    fetched = [one for one in _fresh if any(each is one._iterator_resource for each in inputs)]
    samples = sys.modules.get("firststep_agent.observe.samples")
    for one in fetched:
        _fresh.discard(one)
    if len(fetched) != 1 or samples is None or not _may_look(fetched[0]._iterator_resource):
        return None
    watch = FirstBatch(fetched[0])
    if look not in samples.looks:
        _watches.clear()  # a process's that this one was forked from
        samples.looks.append(look)
    _watches.append(watch)
    return watch


def look(t: int) -> None:
    """The sampling thread looks at the calls that are under way; t: a moment before."""
    for watch in _watches[:]:
        watch.look(t)


def _may_look(resource: "Any") -> bool:
    """Whether an operation of ours is seen by nobody, and waits for nothing that is under way."""
    module = sys.modules.get("tensorflow.python.eager.context")
    operations = sys.modules.get("tensorflow.python.ops.gen_experimental_dataset_ops")
    profiler = sys.modules.get("tensorflow.python.profiler.profiler_v2")
    context = getattr(module, "_context", None)
    return (hasattr(operations, "iterator_get_model_proto") and resource.device == HERE
            and not getattr(context, "_log_device_placement", True) and not getattr(context, "_default_is_async", True)
            and getattr(profiler, "_profiler", None) is None)


class FirstBatch:
    """One call, until it ends."""

    def __init__(self, iterator: "Any") -> None:
        self.iterator = id(iterator)
        self._resource = iterator._iterator_resource
        self._times: dict[str, int] = {}  # what each transformation had worked when it was last there
        self._idle = self._waiting = 0  # the last looks that saw nothing begun, and begun but nothing given
        self._given = 0  # elements
        self._lost = False

    def look(self, t: int) -> None:
        if self._lost:
            return
        try:
            nodes, output = parts(_model(self._resource))
            given, begun = counts(nodes, output)
            for name, ns in times(nodes).items():
                self._times[name] = max(ns, self._times.get(name, 0))
        except Exception as error:
            if is_theirs(error):
                raise
            self._lost = True
            return
        if given:
            self._given = max(self._given, given)
        elif begun:
            self._waiting = t
        else:
            self._idle = t

    def end(self, earliest: int, ended: int) -> "tuple[int, int, dict[str, Any]] | None":
        """(start, end, labels) of the wait, at least, for a call that can have come to its data at `earliest` and has ended; None where
        nothing could be told. Where it has fetched more than one element, `elements` says how many: only the first was waited for so."""
        if self in _watches:
            _watches.remove(self)
        long = ended - earliest > LONG_NS
        if long:
            self.look(0)
        if self._lost:
            return None
        start = max(earliest, self._idle)
        more = {"elements": self._given} if self._given > 1 else {}
        return start, max(start, self._waiting), {"iterator": self.iterator, **more, **(worked(self._times) if long else {})}


def of_first(iterator: "Any") -> "dict[str, Any]":
    """The label of an iterator's first element, which the program has fetched itself: what has worked for it."""
    if iterator not in _fresh:
        return {}
    _fresh.discard(iterator)
    resource = iterator._iterator_resource
    return worked(times(parts(_model(resource))[0])) if _may_look(resource) else {}


def _model(resource: "Any") -> "Any":
    context = sys.modules["tensorflow.python.eager.context"]._context
    execute = sys.modules["tensorflow.python.pywrap_tfe"].TFE_Py_Execute
    result, = execute(context._context_handle, "", OPERATION, [resource], (), 1)
    return result.numpy()


def parts(model: bytes) -> "tuple[dict[Any, dict[int, Any]], int | None]":
    """({number: fields} of each part of a pipeline, the number of the last one) of a ModelProto's bytes."""
    nodes, output = {}, None
    for field, value in fields(model):
        if field == NODES:
            entry = dict(fields(value))
            nodes[entry[KEY]] = dict(fields(entry[VALUE]))
        elif field == OUTPUT:
            output = value
    return nodes, output


def counts(nodes: "dict[Any, dict[int, Any]]", output: "int | None") -> "tuple[int, bool]":
    """(how many elements the pipeline has given, whether a part of it has begun to work)."""
    given = nodes.get(output, {}).get(ELEMENTS, 0)
    return given, bool(given) or any(node.get(ELEMENTS) or node.get(TIME) for number, node in nodes.items() if number != output)


def times(nodes: "dict[Any, dict[int, Any]]") -> "dict[str, int]":
    """{transformation: nanoseconds} that it has worked, on whatever thread, without those before it."""
    found: dict[str, int] = {}
    for node in nodes.values():
        name = str(node.get(NAME, b""), "utf-8", "replace")
        found[name] = found.get(name, 0) + node.get(TIME, 0)
    return found


def worked(times: "dict[str, int]") -> "dict[str, Any]":
    """The label that says so, most first; none where all of it is little."""
    long = sorted((-ns, name) for name, ns in times.items() if ns >= LEAST_NS)
    return {"worked": [[name, -ns] for ns, name in long[:MOST]]} if long else {}
