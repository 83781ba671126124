"""Each cause before and after its remedy, on a program of the zoo that has it: the figures of `firststep explain` and docs/causes.md.

    python benchmarks/remedied.py --list
    python benchmarks/remedied.py                        all of them
    python benchmarks/remedied.py double-trace           one cause, and those that are measured with it
    python benchmarks/remedied.py --pairs 1 --to FILE    tried out: written to another file than the one that is shown

A remedy is boost's, alone and after the runs in which it learns; or the edit that the cause advises, made to a copy of the program.
"""

import argparse
import contextlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from bare_environment import bare_environment
from harness import PYTHON, ROOT, ZOO, difference, interleaved, machine, measured, middle
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_READY, Plan, Until
from firststep.model.read_trace import parse_trace
from firststep.prove import page_cache
from firststep.report import pages

LEARNING_RUNS = 2  # the first learns, the second confirms
IMPORTS = ("import-image", "memoise-signatures", "keep-compiled", "defer-source-lines", "presize-data-stack")
FIRST_STEP, EXIT = "its first step", "its end"
TEXT = "text_transformer"


@dataclass(frozen=True)
class Remedied:
    """One comparison. causes: it stands for; words: what is done; until: FIRST_STEP or EXIT; start(): a context that gives two functions,
    each a run's milliseconds; seconds: of a pair on two CPUs."""

    causes: tuple[str, ...]
    program: str
    words: str
    until: str
    start: Callable
    pairs: int
    seconds: float


def boosted(causes, name, *remedies, until=FIRST_STEP, pairs=4, seconds=10, bare=False, cold=False):
    """The program as it is, against boost with these remedies alone."""
    @contextlib.contextmanager
    def start():
        with bare_environment() if bare else contextlib.nullcontext(PYTHON) as python, own_cache():
            command = [python, str(ZOO / f"{name}.py")]
            plain, treated = _plan(until), replace(boost_plan(only=remedies), until=_plan(until).until, observe=OBSERVE_READY)
            empty = (os.path.dirname(os.path.dirname(python)),) if cold else ()
            for _ in range(LEARNING_RUNS):
                _run(command, treated, empty)
            stopped = replace(treated, stop=until == FIRST_STEP)
            yield lambda: _run(command, plain, empty), lambda: _run(command, stopped, empty)

    words = f"boost with {' and '.join((', '.join(remedies[:-1]), remedies[-1])) if remedies[1:] else remedies[0]}"
    return Remedied(causes, f"zoo/{name}.py{_said(bare, cold)}", words, until, start, pairs, seconds)


def _said(bare, cold):
    return ", without bytecode and read-only," if bare else ", the page cache dropped," if cold else ""


def edited(causes, name, words, *edits, before=(), after=(), of="", until=FIRST_STEP, pairs=4, seconds=8):
    """The program with the arguments `before`, against a copy in which each edit (old text, new text) is made, with those of `after`.

    of: the file that is edited, where it is another than the program.
    """
    @contextlib.contextmanager
    def start():
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "zoo")
            shutil.copytree(ZOO, copy, ignore=shutil.ignore_patterns("__pycache__"))
            place = copy / (of or f"{name}.py")
            place.write_text(with_edits(place.read_text(), edits))
            commands = [[PYTHON, str(root / f"{name}.py"), *map(str, arguments)] for root, arguments in ((ZOO, before), (copy, after))]
            for command in commands:
                _run(command, _plan(until), ())  # its bytecode and its model files are made
            yield tuple(lambda command=command: _run(command, _plan(until), ()) for command in commands)

    said = " ".join((f"zoo/{name}.py", *map(str, before)))
    return Remedied(causes, said, words, until, start, pairs, seconds)


def with_edits(text, edits):
    """Each old text stands there once."""
    for old, new in edits:
        if text.count(old) != 1:
            raise RuntimeError(f"the program has changed: {old!r} stands there {text.count(old)} times")
        text = text.replace(old, new)
    return text


def _plan(until):
    return Plan(observe=OBSERVE_READY, stop=True) if until == FIRST_STEP else Plan(until=Until("exit"), observe=OBSERVE_READY)


