"""What a cached function costs: finding and binding it at each start, and its place on disk."""

import os
from pathlib import Path

from harness import Row, Table, middle, program
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.read_trace import parse_trace

LEARNING_RUNS = 3
FUNCTIONS = "cache-functions"
HEADING = ["asked for", "look-up (worst start)", "functions answered", "function cache", "whole cache, as of one program"]
ABOUT = ("*Look-up*: from TensorFlow's wish for a trace to the stored function bound in its place (key, manifest, builds, captures), "
         "summed over the functions of a start; the median of starts.")


def answered(command, plan):
    """Seconds of each look-up that was a hit, in one start."""
    trace = parse_trace(Session(command, plan, stdout=-3, stderr=-3).run().trace)
    notes = [note for process in trace.processes for note in process.notes if note.remedy == FUNCTIONS]
    return [note.labels["lookup_ns"] / 1e9 for note in notes if note.what == "live"]


def size(folder):
    """Bytes of all files below."""
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def row(goal, pairs, before_s, pair_s, name, *arguments):
    def measure(starts):
        command = program(name, *arguments)
        with own_cache() as cache:
            plan = boost_plan()
            for _ in range(LEARNING_RUNS):
                answered(command, plan)
            found = [seconds for seconds in (answered(command, plan) for _ in range(starts)) if seconds]
            kept, whole = size(os.path.join(cache, FUNCTIONS)), size(cache)
        if not found:
            raise RuntimeError(f"{name}: no start was answered from the cache")
        sums = [1000 * sum(seconds) for seconds in found]
        return [goal, f"{middle(sums):.0f} ms ({max(sums):.0f} ms)", max(map(len, found)), f"{kept / 1e6:.1f} MB", f"{whole / 1e6:.0f} MB"]

    return Row(measure, pairs, before_s, pair_s)


TABLE = Table("function-cost", "What a cached function costs", HEADING, {
    "ResNet50 fit": row("≤ 100 ms, ≤ 10 MB", 5, 40, 6, "resnet50", "--steps", 1),
    "EfficientNetB0 fit": row("", 3, 45, 7, "efficientnetb0", "--steps", 1),
    "text transformer fit": row("", 3, 25, 5, "text_transformer", "--steps", 1, "--epochs", 1),
    "MLP fit": row("", 5, 8, 2, "keras_mlp", "--steps", 1, "--epochs", 1),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
