"""Hook points of TensorFlow 1 programs, as tf.compat.v1 runs them."""

from firststep_agent.observe.labels import files, sessions, values
from firststep_agent.observe.points import Point

P = "tensorflow.python."

POINTS = (
    Point(P + "client.session", "BaseSession.__init__", "session-create", labels=sessions.created, late=True),
    Point(P + "ops.variables", "variables_initializer", "initialisation", labels=sessions.initialisation, late=True),
    Point(P + "client.session", "BaseSession._extend_graph", "session-extend",
          labels=sessions.graph, when=sessions.has_grown),
    Point(P + "client.session", "BaseSession.run", "session-run", name=sessions.fetched, labels=sessions.graph,
          when=sessions.kind_of_run, counted=True, splits=True),
    Point(P + "ops.ref_variable", "RefVariable._init_from_args", "variable", since=(2, 13),
          name=values.asked_name, labels=values.variable),
    Point(P + "ops.variables", "RefVariable._init_from_args", "variable", before=(2, 13),
          name=values.asked_name, labels=values.variable),
    Point(P + "framework.importer", "_import_graph_def_internal", "graph-import", labels=sessions.imported),
    Point(P + "training.saver", "Saver.__init__", "saver"),
    Point(P + "training.saver", "Saver.restore", "saver", name=sessions.restored_name, labels=files.restored),
)
