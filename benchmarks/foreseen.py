"""What the report foresees of boost's remedies, against what interleaved runs with and without them measure.

A finding counts for each of its remedies. Those that shorten the same imports run together; `overlap` takes its code out of
the import image, and does nothing without it.
"""

import contextlib
import os
import statistics
import subprocess

from bare_environment import bare_environment
from harness import Row, Table, between, difference, interleaved, program
from proving import own_cache

from firststep.analyse.facts import Facts
from firststep.analyse.what_if import saved
from firststep.boost.compose import boost_plan
from firststep.diagnose import diagnosis
from firststep.launch.session import Session
from firststep.model.findings import Gain
from firststep.model.plan import OBSERVE_READY, Plan
from firststep.model.read_trace import parse_trace
from firststep.prove import page_cache

CLOSE, CLOSE_MS = 0.3, 100.0
STARTS = 3  # recorded for what is foreseen: the median
LEARNING_RUNS = 2  # the first learns, the second confirms
IMPORTS = ("import-image", "memoise-signatures", "keep-compiled", "defer-source-lines", "presize-data-stack", "overlap")
ALL = "all of boost"
HEADING = ["foreseen", "measured", "within 30% or 100 ms"]
ABOUT = ("*Foreseen*: by the findings of recorded plain starts, walked again without what the remedies remove, from least to most; the "
         f"median of {STARTS}. *Measured*: how much earlier the end of the first step comes with the remedies, alone, after the runs that "
         "learn. The middle of what is foreseen is compared with the middle of what is measured; where only another value within the "
         "measurement's interval is near enough, nothing can be concluded.")


class Start:
    """How a program is started: with which interpreter, and with what in the page cache."""

    def __init__(self, name, python=None, cold=False):
        self.command = program(name)
        if python:
            self.command[0] = python
        self._cold = cold

    def trace(self, plan):
        """Of one run, which is stopped at ready unless it is to learn."""
        if self._cold and plan.stop:
            page_cache.empty((os.path.dirname(os.path.dirname(self.command[0])),))
        ended = Session(self.command, plan, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
        if ended.exit_code and not ended.stopped:
            raise RuntimeError(f"{self.command} ended with exit code {ended.exit_code}")
        return parse_trace(ended.trace)

    def ready_ms(self, plan):
        """Milliseconds from spawn to ready."""
        trace = self.trace(plan)
        return (trace.end - trace.spawned[0]) / 1e6


def foreseen(trace, remedies):
    """The gain of the findings that the first of these remedies removes; of all, what the report calls boost's."""
    facts = Facts(trace)
    found = facts(diagnosis)
    if not remedies:
        return found.boosted
    cuts = [cut for one in found.findings if not one.after_ready and not set(remedies).isdisjoint(one.remedies) for cut in one.cuts]
    return saved(facts, cuts) if cuts else Gain(0, 0)


def row(pairs, pair_s, name, *remedies, bare=False, cold=False):
    """One set of remedies on one program of the zoo; with no remedy, all of them."""
    def measure(pairs):
        with bare_environment() if bare else contextlib.nullcontext() as python, own_cache():
            start = Start(name, python, cold)
            gains = sorted((foreseen(start.trace(Plan(stop=True)), remedies) for _ in range(STARTS)), key=lambda gain: gain.middle_ns)
            gain = gains[STARTS // 2]
            treated = boost_plan(only=remedies).but(observe=OBSERVE_READY)
            for _ in range(LEARNING_RUNS):
                start.trace(treated)
            stopped = treated.but(stop=True)
            plain = Plan(observe=OBSERVE_READY, stop=True)
            seen = difference(*interleaved(lambda: start.ready_ms(plain), lambda: start.ready_ms(stopped), pairs))
        return cells(gain, seen)

    return Row(measure, pairs, (STARTS + LEARNING_RUNS) * pair_s / 2, pair_s)


def cells(gain, seen):
    """One row of the table, after its title. seen: milliseconds with their interval."""
    middle = statistics.mean(gain) / 1e6
    nearest = min(max(middle, seen.low), seen.high)
    right = "yes" if close(middle, seen.mid) else "cannot conclude" if close(middle, nearest) else "**no**"
    return [f"{gain.low_ns / 1e6:.0f} to {gain.high_ns / 1e6:.0f} ms", f"{between(seen, '{:.0f}')} ms", right]


def close(foreseen_ms, measured_ms):
    return abs(measured_ms - foreseen_ms) <= max(CLOSE_MS, CLOSE * abs(measured_ms))


# Pairs: six, and where their interval was wider than what is near enough, as many as make it about as narrow as that.
TABLE = Table("foreseen", "What the report foresees of boost", HEADING, {
    "import tensorflow: pause-garbage-collection": row(6, 5, "import_tensorflow", "pause-garbage-collection"),
    "import tensorflow: import-image and what goes with it": row(6, 5, "import_tensorflow", *IMPORTS),
    "import tensorflow, page cache dropped: prefetch-pages": row(6, 9, "import_tensorflow", "prefetch-pages", cold=True),
    "import tensorflow, site-packages read-only and without bytecode: compile-bytecode": row(
        4, 8, "import_tensorflow", "compile-bytecode", bare=True),
    f"import tensorflow: {ALL}": row(6, 5, "import_tensorflow"),
    "MLP fit: cache-functions": row(48, 6, "keras_mlp", "cache-functions"),
    "MLP fit: prebuild-variables": row(48, 6, "keras_mlp", "prebuild-variables"),
    f"MLP fit: {ALL}": row(6, 6, "keras_mlp"),
    "text transformer fit: cache-functions": row(24, 14, "text_transformer", "cache-functions"),
    "text transformer fit: prebuild-variables": row(16, 14, "text_transformer", "prebuild-variables"),
    f"text transformer fit: {ALL}": row(6, 12, "text_transformer"),
    f"raw tf.function loop: {ALL}": row(6, 6, "raw_function_loop"),
    "load_model and predict, ResNet50: run-operations-directly": row(24, 12, "load_and_predict_resnet", "run-operations-directly"),
    f"load_model and predict, ResNet50: {ALL}": row(14, 10, "load_and_predict_resnet"),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
