"""The plan: what the tool asks of the agent, as a JSON file. Schema: docs/plan-schema.md."""

from firststep_agent.plain_json import loads

MAGIC = "firststep-plan"
SCHEMA = 1


class UnknownPlan(Exception):
    """The file is not a plan, or one of a schema that this agent does not know."""


def read(path):
    """The plan as a dict. Raises UnknownPlan or OSError."""
    with open(path, encoding="utf-8") as file:
        plan = loads(file.read())
    if plan.get("magic") != MAGIC or plan.get("schema") != SCHEMA:
        raise UnknownPlan(f"{path}: {plan.get('magic')!r} schema {plan.get('schema')!r}")
    return plan
