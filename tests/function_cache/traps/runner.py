"""Runs every trap in one process: `runner.py MODE OUT [NAME...]`.

MODE: `plain`; `learn` keeps a manifest of every top-level trace; `check` says of each trace whether a kept manifest holds
(and traces plainly); `boost` runs them with the remedy itself. OUT: JSON, {case: {"result": digest, "traces": [[name, verdict]]}}.
A verdict is "hit", or the reason why not.
"""

import hashlib
import importlib
import inspect
import json
import os
import sys

MODE, OUT, *NAMES = sys.argv[1:]
FOLDER = os.environ["TRAPS"]
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))]
sys.path.insert(0, os.environ["AGENT"])

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from faked_run import Run  # noqa: E402

VERDICTS = []


def digest(arrays):
    found = hashlib.sha256()
    for array in arrays:
        array = np.ascontiguousarray(array)
        found.update(f"{array.dtype} {array.shape}".encode() + array.tobytes())
    return found.hexdigest()[:16]


def hook():
    """Learns or checks every top-level trace, the way the remedy does."""
    from firststep_agent.boost.cache_functions import hooks
    from firststep_agent.boost.cache_functions.key import callables
    from firststep_agent.boost.cache_functions.key.ingredients import of_trace
    from firststep_agent.boost.cache_functions.reads.stands import Stands
    from firststep_agent.boost.cache_functions.reads.trace_reads import TraceReads
    from firststep_agent.boost.cache_functions.reads.verify import verify
    from firststep_agent.boost.objects.refusal import Refused
    from tensorflow.python.eager.polymorphic_function import tracing_compilation

    original = tracing_compilation._create_concrete_function
    store = os.path.join(FOLDER, "manifests.json")
    kept = {}
    if MODE == "check":
        with open(store) as file:
            kept = json.load(file)
    nesting, stands = [], Stands(CasesRun(None))

    def create(function_type, type_context, func_graph, options):
        trace = hooks.AskedTrace(function_type, type_context, func_graph, options)
        function = trace.function
        if nesting or hooks._is_frameworks_own(options):
            return original(function_type, type_context, func_graph, options)
        nesting.append(options.name)
        try:
            key = of_trace(function, str(function_type)).hex
            if MODE == "check":
                reasons = [verify(m, function) for m in kept.get(key, ())]
                hit = None in reasons
                VERDICTS.append([options.name, "hit" if hit else (reasons[0] if reasons else "another first-level key")])
            learner = TraceReads(function, stands)
            with learner:
                made = original(function_type, type_context, func_graph, options)
            if MODE == "check":
                return made
            try:
                kept.setdefault(key, []).append(json.loads(json.dumps(learner.manifest())))
                VERDICTS.append([options.name, "learned"])
            except Refused as refused:
                VERDICTS.append([options.name, f"refused: {refused}"])
            return made
        finally:
            nesting.pop()

    # The hook counts as firststep's own, as the remedy's does: it is no patch of the user's.
    agent = os.path.join(os.path.dirname(callables.__file__), "hook_of_the_tests.py")
    create.__code__ = create.__code__.replace(co_filename=agent)
    create.__wrapped__ = original
    tracing_compilation._create_concrete_function = create
    return kept


class CasesRun(Run):
    """In a process that has imported everything already, and is ready."""

    def before_import(self, name, callback):
        callback()

    def after_import(self, name, callback):
        if name in sys.modules:
            callback(sys.modules[name])

    def on_ready(self, callback):
        callback()

    def note(self, remedy, what, **labels):
        VERDICTS.append([labels.get("function", ""), what if what == "live" else f"{what}: {labels.get('reason', '')}"])

    def record(self, *items):
        VERDICTS.append(["", f"error: {items}"])

    def failed(self, where, error, callback=None):
        VERDICTS.append(["", f"error: {where}: {error!r}"])


def boost():
    """Starts the remedy as the agent would."""
    from firststep_agent.boost import cache_functions
    from firststep_agent.boost.cache_functions.proof import watch

    watch.Proofs._stop = lambda *arguments: None  # many cases share the process: what is disproved is noted
    run = CasesRun(os.path.join(FOLDER, "cache"))
    run.know_fork_handlers()
    os.makedirs(run.cache, mode=0o700, exist_ok=True)
    cache_functions.start(run, {"replay_over_ms": 0, "proof": "wait"})
    return run


def all_cases():
    for module in ("values", "code", "models", "data", "outside", "lasting"):
        for name, function in vars(importlib.import_module("cases." + module)).items():
            if inspect.isfunction(function) and function.__module__ == "cases." + module and name[0] != "_" \
                    and not inspect.signature(function).parameters and name not in ("pick", "variant"):
                yield name, function


def main():
    kept = hook() if MODE in ("learn", "check") else None
    run = boost() if MODE == "boost" else None
    results = {}
    for name, function in all_cases():
        if NAMES and name not in NAMES:
            continue
        keras.backend.clear_session()
        keras.utils.set_random_seed(1)
        VERDICTS.clear()
        try:
            result = digest(function())
        except Exception as error:
            result = f"{type(error).__name__}: {error}"[:300]
        results[name] = {"result": result, "traces": list(VERDICTS)}
    if run:
        run.finish("exit")
    with open(OUT, "w") as file:
        json.dump(results, file, indent=1)
    if MODE == "learn":
        with open(os.path.join(FOLDER, "manifests.json"), "w") as file:
            json.dump(kept, file)


main()
