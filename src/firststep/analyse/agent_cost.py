"""What the watching itself cost."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.phases import AGENT
from firststep.model.facts import AgentCost


def agent_cost(facts: Facts) -> AgentCost:
    """share: of the wall time, main thread and sampling thread together."""
    whole = facts(partition)
    cpu = sum(int(leg.process.counters.get("sampler_cpu_ns", 0)) for leg in facts(path))
    samples = sum(len(leg.process.samples) for leg in facts(path))
    load = whole.phases[AGENT]
    return AgentCost(load, cpu, samples, (load + cpu) / whole.wall_ns if whole.wall_ns else 0.0)
