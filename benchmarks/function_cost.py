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
HEADING = ["asked for", "look-up (worst start)", "builds", "functions answered", "function cache", "whole cache, as of one program"]
ABOUT = ("*Look-up*: from TensorFlow's wish for a trace to the stored function bound in its place (key, manifest, captures), "
         "summed over the functions of a start; the median of starts. *Builds*: in between, the variables of optimizer and metrics "
         "are made, which a plain run makes inside its trace.")


def answered(command, plan):
    """(look-up, builds) of each function that was answered in one start, in ns."""
    trace = parse_trace(Session(command, plan, stdout=-3, stderr=-3).run().trace)
    notes = [note for process in trace.processes for note in process.notes if note.remedy == FUNCTIONS]
    return [(note.labels["lookup_ns"], note.labels["builds_ns"]) for note in notes if note.what == "live"]


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
            found = [each for each in (answered(command, plan) for _ in range(starts)) if each]
            kept, whole = size(os.path.join(cache, FUNCTIONS)), size(cache)
        if not found:
            raise RuntimeError(f"{name}: no start was answered from the cache")
        lookups, builds = ([sum(each[which] for each in start) / 1e6 for start in found] for which in (0, 1))
        sizes = [f"{kept / 1e6:.1f} MB", f"{whole / 1e6:.0f} MB"]
        return [goal, f"{middle(lookups):.0f} ms ({max(lookups):.0f} ms)", f"{middle(builds):.0f} ms", max(map(len, found)), *sizes]

    return Row(measure, pairs, before_s, pair_s)


TABLE = Table("function-cost", "What a cached function costs", HEADING, {
    "ResNet50 fit": row("≤ 100 ms, ≤ 10 MB", 5, 35, 5, "resnet50", "--steps", 1),
    "text transformer fit": row("", 3, 18, 3, "text_transformer", "--steps", 1, "--epochs", 1),
    "MLP fit": row("", 5, 8, 2, "keras_mlp", "--steps", 1, "--epochs", 1),
}, ABOUT)


if __name__ == "__main__":
    TABLE.main()
