"""Waiting for the outside: sockets, name look-ups and clusters, by peer."""

from __future__ import annotations

from collections import defaultdict

from firststep.analyse.facts import Facts
from firststep.analyse.spans import outermost, spans
from firststep.model.facts_frameworks import Peer


def network(facts: Facts) -> tuple[Peer, ...] | None:
    """Peers, costliest first; None where the network was not watched."""
    if not facts.measured("network"):
        return None
    times: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for seen in outermost(spans(facts, "network", "cluster-wait")):
        row = times[str(seen.span.labels.get("peer", seen.span.name))]
        row[0] += 1
        row[1 if seen.on_main_thread else 2] += seen.span.end - seen.span.start
    peers = [Peer(name, *row) for name, row in times.items()]
    return tuple(sorted(peers, key=lambda peer: -(peer.ns + peer.elsewhere_ns)))
