"""Sessions of TensorFlow 1: a run that reaches an optimizer's update trains, another that computes predicts."""

from _thread import get_ident

from firststep_agent.frameworks.listening import CALL
from firststep_agent.observe.labels.said import leaves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.observe.steps.state import Steps

_UPDATES = ("ResourceApply", "Apply", "SparseApply", "ResourceSparseApply")
_ASSIGNMENTS = ("Assign", "ScatterUpdate", "ScatterAdd", "ScatterSub", "ResourceScatter")
_NO_COMPUTATION = frozenset(
    ("Const", "Placeholder", "Variable", "VariableV2", "VarHandleOp", "ReadVariableOp", "Identity", "NoOp",
     "VarIsInitializedOp", "IsVariableInitialized", "PlaceholderWithDefault", "Pack", "StringJoin")
)


def listener(steps: "Steps", point: "Point") -> "Listener":
    return {"runs-session": _run, "makes-callable": _make, "runs-callable": _run_callable}[point.step](steps)  # type: ignore[index]


def _run(steps: "Steps") -> "Listener":
    inside, kinds = steps.inside, steps.session_kinds

    def run(*args, **kwargs):
        thread = get_ident()
        if thread in inside:
            return
        inside[thread] = "session"
        try:
            yield CALL
        finally:
            inside.pop(thread, None)
        _ran(steps, kinds, args[0].graph, args[1] if len(args) > 1 else kwargs["fetches"])

    return run


def _ran(steps: "Steps", kinds: "dict[Any, Any]", graph: "Any", fetches: "Any") -> None:
    fetched = leaves(fetches)
    key = (id(graph), *map(id, fetched))
    if key not in kinds:
        kinds[key] = (_kind(graph, fetched), fetched)  # holds them: an id must stay theirs
    if kinds[key][0]:
        steps.ended(kinds[key][0], "Session.run")


def _make(steps: "Steps") -> "Listener":
    """Keras in graph mode runs its functions through callables, made once from names."""
    def _make_callable_from_options(*args, **kwargs):
        made = yield CALL
        options = args[1] if len(args) > 1 else kwargs["callable_options"]
        steps.session_kinds[id(made)] = _kind(args[0].graph, [*options.fetch, *options.target])

    return _make_callable_from_options


def _run_callable(steps: "Steps") -> "Listener":
    def __call__(*args, **kwargs):
        yield CALL
        kind = steps.session_kinds.get(id(args[0]))
        if kind and get_ident() not in steps.inside:
            steps.ended(kind, "Session.run")

    return __call__


def _element(graph: "Any", name: "Any") -> "Any":
    return graph.as_graph_element(name) if isinstance(name, (str, bytes)) else name


def _kind(graph: "Any", fetched: "list[Any]") -> "str | None":
    """"train", "predict" or None (initialising, reading, saving) for a run of these fetches."""
    elements = [_element(graph, one) for one in fetched if one is not None]
    types = set()
    gradients = False
    seen = set()
    waiting = [getattr(one, "op", one) for one in elements]
    while waiting:
        op = waiting.pop()
        if id(op) in seen or not hasattr(op, "control_inputs"):
            continue
        seen.add(id(op))
        kind = op.type
        types.add(kind)
        if kind.startswith(_UPDATES):
            return "train"
        gradients = gradients or "gradients" in op.name
        waiting += [tensor.op for tensor in op.inputs]
        waiting += op.control_inputs
    if gradients and any(kind.startswith(_ASSIGNMENTS) for kind in types):
        return "train"
    has_outputs = any(hasattr(one, "op") for one in elements)
    return "predict" if has_outputs and not types <= _NO_COMPUTATION else None
