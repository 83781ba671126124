"""The phases, and which kind of span belongs to which. Explained for users in docs/phases.md."""

from __future__ import annotations

LAUNCH = "launch"
INTERPRETER = "interpreter"
IMPORTS = "imports"
NATIVE = "native libraries"
DEVICES = "devices"
MODEL = "model build"
VARIABLES = "variables"
WEIGHTS = "weights"
DATA = "data"
TRACING = "tracing"
OPTIMISATION = "graph optimisation"
COMPILE = "compile"
EXECUTION = "first execution"
NETWORK = "network and external services"
COLLECTION = "garbage collection"
LIBRARIES = "other libraries"
USER = "your code"
AGENT = "firststep itself"
UNACCOUNTED = "unaccounted"

PHASES = (
    LAUNCH,
    INTERPRETER,
    IMPORTS,
    NATIVE,
    DEVICES,
    MODEL,
    VARIABLES,
    WEIGHTS,
    DATA,
    TRACING,
    OPTIMISATION,
    COMPILE,
    EXECUTION,
    NETWORK,
    COLLECTION,
    LIBRARIES,
    USER,
    AGENT,
    UNACCOUNTED,
)

PHASE_OF = {
    "import": IMPORTS,
    "compile-source": IMPORTS,
    "native": NATIVE,
    "custom-op-library": NATIVE,
    "device-discovery": DEVICES,
    "runtime-init": DEVICES,
    "device-configuration": DEVICES,
    "session-create": DEVICES,
    "strategy": DEVICES,
    "model-build": MODEL,
    "model-compile": MODEL,
    "optimizer-build": MODEL,
    "graph-import": MODEL,
    "variable": VARIABLES,
    "initialiser": VARIABLES,
    "weights-load": WEIGHTS,
    "weights-set": WEIGHTS,
    "model-load": WEIGHTS,
    "checkpoint": WEIGHTS,
    "saver": WEIGHTS,
    "data-function": DATA,
    "data-pipeline": DATA,
    "data-iterator": DATA,
    "data-first-element": DATA,
    "trace": TRACING,
    "autograph": TRACING,
    "gradients": TRACING,
    "function-register": TRACING,
    "graph-optimise": OPTIMISATION,
    "session-extend": OPTIMISATION,
    "xla-compile": COMPILE,
    "first-call": EXECUTION,
    "first-execution": EXECUTION,
    "session-run-first": EXECUTION,
    "session-run": EXECUTION,
    "cluster-wait": NETWORK,
    "network": NETWORK,
    "gc": COLLECTION,
}
GIVE_WAY = (  # kinds that only say where the program is: samples decide
    "fit", "predict", "evaluate", "train_on_batch", "test_on_batch", "predict_on_batch", "file-read", "initialisation", "profiler", "phase",
)
