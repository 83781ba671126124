"""Whether the program stood still at its end, before it was ready: where, since when, and where its other threads were."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.analyse.user_lines import stack_lines
from firststep.model.facts import Stillness
from firststep.model.trace import Process

LEAST_NS = 10_000_000_000
WORK = 0.025  # nanoseconds of CPU in one: who polls stands still


def stillness(facts: Facts) -> Stillness | None:
    """None where it became ready, or went on to its end."""
    legs = facts(path)
    if facts.trace.ready or not legs or not legs[-1].process.samples:
        return None
    process = legs[-1].process
    since = _since(process)
    if process.samples[-1].at - since < LEAST_NS:
        return None
    lines = facts(stack_lines)
    others = [(name, line) for at, name, stack in process.threads if at > since and (line := lines.of(process, stack))]
    return Stillness(facts.trace.end - since, lines.of(process, process.samples[-1].stack), tuple(others))


def _since(process: Process) -> int:
    """The moment from which on the main thread was in one place and did next to nothing."""
    last = process.samples[-1]
    found = last
    for sample in reversed(process.samples):
        if sample.stack != last.stack or found.ran - sample.ran > WORK * (found.at - sample.at) + 1_000_000:
            break
        found = sample
    return found.at
