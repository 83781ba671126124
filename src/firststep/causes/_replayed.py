"""Traces that the function cache answers: shorter ones are left to TensorFlow, and only their optimised graphs are kept; so are those of
input pipelines and of the framework's own helpers, however long they take. A graph whose constants are too large is not kept at all."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, outermost, spans

OVER_NS = 300_000_000  # `cache-functions.replay_over_ms`
WORTH_NS = 20_000_000  # of a first call (answer/by_content.py): a look-up takes as long as a shorter one
LARGEST = 128 << 20  # bytes of constants of a graph (keep/pending.py): one with more is not kept
TOO_LARGE = "take large arrays out of the graph: boost may keep none like it"
OWN = ("/tensorflow/python/eager/polymorphic_function/", "/tensorflow/python/data/", "/tensorflow/python/checkpoint/")  # as it has them


def beside_a_device(facts: Facts) -> bool:
    """Whether the program uses an accelerator. No answer can be proved there (a forked copy cannot use the driver), nor do variables
    take the shorter way."""
    return any(seen.span.labels.get("devices", {}).get(kind) for seen in spans(facts, "device-discovery", "runtime-init")
               for kind in seen.span.labels.get("devices", {}) if kind != "CPU")


def has_one_cpu_alone(facts: Facts) -> bool:
    """Whether the program is not known to use another device, nor a CPU that is divided into several."""
    found = [seen.span.labels.get("devices", {}) for seen in spans(facts, "runtime-init")]
    return not beside_a_device(facts) and all(one.get("CPU", 1) == 1 for one in found)


def replicas(facts: Facts) -> int:
    """For how many replicas of a distribution strategy functions were traced; none where there was no strategy. Boost keeps no such trace,
    and makes no variables before it."""
    return max((of_one(seen) for seen in spans(facts, "trace")), default=0)


def of_one(seen: Seen) -> int:
    """The same of one trace."""
    return int(seen.span.labels.get("replicas", 0))


def replayed(facts: Facts) -> tuple[Seen, ...]:
    """Those of the main thread; one that was cut off has left nothing to keep."""
    if beside_a_device(facts):
        return ()
    distributed = tuple(one for one in spans(facts, "trace") if of_one(one))
    refused = _refused(facts)
    return tuple(one for one in outermost(spans(facts, "trace"))
                 if one.on_main_thread and one.span.ended and not any(lies_in(each, (one,)) for each in distributed)
                 and one.span.end - one.span.start >= OVER_NS
                 and not is_too_large(one) and one.span.name not in refused
                 and not is_around_the_programs(str(one.span.labels.get("source", ""))))


def is_too_large(trace: Seen) -> bool:
    """Whether the graph that was traced holds more constants than are kept."""
    held = trace.span.labels.get("constants") or (0,)
    return int(held[0]) > LARGEST


def optimised_in_vain(facts: Facts) -> tuple[Seen, ...]:
    """The optimisation of graphs that are too large to keep, or that is over at once: it comes again in each start."""
    large = {one.span.labels.get("function") for one in spans(facts, "trace") if is_too_large(one)}
    return tuple(one for one in spans(facts, "graph-optimise")
                 if one.span.name in large or one.span.end - one.span.start < WORTH_NS)


def _refused(facts: Facts) -> set[str]:
    """Functions by name that the cache has refused in this start, and learned nothing of."""
    told = {what: {str(note.labels.get("function")) for process in facts.trace.processes for note in process.notes
                   if note.remedy == "cache-functions" and note.what == what} for what in ("refused", "learned")}
    return told["refused"] - told["learned"]


def is_around_the_programs(source: str) -> bool:
    """Whether what is traced there is the framework's wrapper of a function: one that a pipeline was given, or its own helper."""
    return any(part in source for part in OWN)


def lies_in(one: Seen, others: tuple[Seen, ...]) -> bool:
    """Whether a span lies inside one of the others."""
    return any(other.process is one.process and other.span.start <= one.span.start < other.span.end for other in others)
