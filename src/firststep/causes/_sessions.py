"""Programs of TensorFlow 1's kind: a graph by hand and sessions that run it. Boost leaves both as they are."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.spans import spans


def by_sessions(given: Facts) -> bool:
    """Whether sessions run this program's graph, and no function is traced."""
    return bool(spans(given, "session-create")) and not spans(given, "trace")
