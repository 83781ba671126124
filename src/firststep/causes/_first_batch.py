"""The wait for the first element of each input pipeline, and what makes it large."""

from __future__ import annotations

from typing import NamedTuple

from firststep.analyse import phases
from firststep.analyse.data import data
from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, spans
from firststep.causes._stretches import WHOLE, Share, of_phases_in, of_spans, time_in
from firststep.model.findings import Cut

CACHES = ("Cache", "MemoryCache", "FileCache")
LARGE_CONSTANTS = 100_000_000  # bytes
SLOW_NS = 200_000_000
FEW = 2  # elements of a shuffle's buffer
AT_HAND = ("TensorSlice", "Tensor", "Range", "Repeat", "Take", "Skip", "Shard", "Options", "Prefetch", "Shuffle", "ShuffleAndRepeat")
OF_ARRAYS = ("Map", "Prefetch", "FlatMap", "Zip")  # within what `fit` makes of arrays
ELSEWHERE = "PerDeviceGenerator"  # a distributed one: what its elements are made of is not known
SLICE_NS = 50_000  # an element at hand comes sooner
ITERATOR = "iterator"  # the label that tells which one it is; traces of older versions have none


class Pipeline(NamedTuple):
    """One that was started. chain: its transformations, the source first; asked: what waited for its first element; apart: whether that
    wait is told from the step: in `fit` the element is fetched inside the first call, and there the agent may not have looked;
    more: the step fetched further elements, and whether they were waited for is not known."""

    chain: tuple[str, ...]
    asked: tuple[Seen, ...]
    apart: bool
    more: bool = False

    def waited(self, given: Facts, share: Share) -> tuple[Cut, ...]:
        return of_spans(self.asked, share) if self.apart else of_phases_in(given, (phases.EXECUTION,), self.asked, share)

    @property
    def fills_a_cache(self) -> bool:
        """Whether all of it passes a cache before the first element comes: something behind the cache reads far ahead."""
        return any(name in CACHES and "Shuffle" in self.chain[place:] for place, name in enumerate(self.chain))

    @property
    def before_shuffle(self) -> tuple[str, ...] | None:
        """Transformations before the (last) shuffle; None where there is none, or a cache is what is filled."""
        if "Shuffle" not in self.chain or self.fills_a_cache:
            return None
        return self.chain[: len(self.chain) - 1 - self.chain[::-1].index("Shuffle")]


class Filled(NamedTuple):
    """What was filled before the first element came: the wait for it, and whose. times: for as many iterators over it."""

    pipeline: Pipeline
    cuts: tuple[Cut, ...]
    times: int = 1


def pipelines(given: Facts) -> list[Pipeline]:
    """Each iterator with the first element that was fetched of it; those of which none was seen are a step's."""
    found: list[Pipeline] = []
    waiting: list[Seen] = []
    for one in spans(given, "data-iterator", "data-first-element"):
        if one.span.kind == "data-iterator":
            waiting.append(one)
            continue
        of_it = [place for place, iterator in enumerate(waiting) if iterator.span.labels.get(ITERATOR) == one.span.labels.get(ITERATOR)]
        found.append(Pipeline(_chain(waiting.pop(of_it[-1])) if of_it else (), (one,), True, "elements" in one.span.labels))
    calls = spans(given, "first-call")
    steps = [Pipeline(_chain(one), tuple(call for call in calls if call.span.start >= one.span.end), False) for one in waiting]
    return [*found, *steps] or [Pipeline((), calls, False)]


def _chain(iterator: Seen) -> tuple[str, ...]:
    return tuple(iterator.span.labels.get("chain", ()))


def waits(given: Facts, share: Share) -> tuple[Cut, ...]:
    """For the first elements of all pipelines."""
    return tuple(sorted({cut for one in pipelines(given) for cut in one.waited(given, share)}))


def made(given: Facts, what: str) -> tuple[Seen, ...]:
    """Where a kind of transformation (shuffle, cache) was put into a pipeline; where that is not known, what waited for an element."""
    put = tuple(one for one in spans(given, "data-pipeline") if one.span.labels.get("what") == what)
    return put or spans(given, "data-first-element") or spans(given, "data-pipeline")


def cache_filled(given: Facts, share: Share) -> Filled | None:
    """The longest wait in which all elements passed a cache, and others for the same; None where it is short, or none did."""
    return _longest(given, share, [one for one in pipelines(given) if one.fills_a_cache])


def buffer_filled(given: Facts, share: Share) -> Filled | None:
    """The longest wait in which a shuffle's buffer was filled, and others for the same; None where it is short, or most of it was the
    step."""
    known = given(data)
    buffer = known.shuffle_buffer or 0 if known else 0
    filled = _longest(given, share, [one for one in pipelines(given) if one.before_shuffle is not None])
    if buffer < FEW or filled is None:
        return None
    at_hand = set(filled.pipeline.before_shuffle or ()) <= set(AT_HAND)
    if not filled.pipeline.apart and at_hand and time_in(filled.cuts) > buffer * SLICE_NS:
        return None
    return filled


def _longest(given: Facts, share: Share, among: list[Pipeline]) -> Filled | None:
    filled = [Filled(one, one.waited(given, share)) for one in among]
    most = max(filled, key=lambda one: time_in(one.cuts), default=None)
    if most is None or time_in(most.cuts) < SLOW_NS:
        return None
    again = [one for one in filled if one.pipeline.apart and one.pipeline.chain == most.pipeline.chain and time_in(one.cuts) >= SLOW_NS]
    if not most.pipeline.apart or not most.pipeline.chain:
        return most  # where the wait is not told from the step, each of its calls may be the one that waited
    return Filled(most.pipeline, tuple(sorted({cut for one in again for cut in one.cuts})), len(again))


def fetched_in_the_first_step(given: Facts) -> bool:
    """Whether a pipeline's first batch, or a later one, came within the first step, and may have taken long: not where the wait was seen
    apart, where all of its elements were at hand, or where Keras made it of arrays. Of a distributed one, another's like it tells."""
    known = pipelines(given)
    slow = {one.chain for one in known if one.apart and time_in(one.waited(given, WHOLE)) >= SLOW_NS}
    return any((one.more or not one.apart) and one.asked and (_may_be_slow(one.chain) or one.chain in slow) for one in known)


def _may_be_slow(chain: tuple[str, ...]) -> bool:
    if any(chain[at : at + len(OF_ARRAYS)] == OF_ARRAYS for at in range(len(chain))):
        return False
    return any(name not in (*AT_HAND, "Batch") and not name.endswith(ELSEWHERE) for name in chain)


def filled_in_the_first_step(given: Facts) -> tuple[Cut, ...]:
    """What of the first step was such a wait, where that is not seen apart from it."""
    filled = cache_filled(given, WHOLE) or buffer_filled(given, WHOLE)
    return filled.cuts if filled and not filled.pipeline.apart else ()
