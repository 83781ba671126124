"""The marks API, for programs that want to be precise: `firststep.mark("loaded")`, `firststep.result("loss", x)`.

Without the agent in the process both do nothing.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # the module `typing` would cost each start of the tool 10 ms
if TYPE_CHECKING:
    from typing import Any


def mark(name: str) -> None:
    """This moment has a name in the trace; with `--until mark:NAME` it is the moment of ready."""
    agent = sys.modules.get("firststep_agent.run")
    run = agent.active() if agent else None
    if run is not None:
        run.mark(name)


def result(name: str, value: Any) -> None:
    """`value` is what the program is run for: numbers, strings, bytes, arrays, tensors, lists and dicts of them.

    `firststep prove` compares it, bit by bit, between its two sides. Called again with the same name, all the
    values count.
    """
    agent = sys.modules.get("firststep_agent.observe.results.named")
    if agent is not None:
        agent.result(name, value)
