"""The wait for an input pipeline's first element, and what makes it large."""

from __future__ import annotations

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, spans
from firststep.causes._stretches import Share, of_phases_in, of_spans
from firststep.model.findings import Cut

CACHES = ("Cache", "MemoryCache", "FileCache")
LARGE_CONSTANTS = 100_000_000  # bytes


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


def fills_a_cache(chain: list[str]) -> bool:
    """Whether all of it passes a cache before the first element comes: something behind the cache reads far ahead."""
    return any(name in CACHES and "Shuffle" in chain[place:] for place, name in enumerate(chain))
