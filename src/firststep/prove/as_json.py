"""A comparison as JSON. Schema: docs/prove.md."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from enum import Enum
from typing import Any

from firststep.launch import host
from firststep.prove.effects import Effect
from firststep.prove.proof import Proof, headline, remarks
from firststep.prove.run import ComparedRun
from firststep_agent import AGENT_VERSION

MAGIC = "firststep-prove"
SCHEMA = 1


def as_json(proof: Proof) -> dict[str, Any]:
    """The document: verdict first, then every figure it rests on. Seconds and bytes; infinity is null."""
    judgement, evidence, question = proof.judgement, proof.evidence, proof.question
    comparison, careful = evidence.comparison, evidence.careful
    document = {
        "magic": MAGIC,
        "schema": SCHEMA,
        "version": AGENT_VERSION,
        "host": host.describe(),
        "command": proof.command,
        "baseline": proof.baseline,
        "sides": question.sides,
        "verdict": judgement.verdict,
        "headline": headline(proof),
        "timing": judgement.timing.verdict if judgement.timing else None,
        "exit_code": judgement.exit_code,
        "reasons": judgement.reasons,
        "pairs": len(evidence.pairs),
        "confidence": 1 - evidence.design.alpha,
        "metrics": [_effect(effect) for effect in judgement.effects],
        "savings": judgement.savings,
        "results": comparison,
        "careful": {"how": careful.how, "results": careful.comparison} if careful else None,
        "problem": evidence.problem.kind if evidence.problem else None,
        "remarks": dict(remarks(proof)),
        "cold": proof.cold,
        "order": [pair.plain_first for pair in evidence.pairs],
        "runs": [_run(run) for run in proof.all_runs],
    }
    return {name: _plain(value) for name, value in document.items()}


def _run(run: ComparedRun) -> dict[str, Any]:
    """Digests without the values that they stand for: those can be long, and are the user's."""
    fields = {name: getattr(run, name) for name in run.__dataclass_fields__ if name != "folders"}
    return {**fields, "results": [replace(result, values=()) for result in run.results]}


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "name": effect.metric.name, "unit": effect.metric.unit, "plain": effect.plain, "treated": effect.treated,
        "ratio": effect.ratio.mid, "low": effect.ratio.low, "high": effect.ratio.high, "pairs": effect.pairs,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return _plain({name: getattr(value, name) for name in value.__dataclass_fields__})
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
