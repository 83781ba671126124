"""Sessions of TensorFlow 1: a run that reaches an optimizer's update trains, another that computes predicts."""

from _thread import get_ident

from firststep_agent.observe.wrapping import leave_no_frame, stand_in

_UPDATES = ("ResourceApply", "Apply", "SparseApply", "ResourceSparseApply")
_ASSIGNMENTS = ("Assign", "ScatterUpdate", "ScatterAdd", "ScatterSub", "ResourceScatter")
_NO_COMPUTATION = frozenset(
    ("Const", "Placeholder", "Variable", "VariableV2", "VarHandleOp", "ReadVariableOp", "Identity", "NoOp",
     "VarIsInitializedOp", "IsVariableInitialized", "PlaceholderWithDefault", "Pack", "StringJoin")
)


def install(steps, module):
    kinds: dict = {}
    _watch_run(steps, module.BaseSession, kinds)
    callable_class = vars(module.BaseSession).get("_Callable")
    make = vars(module.BaseSession).get("_make_callable_from_options")
    if callable_class and make:
        _watch_callables(steps, module.BaseSession, make, callable_class)


def _watch_run(steps, owner, kinds):
    original = vars(owner)["run"]
    inside = steps.inside

    def run(self, fetches, feed_dict=None, *args, **kwargs):
        thread = get_ident()
        if thread in inside:
            return original(self, fetches, feed_dict, *args, **kwargs)
        inside[thread] = "session"
        try:
            result = original(self, fetches, feed_dict, *args, **kwargs)
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            inside.pop(thread, None)
        steps.attempt(_ran, steps, kinds, self.graph, fetches)
        return result

    steps.run.replace(owner, "run", stand_in(original, run))


def _ran(steps, kinds, graph, fetches):
    fetched = _flat(fetches)
    key = (id(graph), *map(id, fetched))
    if key not in kinds:
        kinds[key] = (_kind(graph, fetched), fetched)  # holds them: an id must stay theirs
    if kinds[key][0]:
        steps.ended(kinds[key][0], "Session.run")


def _watch_callables(steps, owner, make, callable_class):
    """Keras in graph mode runs its functions through callables, made once from names."""
    kinds = {}
    call = vars(callable_class)["__call__"]

    def _make_callable_from_options(self, callable_options):
        made = make(self, callable_options)
        names = [*callable_options.fetch, *callable_options.target]
        kinds[id(made)] = steps.attempt(_kind, self.graph, names)
        return made

    def __call__(self, *args, **kwargs):
        result = call(self, *args, **kwargs)
        kind = kinds.get(id(self))
        if kind and get_ident() not in steps.inside:
            steps.attempt(steps.ended, kind, "Session.run")
        return result

    steps.run.replace(owner, "_make_callable_from_options", stand_in(make, _make_callable_from_options))
    steps.run.replace(callable_class, "__call__", stand_in(call, __call__))


def _element(graph, name):
    return graph.as_graph_element(name) if isinstance(name, (str, bytes)) else name


def _flat(fetches):
    if isinstance(fetches, dict):
        return [leaf for one in fetches.values() for leaf in _flat(one)]
    if isinstance(fetches, (list, tuple)):
        return [leaf for one in fetches for leaf in _flat(one)]
    return [fetches]


def _kind(graph, fetched):
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
