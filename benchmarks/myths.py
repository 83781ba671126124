"""What is often said of slow starts, measured: docs/myths.md.

    python benchmarks/myths.py --list
    python benchmarks/myths.py                           all claims
    python benchmarks/myths.py 'hiding devices helps'    some

Each claim has an experiment, a figure, and a rule that says from the figure alone what is true of it.
"""

import argparse
import sys
import time
from collections.abc import Callable

from experiments import (
    Seen,
    compiling,
    eager_start,
    first_longer,
    fragmented,
    function_pays,
    growing,
    hidden,
    lite,
    ms,
    of,
    phase_share,
    ready,
    round_ms,
    share_of,
    span_share,
    times,
    zeros_learn,
)
from harness import ROOT, Page, Row, Table

from firststep.analyse import phases

PAGE = Page(ROOT / "docs" / "myths.md", """# What is said of slow starts, and what is measured

Explanations of why TensorFlow starts slowly say many things. Each claim below was tried: the experiment, its figures, and what they say
of it. *True*: the claim as it is made; *partly*: something of it is there, but less than is claimed; *not*: nothing of it was found, or the
opposite. The rule stands with each experiment; ratios have the interval that holds the true one in 97 of 100 experiments.

Written by `python benchmarks/myths.py`, on an idle machine without a GPU: what is said of GPUs alone could not be tried.
""")
BEFORE = (phases.LAUNCH, phases.INTERPRETER, phases.AGENT, phases.IMPORTS, phases.NATIVE, phases.COLLECTION)  # what comes before a model
SMALLER, INITIALISED = "seeds/gpu_startup_slow/example2_smaller_model", "seeds/initialization_long"
SHARE, SECONDS = "{0} ({1} of {2})", "{0:.2f} s against {1:.2f} s, {2} ×"
MS, FINE, FINEST = (f"{{0:.{digits}f}} ms against {{1:.{digits}f}} ms, {{2}} ×" for digits in (0, 1, 3))
HEADING = ["the experiment", "measured", "so it is"]


def row(pairs, experiment, measure: Callable[[int], Seen], seconds):
    """One claim: its experiment in words, how it is measured, and about how long a pair takes."""
    def cells(number):
        found = measure(number)
        return [experiment, found.measured, f"**{found.verdict}**"]

    return Row(cells, pairs, 2, seconds)


