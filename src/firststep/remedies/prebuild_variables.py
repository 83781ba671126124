"""Make an optimizer's and the metrics' variables outside the first trace instead of inside it.

Keras makes an optimizer's slots and a model's metrics when the first training step asks for them, which is while
TensorFlow traces that step. TensorFlow then lifts each variable's initialiser out of the graph, one trace for each,
and traces the whole step again: for ResNet50 863 traces instead of 5, and more than half of the time to the first
step.

Exact because the same code makes the same variables, of the very model variables that the step hands to the
optimizer, in the same order, with the same names, paths and types, at the same moment; only the graph that is being
traced is not told. The graph that runs is the one that TensorFlow's second trace would have given. Checkpoints of
both load into each other.

It leaves alone: variables whose initialiser may draw from a random stream, layers that are built in the step,
variables under a distribution strategy, and eager steps. Where the traced code draws from Python's or NumPy's random
stream, the step is traced twice, as it would be plainly. A step that prints or counts while it is traced does so
once instead of twice.
"""

SHORT = "variables made before the trace"
ORDER = 50
NEEDS_CACHE = False
SETTINGS: dict[str, object] = {}
