"""The experiments of myths.py: each returns what it saw, in words, and what its own rule makes of that."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness import PROGRAMS, PYTHON, ROOT, between, difference, interleaved, program, ratio, wall

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.spans import spans, total_ns
from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_READY, Plan
from firststep.model.read_trace import parse_trace

TRUE, PARTLY, NOT, OPEN = "true", "partly true", "not true", "open: the runs do not tell"


@dataclass(frozen=True)
class Seen:
    """What an experiment found. measured: in words; verdict: by the experiment's own rule."""

    measured: str
    verdict: str


def by_ratio(found, asks):
    """Of an estimate of how many times as long (or as large) the one is: at least `asks` is claimed."""
    if found.low >= asks:
        return TRUE
    if found.low > 1:
        return PARTLY if found.mid < asks else OPEN
    return NOT if found.high < asks else OPEN


def by_share(share, asks):
    """Of a share that is claimed to be at least `asks`; a third of it is something."""
    return TRUE if share >= asks else PARTLY if share >= asks / 3 else NOT


def claims(*words):
    """The figures that a case of programs/claims.py prints."""
    done = subprocess.run([PYTHON, str(PROGRAMS / "claims.py"), *map(str, words)], capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{words} failed: {done.stderr.decode()[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def ready(name, *arguments):
    """Seconds from spawn to the end of a zoo program's first step, each time it is called."""
    def run():
        trace = _run(program(name, *arguments), Plan(observe=OBSERVE_READY, stop=True))
        return (trace.end - trace.spawned[0]) / 1e9

    return run


def recorded(name, *arguments):
    """The facts of one recorded start of a zoo program."""
    return Facts(_run(program(name, *arguments), Plan(stop=True)))


def _run(command, plan):
    ended = Session(command, plan, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).run()
    if ended.exit_code and not ended.stopped:
        raise RuntimeError(f"{command} ended with exit code {ended.exit_code}")
    return parse_trace(ended.trace)


def times(first, second, asks, words):
    """An experiment of pairs: how many times as long the first takes. words: a sentence with both medians and the ratio in it."""
    def measure(pairs):
        ones, others = interleaved(first, second, pairs)
        found = ratio(ones, others)
        return Seen(words.format(statistics.median(ones), statistics.median(others), between(found)), by_ratio(found, asks))

    return measure


def share_of(find, asks, words):
    """An experiment of recorded starts: the share that `find(facts)` says, with more to say; the median start counts."""
    def measure(starts):
        seen = sorted((find() for _ in range(starts)), key=lambda one: one[0])
        share, *rest = seen[len(seen) // 2]
        return Seen(words.format(f"{share:.1%}", *rest), by_share(share, asks))

    return measure


def phase_share(name, *wanted, without=()):
    """(share of the start, seconds of the wanted phases, seconds of the start), the start counted without some phases."""
    def find():
        whole = recorded(name)(partition)
        took, wall_ns = (sum(whole.phases[phase] for phase in some) for some in (wanted, set(phases.PHASES) - set(without)))
        return took / wall_ns, f"{took / 1e9:.2f} s", f"{wall_ns / 1e9:.2f} s"

    return find


def span_share(name, kind):
    """The same of the spans of a kind."""
    def find():
        facts = recorded(name)
        took, wall_ns = total_ns(spans(facts, kind)), facts(partition).wall_ns
        return took / wall_ns, f"{took / 1e6:.0f} ms", f"{wall_ns / 1e9:.2f} s"

    return find


def of(key, *words):
    """What one run of a case says under `key`."""
    return lambda: claims(*words)[key]


def growing(pairs):
    """Rounds in one graph get slower: the last tenth against the first, after the first round."""
    found = [claims("rounds", "growing", 100)["ms"][1:] for _ in range(pairs)]
    first, last = ([statistics.median(one[part]) for one in found] for part in (slice(0, 10), slice(-10, None)))
    slope = statistics.median((statistics.median(one[-10:]) - statistics.median(one[:10])) / 90 for one in found)
    fresh = claims("rounds", "fresh", 100)["ms"][1:]
    estimate = ratio(last, first)
    words = (f"rounds 2 to 11: {statistics.median(first):.1f} ms, rounds 91 to 100: {statistics.median(last):.1f} ms, "
             f"{between(estimate)} ×; {slope:+.2f} ms a round. In a fresh graph each: {statistics.median(fresh[:10]):.1f} and "
             f"{statistics.median(fresh[-10:]):.1f} ms")
    return Seen(words, by_ratio(estimate, 1.5))


def fragmented(pairs):
    """Memory grows from round to round, more than the graph that grows does: a fresh graph each round should grow as well."""
    def per_round(mode):
        memory = claims("rounds", mode, 100)["memory"]
        return (memory[-1] - memory[9]) / 90 / 1000

    kept = [per_round("growing") for _ in range(pairs)]
    fresh = [per_round("fresh") for _ in range(pairs)]
    words = (f"{statistics.median(kept):.0f} kB a round in one graph, {statistics.median(fresh):.0f} kB in a fresh graph each "
             "(the variables of a round are 40 kB)")
    return Seen(words, TRUE if min(fresh) > 40 else PARTLY if min(kept) > 40 else NOT)


def zeros_learn(pairs):
    """The loss after 200 steps from zeros, against the usual initial values."""
    zeros, usual = claims("loss", "zeros")["evaluated"], claims("loss", "glorot_uniform")["evaluated"]
    return Seen(f"loss after 200 steps {zeros:.3f} from zeros, {usual:.3f} from `glorot_uniform`; guessing has 2.303",
                TRUE if zeros > 2 > usual else PARTLY if zeros > usual * 1.1 else NOT)


def lite(pairs):
    """A classifier's first answer, by TensorFlow Lite out of TensorFlow's own package, against its SavedModel."""
    sys.path.insert(0, str(ROOT / "zoo"))
    from make_models import model_path

    folder, script = model_path("classifier_saved_model"), str(PROGRAMS / "lite.py")
    with tempfile.TemporaryDirectory() as place:
        file = str(Path(place, "model.tflite"))
        wall([PYTHON, script, "convert", f"{folder}:{file}"])
        ones, others = interleaved(lambda: wall([PYTHON, script, "full", folder]), lambda: wall([PYTHON, script, "lite", file]), pairs)
    alone = wall(program("import_tensorflow"))
    found = ratio(ones, others)
    return Seen(f"whole program {statistics.median(ones):.2f} s with the SavedModel, {statistics.median(others):.2f} s with Lite, "
                f"{between(found)} ×; `import tensorflow` alone is {alone:.2f} s of either", by_ratio(found, 1.5))


def eager_start(pairs):
    """The first step without a graph, and what each later step costs for it."""
    graph, eager = [], []
    for _ in range(pairs):
        graph.append(claims("steps", "function"))
        eager.append(claims("steps", "eager"))
    found = ratio([one["first_ms"] for one in graph], [one["first_ms"] for one in eager])
    first, later = ({key: statistics.median(one[key] for one in every) for key in ("first_ms", "later_ms")} for every in (graph, eager))
    gained, lost = first["first_ms"] - later["first_ms"], later["later_ms"] - first["later_ms"]
    even = f"even after {gained / lost:.0f} steps" if gained > 0 and lost > 0 else "later steps are no slower"
    return Seen(f"first step {first['first_ms']:.0f} ms as a function, {later['first_ms']:.0f} ms eager, {between(found)} ×; later steps "
                f"{first['later_ms']:.2f} and {later['later_ms']:.2f} ms: {even}", by_ratio(found, 1.2))


def function_pays(pairs):
    """Later steps of a `tf.function` against its first one, and against eager ones."""
    seen = [(claims("steps", "function"), claims("steps", "eager")) for _ in range(pairs)]
    found = ratio([eager["later_ms"] for _, eager in seen], [function["later_ms"] for function, _ in seen])
    firsts = statistics.median(one["first_ms"] / one["later_ms"] for one, _ in seen)
    return Seen(f"a later eager step takes {between(found)} × as long; the function's first step {firsts:.0f} × its later ones",
                by_ratio(found, 1.5))


def first_longer(pairs):
    seen = [claims("first_step", "adam") for _ in range(pairs)]
    found = ratio([one["first_ms"] for one in seen], [one["later_ms"] for one in seen])
    return Seen(f"MobileNetV2: first step {statistics.median(one['first_ms'] for one in seen) / 1000:.2f} s, later ones "
                f"{statistics.median(one['later_ms'] for one in seen):.0f} ms, {between(found)} ×", by_ratio(found, 2))


def compiling(pairs):
    seen = sorted((claims("first_step", "adam") for _ in range(pairs)), key=lambda one: one["compile_ms"])
    one = seen[len(seen) // 2]
    share = one["compile_ms"] / (one["compile_ms"] + one["first_ms"])
    return Seen(f"{one['compile_ms']:.1f} ms in `compile`, {one['first_ms'] / 1000:.2f} s in the first step: {share:.1%} of both",
                by_share(share, 0.1))


def hidden(pairs):
    """Seconds of a whole small program with no device hidden and with every GPU hidden, by a build without GPUs."""
    def run(**added):
        return lambda: wall(program("seeds/first_step_long/example3_tf_function"), env={**os.environ, **added})

    ones, others = interleaved(run(), run(CUDA_VISIBLE_DEVICES="-1"), pairs)
    apart = difference(ones, others)
    return Seen(f"{statistics.median(ones):.2f} s as it is, {statistics.median(others):.2f} s with every GPU hidden: "
                f"{between(apart, '{:+.3f}')} s", TRUE if apart.low > 0.05 else NOT if apart.high < 0.05 else OPEN)


def ms(*words):
    """The milliseconds of one run of a case."""
    return of("ms", *words)


def round_ms(mode):
    """The median of 99 later rounds of the document's loop."""
    return lambda: statistics.median(claims("rounds", mode, 100)["ms"][1:])
