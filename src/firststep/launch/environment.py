"""The environment that lets the agent into the program's interpreter."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import firststep_agent
from firststep_agent.interpreters import let_in

BOOTSTRAP = os.path.join(os.path.dirname(os.path.abspath(firststep_agent.__file__)), "bootstrap")


def injected(environment: Mapping[str, str], command: Sequence[str], plan_path: str) -> dict[str, str]:
    """A copy of `environment`, with the way in where `command` is a Python that takes it out again; an existing PYTHONPATH stays
    behind ours, as it was.

    An empty one means nothing to Python, while an empty entry means the current folder: ours twice stands for it.
    """
    if not let_in(command, environment):
        return dict(environment)
    path = environment.get("PYTHONPATH")
    entries = [BOOTSTRAP] if path is None else [BOOTSTRAP, path or BOOTSTRAP]
    return {**environment, "PYTHONPATH": os.pathsep.join(entries), "FIRSTSTEP_PLAN": plan_path}
