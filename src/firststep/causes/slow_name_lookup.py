"""Looking a host's name up takes long.

Symptom: tenths of a second, or five seconds sharp, before a connection is made.

Why: a name server that does not answer is waited for, and the search list of the network is tried name by name.

Confirmed by: the time inside `getaddrinfo` and its kin.

Remedy: name the host in `/etc/hosts`, or see to the name server and to `ndots` in `resolv.conf`.

Source: `resolv.conf(5)`: the default time-out is five seconds.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.spans import spans_by_kind
from firststep.analyse.user_lines import stack_lines
from firststep.causes import _waiting
from firststep.causes._peers import METADATA
from firststep.model.findings import Found

GROUP = "outside"
WATCHED = ("network",)
FACTS = (spans_by_kind, path, stack_lines)
REMEDIES: tuple[str, ...] = ()
DO = "name it in /etc/hosts, or see to the name server and `ndots`"


def find(given: Facts) -> Found | None:
    return _waiting.found(given, "a name server is slow", DO,
                          lambda peer, what: what == "look-up" and _waiting.host(peer) not in METADATA, "looked up")