TABLES = tuple(Table(key, title, HEADING, rows, page=PAGE) for key, title, rows in (
    ("startup", "“Why is TensorFlow startup slow?”", {
        "registering operators and kernels takes much of the import": row(
            5, "the share of loading native libraries, where they register, in `import tensorflow`; ≥ 30% is much",
            share_of(phase_share("import_tensorflow", phases.NATIVE), 0.3, SHARE), 5),
        "initialising the runtime takes a noticeable time": row(
            5, "the share of finding devices and setting the runtime up in the start of an MLP; ≥ 5% is noticeable",
            share_of(phase_share("keras_mlp", phases.DEVICES), 0.05, SHARE), 5),
        "building the graph once, not in each run, saves significantly": row(
            6, "100 rounds that build and initialise in a fresh graph, against 100 runs in one session, per round; ≥ 1.5 × is significant",
            times(round_ms("fresh"), round_ms("once"), 1.5, FINE), 14),
        "loading weights from disk takes considerable time": row(
            3, "the share of reading weights (100 MB in the page cache) in the start of a ResNet50 that is loaded; ≥ 20% is considerable",
            share_of(phase_share("load_and_predict_resnet", phases.WEIGHTS), 0.2, SHARE), 20),
        "TensorFlow Lite starts drastically faster": row(
            6, "a program that answers one request, from a SavedModel and from the `.tflite` made of it; ≥ 1.5 × is drastic", lite, 7),
        "eager execution starts faster": row(
            6, "the first step of one training loop, as `tf.function` and eager; ≥ 1.2 × is faster", eager_start, 12),
    }),
    ("initialisation", "“Why does TensorFlow model initialization take so long?”", {
        "glorot_uniform costs for every weight": row(
            6, "`build` of a layer of 4096 × 4096 weights against one of 1024 × 1024, a sixteenth; ≥ 4 × is a cost per weight",
            times(ms("build", "glorot_uniform", 4096), ms("build", "glorot_uniform", 1024), 4, FINE), 7),
        "zeros are drastically cheaper than glorot_uniform": row(
            6, "`build` of a layer of 4096 × 4096 weights; ≥ 3 × is drastic",
            times(ms("build", "glorot_uniform", 4096), ms("build", "zeros", 4096), 3, MS), 7),
        "zeros make a program start faster": row(
            8, "the first step of the MLP of 784 × 1024 weights, with both initialisers, from spawn; ≥ 1.05 × is faster",
            times(ready(f"{INITIALISED}/example1_naive"), ready(f"{INITIALISED}/example3_custom_initializer"), 1.05, SECONDS), 6),
        "a network of zeros learns poorly": row(
            1, "the loss of a two-layer classifier after 200 steps; true where it stays where guessing is", zeros_learn, 12),
        "the .h5 format loads slower": row(
            6, "`load_model` of the same classifier, `.h5` against `.keras`; ≥ 1.1 × is slower",
            times(ms("load", "classifier.h5"), ms("load", "classifier.keras"), 1.1, MS), 7),
        "graph optimisation takes considerable time": row(
            3, "the share of optimising and instantiating graphs in the start of a ResNet50; ≥ 20% is considerable",
            share_of(phase_share("resnet50", phases.OPTIMISATION), 0.2, SHARE), 25),
    }),
    ("gpu", "“Why is TensorFlow GPU startup so slow?”", {
        "hiding devices helps": row(
            8, "a small program with `CUDA_VISIBLE_DEVICES=-1` and without, by a build without GPUs; > 50 ms is help", hidden, 6),
        "a smaller model starts dramatically faster": row(
            6, "the document's small model against a full one (seven layers of 2048), from spawn to the first step; ≥ 1.5 × is dramatic",
            times(ready(SMALLER, "--full"), ready(SMALLER), 1.5, SECONDS), 9),
    }),
    ("repeated", "“Why does initializing TensorFlow graph variables repeatedly become progressively slower?”", {
        "each round is slower than the one before": row(
            4, "100 rounds of session, variables and initialiser in one graph; ≥ 1.5 × from first to last is slower", growing, 15),
        "memory is fragmented more and more": row(
            3, "memory after each of 100 rounds; true if fresh graphs grow it as well, partly if one graph alone", fragmented, 15),
        "making sessions is a significant overhead": row(
            6, "a session made, used once and closed, against the same run in one that is kept; ≥ 2 × is significant",
            times(ms("sessions", 50), of("kept_ms", "sessions", 50), 2, FINEST), 7),
        "one session and one initialisation is significantly better": row(
            6, "a round in the growing graph (100 rounds) against a run in one session; ≥ 2 × is significant",
            times(round_ms("growing"), round_ms("once"), 2, FINE), 14),
    }),
    ("first-step", "“Why does the initial TensorFlow training step take significantly longer than subsequent steps?”", {
        "the first step takes significantly longer": row(
            4, "`train_on_batch` of a MobileNetV2, the first call against the later ones; ≥ 2 × is significant", first_longer, 15),
        "most of it is building and optimising the graph": row(
            3, "the share of tracing, variables made in it, and graph optimisation in what follows the imports of a MobileNetV2's start; "
            "≥ 50% is most", share_of(phase_share("mobilenetv2", phases.TRACING, phases.OPTIMISATION, phases.VARIABLES, without=BEFORE),
                                      0.5, SHARE), 18),
        "`compile` builds parts of the graph": row(
            4, "the time in `compile` against the first step's; ≥ 10% of both is a part", compiling, 15),
        "initial values are a significant part of the first step": row(
            3, "the share of initialisers in the start of a ResNet50; ≥ 10% is significant",
            share_of(span_share("resnet50", "initialiser"), 0.1, SHARE), 25),
        "the optimizer influences the first step": row(
            4, "the first `train_on_batch` of a MobileNetV2 with Adam against SGD; ≥ 1.1 × is an influence",
            times(of("first_ms", "first_step", "adam"), of("first_ms", "first_step", "sgd"), 1.1, MS), 30),
        "`tf.function` makes later steps significantly faster": row(
            6, "later steps of a training loop, eager against a `tf.function`; ≥ 1.5 × is significant", function_pays, 12),
    }),
))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="only say which claims there are, and what each takes")
    parser.add_argument("--pairs", type=int, help="runs of each side (default: the claim's own number)")
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help="default: all")
    options = parser.parse_args()
    known = [claim for table in TABLES for claim in table.rows]
    if unknown := set(options.claims) - set(known):
        parser.error(f"no claim is called {', '.join(sorted(unknown))}; --list shows them")
    if options.list:
        print("\n".join(line for table in TABLES for line in (table.title, *table.listed(options.pairs))))
        return
    began, failed = time.monotonic(), []
    for table in TABLES:
        failed += [claim for claim in table.rows if claim in (options.claims or known) and not table.measured(claim, options.pairs)]
    print(f"took {(time.monotonic() - began) / 60:.0f} min", file=sys.stderr)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
