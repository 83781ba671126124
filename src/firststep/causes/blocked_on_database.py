"""The start waits for a database.

Symptom: as with any server; often a query that grows with the data.

Why: features, settings or file lists are read from a database before the first step.

Confirmed by: time inside Python's sockets on a connection to a database's port. (Drivers in C are not seen.)

Remedy: ask later, on a thread while the model is built, or keep the answer in a file beside the program.

Source: the first document, "interactions with databases, cloud storage services".
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import stack_lines
from firststep.causes import _waiting
from firststep.causes._peers import DATABASES
from firststep.model.findings import Found

GROUP = "outside"
WATCHED = ("network",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
DO = "ask on a thread while the imports run, or keep the answer in a file"


def find(given: Facts) -> Found | None:
    return _waiting.found(given, "a database is slow to answer", DO, lambda peer, what: _waiting.port(peer) in DATABASES)
