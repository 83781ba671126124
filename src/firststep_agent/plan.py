"""The plan: what the tool asks of the agent, as a JSON file. Schema: docs/plan-schema.md."""

import stat

from firststep_agent.as_found import open, os
from firststep_agent.plain_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAGIC = "firststep-plan"
SCHEMA = 1


class UnknownPlan(Exception):
    """The file is not a plan, or one of a schema that this agent does not know."""


def read(path: str) -> "dict[str, Any]":
    """The plan as a dict. Raises UnknownPlan or OSError; waits for nobody, and takes no plan of another user's but root's."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC), encoding="utf-8") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_uid not in (os.geteuid(), 0):
            raise UnknownPlan(f"{path}: not a file of this user's")
        plan: dict[str, Any] = loads(file.read())
    if plan.get("magic") != MAGIC or plan.get("schema") != SCHEMA:
        raise UnknownPlan(f"{path}: {plan.get('magic')!r} schema {plan.get('schema')!r}")
    return plan
