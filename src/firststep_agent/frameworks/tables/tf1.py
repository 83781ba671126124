"""TensorFlow 1 programs, as tf.compat.v1 runs them."""

from firststep_agent.frameworks.points import Point, SpanRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

P = "tensorflow.python."


def _point(module: str, attribute: str, kind: str, *, since: "tuple[int, int] | None" = None, before: "tuple[int, int] | None" = None,
           step: "str | None" = None, by: "tuple[str, ...]" = (), **span: "Any") -> "Point":
    return Point(P + module, attribute, since=since, before=before, step=step, by=by, span=SpanRule(kind, **span))


POINTS = (
    _point("client.session", "BaseSession.__init__", "session-create", labels="sessions.created", late=True),
    _point("ops.variables", "variables_initializer", "initialisation", labels="sessions.initialisation", late=True),
    _point("client.session", "BaseSession._extend_graph", "session-extend", labels="sessions.grown", when="sessions.has_grown",
           late=True),
    _point("client.session", "BaseSession.run", "session-run", name="sessions.fetched", labels="sessions.graph",
           when="sessions.kind_of_run", counted=True, splits=True, step="runs-session", by=("results",)),
    Point(P + "client.session", "BaseSession._make_callable_from_options", step="makes-callable"),
    Point(P + "client.session", "BaseSession._Callable.__call__", step="runs-callable"),
    _point("ops.ref_variable", "RefVariable._init_from_args", "variable", since=(2, 13), name="values.asked_name",
           labels="values.variable"),
    _point("ops.variables", "RefVariable._init_from_args", "variable", before=(2, 13), name="values.asked_name",
           labels="values.variable"),
    _point("framework.importer", "_import_graph_def_internal", "graph-import", labels="sessions.imported"),
    _point("training.saver", "Saver.__init__", "saver"),
    _point("training.saver", "Saver.restore", "saver", name="sessions.restored_name", labels="files.restored"),
    Point(P + "training.optimizer", "Optimizer.apply_gradients", step="applies"),
    Point(P + "training.optimizer", "Optimizer.__init__", step="constructs"),
)
