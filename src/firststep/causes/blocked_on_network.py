"""The start waits for a server.

Symptom: the program stands still, no CPU is used, and how long depends on the day.

Why: a connection is opened, or an answer awaited, on the main thread: a download, a registry, a licence, a feature service.

Confirmed by: the time inside Python's sockets, by peer, with the line that asked.

Remedy: ask later, on a thread while the model is built, or keep the answer in a file; what every start downloads belongs in
the image.

Source: the first document, "interaction with external resources".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import stack_lines
from firststep.causes import _waiting
from firststep.causes._peers import DATABASES, METADATA
from firststep.model.findings import Found

GROUP = "outside"
WATCHED = ("network",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()


def find(given: Facts) -> Found | None:
    return _waiting.found(given, "a server is slow to answer", "ask later, on a thread, or keep the answer in a file", _is_one)


def _is_one(peer: str, what: str) -> bool:
    """Whatever no other cause names."""
    return what != "look-up" and _waiting.host(peer) not in METADATA and _waiting.port(peer) not in DATABASES