def _run(command, plan, empty):
    """Seconds from the spawn to what the plan waits for; the page cache without `empty`'s files before."""
    if empty:
        page_cache.empty(empty)
    ended = Session(command, plan, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
    if ended.exit_code and not ended.stopped:
        raise RuntimeError(f"{command} ended with exit code {ended.exit_code}")
    trace = parse_trace(ended.trace)
    return (trace.end - trace.spawned[0]) / 1e9


ROUNDS = ("--rounds", 60)
CASES = (
    boosted(("gc-during-startup",), "import_tensorflow", "pause-garbage-collection", until=EXIT, pairs=6, seconds=5),
    boosted(("slow-module-search",), "import_tensorflow", *IMPORTS, until=EXIT, pairs=6, seconds=4),
    boosted(("slow-library-load",), "import_tensorflow", "overlap", until=EXIT, pairs=6, seconds=5),
    boosted(("cold-page-cache",), "import_tensorflow", "prefetch-pages", until=EXIT, seconds=9, cold=True),
    boosted(("missing-bytecode", "unwritable-bytecode"), "import_tensorflow", "compile-bytecode", until=EXIT, seconds=8, bare=True),
    boosted(("double-trace",), TEXT, "prebuild-variables"),
    boosted(("slow-variable-creation", "slow-optimizer-setup"), TEXT, "prebuild-variables", "run-operations-directly"),
    boosted(("slow-graph-construction", "slow-gradient-construction", "slow-graph-optimisation", "slow-autograph"), TEXT,
            "cache-functions", seconds=9),
    boosted(("cold-compile-cache",), "user_style/jit_compile", "cache-functions", seconds=9),
    boosted(("slow-weight-load",), "load_and_predict_resnet", "run-operations-directly", seconds=8),
    edited(("shuffle-buffer-fill",), "shuffle_after_map", "shuffle before map and batch",
           ("    .map(load, num_parallel_calls=tf.data.AUTOTUNE)\n    .batch(32)\n    .shuffle(1000, seed=31)\n",
            "    .shuffle(16000, seed=31)\n    .map(load, num_parallel_calls=tf.data.AUTOTUNE)\n    .batch(32)\n"), seconds=7),
    edited(("function-retracing", "function-made-in-loop"), "retracing",
           "the number as a tensor, reduce_retracing, no function in the loop",
           ("@tf.function\ndef train_step", "@tf.function(reduce_retracing=True)\ndef train_step"),
           ("step // 3)", "tf.constant(step // 3, tf.float32))"),
           ("    @tf.function\n    def evaluate(x, y):\n", "    def evaluate(x, y):\n"), until=EXIT, seconds=10),
    edited(("framework-imported-for-nothing",), "imports_tensorflow_for_nothing", "the import inside the function that uses it",
           ("import tensorflow as tf\n", ""), ("    return tf.abs", "    import tensorflow as tf\n\n    return tf.abs"),
           of="_measurements.py", until=EXIT, seconds=3),
    edited(("profiler-in-first-steps",), "seeds/gpu_startup_slow/example3_profiling", "no profile of the first steps",
           ("with tf.profiler.experimental.Profile(logdir):", "if logdir:"), until=EXIT, seconds=6),
    edited(("blocked-on-network",), "import_waits_for_socket", "a server that answers at once", after=("--answer-after", 0), seconds=5),
    edited(("repeated-initialisation",), "seeds/repeated_initialization/example1_inefficient",
           "one session and one initialisation, before the loop",
           ("for i in range(args.rounds):\n    with tf.compat.v1.Session() as sess:\n",
            "with tf.compat.v1.Session() as sess:\n    if True:\n"),
           ("        losses = [float(sess.run([train, loss])[1]) for _ in range(4)]\n",
            "        for i in range(args.rounds):\n            losses = [float(sess.run([train, loss])[1]) for _ in range(4)]\n"),
           before=ROUNDS, after=ROUNDS, until=EXIT),
    edited(("growing-graph",), "slow/growing_graph", "the loss is built once, with a placeholder for its number",
           ("with tf.Session() as session:\n",
            "target = tf.placeholder(tf.float32, [])\nloss = tf.reduce_mean(tf.square(y - target))\nwith tf.Session() as session:\n"),
           ("    for target in range(300):\n        loss = tf.reduce_mean(tf.square(y - float(target)))\n"
            "        losses.append(session.run(loss, {x: data}))", "    for number in range(300):\n"
            "        losses.append(session.run(loss, {x: data, target: number}))"), until=EXIT, seconds=12),
    edited(("session-churn",), "slow/session_churn", "one session, before the loop",
           ("for number in range(1, 25):\n    with tf.Session() as session:",
            "with tf.Session() as session:\n    for number in range(1, 25):"),
           until=EXIT, seconds=6),
    edited(("model-made-in-loop",), "slow/model_made_in_loop", "one model, its first weights and optimizer set again in each round",
           ("for exponent", "kept = make(2.0 ** -1)\nfirst = kept.get_weights()\n\n\nfor exponent"),
           ("    model = make(2.0 ** -exponent)\n", "    model = kept\n    model.set_weights(first)\n"
            "    for one in model.optimizer.variables:\n        one.assign(tf.zeros_like(one))\n"
            "    model.optimizer.learning_rate = 2.0 ** -exponent\n"), until=EXIT, seconds=12),
    edited(("oversized-model-for-iteration",), "seeds/gpu_startup_slow/example2_smaller_model", "a model of two layers of 64",
           before=("--full",), seconds=8),
    edited(("expensive-initialiser",), "seeds/initialization_long/example1_naive", "weights of zeros, which learn poorly",
           ('kernel_initializer="glorot_uniform"', 'kernel_initializer="zeros"'), seconds=5),
    edited(("eager-where-graph-pays",), "eager_loop", "@tf.function around the step",
           ("losses = []\n", "@tf.function\ndef train_step(x, y):\n    with tf.GradientTape() as tape:\n"
            "        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))\n"
            "    gradients = tape.gradient(loss, model.trainable_variables)\n"
            "    optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n    return loss\n\n\nlosses = []\n"),
           ("    with tf.GradientTape() as tape:\n        loss = tf.reduce_mean(tf.square(model(x[step], training=True) - y[step]))\n"
            "    gradients = tape.gradient(loss, model.trainable_variables)\n"
            "    optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n    losses.append(float(loss))\n",
            "    losses.append(float(train_step(x[step], y[step])))\n"),
           before=("--steps", 400), after=("--steps", 400), until=EXIT, seconds=9),
)


def figures(case, pairs):
    """What is shown of one case."""
    with case.start() as (plain, treated):
        before, after = interleaved(plain, treated, pairs)
    less = difference(before, after)
    return {
        "program": case.program, "with": case.words, "until": case.until, "before_s": round(middle(before), 3),
        "after_s": round(middle(after), 3), "pairs": pairs, "measured": measured(), "machine": machine().strip("*"),
        "less_s": [None if math.isinf(value) else round(value, 3) for value in (less.mid, less.low, less.high)],
    }


def write(path, found):
    """Adds figures, by cause, to those that are there; the page of all causes is written anew where they are the ones it shows."""
    known = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**known, **found}, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    if path == pages.MEASURED:
        pages.measured.cache_clear()
        (ROOT / "docs" / "causes.md").write_text(pages.document())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="only say what there is, and what it takes")
    parser.add_argument("--pairs", type=int, help="runs of each side (default: the case's own number)")
    parser.add_argument("--to", type=Path, default=pages.MEASURED, metavar="FILE", help="where the figures go (default: what is shown)")
    parser.add_argument("causes", nargs="*", metavar="CAUSE", help="default: all")
    options = parser.parse_args()
    known = {cause for case in CASES for cause in case.causes}
    if unknown := set(options.causes) - known:
        parser.error(f"nothing is measured of {', '.join(sorted(unknown))}; --list says what is")
    wanted = [case for case in CASES if not options.causes or set(case.causes) & set(options.causes)]
    if options.list:
        for case in wanted:
            print(f"{((options.pairs or case.pairs) + 1) * case.seconds:6.0f} s  {', '.join(case.causes)}: {case.words}")
        return
    failed, began = [], time.monotonic()
    for case in wanted:
        print(f"{', '.join(case.causes)}: ", end="", file=sys.stderr, flush=True)
        try:
            found = figures(case, options.pairs or case.pairs)
        except Exception:
            traceback.print_exc()
            failed += case.causes
            continue
        write(options.to, dict.fromkeys(case.causes, found))
        print(pages.in_words(found), flush=True)
    print(f"took {(time.monotonic() - began) / 60:.0f} min", file=sys.stderr)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
