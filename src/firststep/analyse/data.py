"""The input pipelines: what was built, and the wait for the first element."""

from __future__ import annotations

from collections import Counter

from firststep.analyse.facts import Facts
from firststep.analyse.spans import spans, total_ns
from firststep.model.facts_frameworks import Data, DataFunction

KINDS = ("data-pipeline", "data-function", "data-iterator")


def data(facts: Facts) -> Data | None:
    """None where there was no pipeline, or frameworks were not watched."""
    parts = spans(facts, *KINDS)
    elements = [seen.span.end - seen.span.start for seen in spans(facts, "data-first-element")]
    if not parts and not elements:
        return None
    functions = [DataFunction(seen.span.name, str(seen.span.labels.get("transformation", "")),
                              seen.span.end - seen.span.start) for seen in spans(facts, "data-function")]
    labels = [seen.span.labels for seen in spans(facts, "data-pipeline")]
    buffers = [one["buffer_size"] for one in labels if isinstance(one.get("buffer_size"), int)]
    return Data(
        functions=tuple(sorted(functions, key=lambda function: -function.ns)),
        iterators=len(spans(facts, "data-iterator")),
        build_ns=total_ns(parts),
        first_element_ns=max(elements, default=None),
        constant_bytes=sum(int(one.get("bytes") or 0) for one in labels if one.get("what") == "constants"),
        shuffle_buffer=max(buffers, default=None),
    )


def worked(facts: Facts) -> Counter[str]:
    """For how long each transformation had worked, on whatever thread, when the first elements came."""
    found: Counter[str] = Counter()
    for seen in spans(facts, "data-first-element"):
        told = seen.span.labels.get("worked")
        for one in told if isinstance(told, list) else ():
            if isinstance(one, list) and len(one) == 2 and isinstance(one[1], int):
                found[str(one[0]).removesuffix("V2")] += one[1]
    return found
