"""The environment that lets the agent into the program's interpreter."""

from __future__ import annotations

import os
from pathlib import Path

import firststep_agent

BOOTSTRAP = Path(firststep_agent.__file__).parent / "bootstrap"


def injected(environment: dict[str, str], plan_path: Path) -> dict[str, str]:
    """A copy of `environment` with the way in; an existing PYTHONPATH stays behind ours, as it was.

    An empty one means nothing to Python, while an empty entry means the current folder: ours twice stands for it.
    """
    path = environment.get("PYTHONPATH")
    entries = [str(BOOTSTRAP)] if path is None else [str(BOOTSTRAP), path or str(BOOTSTRAP)]
    return {**environment, "PYTHONPATH": os.pathsep.join(entries), "FIRSTSTEP_PLAN": str(plan_path)}
