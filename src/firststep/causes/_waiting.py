"""Waits for the outside that some test of their peer picks out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from firststep.analyse.facts import Facts
from firststep.analyse.spans import Seen, outermost, spans
from firststep.analyse.user_lines import line_of
from firststep.causes._stretches import of_spans, time_in
from firststep.model.findings import Evidence, Found
from firststep.model.words import count, duration

SHARE = (0.5, 1.0)
LEAST_NS = 30_000_000


def found(given: Facts, what: str, do: str, is_one: Callable[[str, str], bool], verb: str = "waited for") -> Found | None:
    """is_one(peer, what was done: look-up, connect, receive, handshake). A program that serves waits for those that ask it, and not for
    a server: what it does until a connection is there, and on one that it has accepted, is none of these waits."""
    seen = outermost(tuple(one for one in spans(given, "network") if one.on_main_thread and not serves(one) and is_one(*_peer(one))))
    cuts = of_spans(seen, SHARE)
    if time_in(cuts) < LEAST_NS:
        return None
    times: Counter[str] = Counter()
    for one in seen:
        times[_peer(one)[0]] += one.span.end - one.span.start
    peer, ns = times.most_common(1)[0]
    others = f", {count(len(times) - 1, 'other')}" if len(times) > 1 else ""
    return Found(what, Evidence(f"{verb} {peer} for {duration(ns)}{others}",
                                line_of(given, *(one for one in seen if _peer(one)[0] == peer))), do, "high", cuts)


def _peer(one: Seen) -> tuple[str, str]:
    return str(one.span.labels.get("peer", "unknown")), str(one.span.labels.get("what", ""))


def serves(one: Seen) -> bool:
    """Whether the program waits as a server there: for a connection, or on one that it has accepted."""
    return one.span.labels.get("what") == "accept" or bool(one.span.labels.get("served"))


def host(peer: str) -> str:
    """Without its port."""
    name, _, port = peer.rpartition(":")
    return name if name and port.isdigit() else peer


def port(peer: str) -> int:
    """0 where there is none."""
    last = peer.rpartition(":")[2]
    return int(last) if ":" in peer and last.isdigit() else 0
