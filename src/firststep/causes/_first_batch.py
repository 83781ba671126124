"""The wait for an input pipeline's first element, and what makes it large."""

from __future__ import annotations

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
SLICE_NS = 50_000  # an element at hand comes sooner


def waits(given: Facts, share: Share) -> tuple[Cut, ...]:
    """For the first element; in `fit` it is fetched inside the first call."""
    elements = of_spans(spans(given, "data-first-element"), share)
    return elements or of_phases_in(given, (phases.EXECUTION,), spans(given, "first-call"), share)


def chains(given: Facts) -> list[list[str]]:
    """The transformations of each pipeline that was started, its source first."""
    return [list(one.span.labels.get("chain", ())) for one in spans(given, "data-iterator")]


def made(given: Facts, what: str) -> tuple[Seen, ...]:
    """Where a kind of transformation (shuffle, cache) was put into a pipeline; where that is not known, what waited for an element."""
    put = tuple(one for one in spans(given, "data-pipeline") if one.span.labels.get("what") == what)
    return put or spans(given, "data-first-element") or spans(given, "data-pipeline")


def cache_filled(given: Facts, share: Share) -> tuple[Cut, ...]:
    """The wait in which all elements passed a cache; nothing where it is short, or none did."""
    cuts = waits(given, share)
    return cuts if time_in(cuts) >= SLOW_NS and any(map(_fills_a_cache, chains(given))) else ()


def buffer_filled(given: Facts, share: Share) -> tuple[Cut, ...]:
    """The wait in which a shuffle's buffer was filled; nothing where it is short, or most of it was the step."""
    known, before = given(data), before_shuffle(given)
    elements = waits(given, share)
    waited = time_in(elements)
    if known is None or (known.shuffle_buffer or 0) < FEW or waited < SLOW_NS or before is None:
        return ()
    if not seen_apart(given) and set(before) <= set(AT_HAND) and waited > (known.shuffle_buffer or 0) * SLICE_NS:
        return ()
    return elements


def filled_in_the_first_step(given: Facts) -> tuple[Cut, ...]:
    """What of the first step was such a wait, where that is not seen apart from it."""
    return () if seen_apart(given) else cache_filled(given, WHOLE) or buffer_filled(given, WHOLE)


def seen_apart(given: Facts) -> bool:
    """Whether waits for elements are told from steps."""
    return bool(spans(given, "data-first-element"))


def before_shuffle(given: Facts) -> list[str] | None:
    """Transformations before the (last) shuffle of the longest chain; None where no chain has one, or a cache is what is filled."""
    with_shuffle = [chain for chain in chains(given) if "Shuffle" in chain and not _fills_a_cache(chain)]
    if not with_shuffle:
        return None
    chain = max(with_shuffle, key=len)
    return chain[: len(chain) - 1 - chain[::-1].index("Shuffle")]


def _fills_a_cache(chain: list[str]) -> bool:
    """Whether all of it passes a cache before the first element comes: something behind the cache reads far ahead."""
    return any(name in CACHES and "Shuffle" in chain[place:] for place, name in enumerate(chain))
