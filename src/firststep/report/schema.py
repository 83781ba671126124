"""The schema of the report as JSON, made from the types of what it holds: docs/report.schema.json, anew by `python -m` this module."""

from __future__ import annotations

import collections.abc
import dataclasses
import json
import types
import typing
from collections.abc import Callable
from typing import Any

from firststep.analyse.phases import PHASES
from firststep.model.facts import Activity, Shortage
from firststep.model.findings import Failed, Finding, Gain, NotMeasured
from firststep.model.limits import READY_KINDS
from firststep.report.as_json import FACTS, MAGIC, SCHEMA

Schema = dict[str, Any]

ID = "https://json-schema.org/draft/2020-12/schema"
WORDS = "Written by `firststep report --json`. Times are nanoseconds, moments are counted from the spawn; every field: docs/report-json.md."
PLAIN: dict[Any, Schema] = {
    int: {"type": "integer"}, float: {"type": "number"}, str: {"type": "string"}, bool: {"type": "boolean"}, type(None): {"type": "null"},
}


def schema() -> Schema:
    """As JSON values. Fields may be added within a schema, so none is forbidden."""
    fixed: dict[str, Schema] = {
        "magic": {"const": MAGIC},
        "schema": {"const": SCHEMA},
        "version": {"type": ["string", "null"]},
        "command": {"type": "array", "items": {"type": "string"}},
        "host": {"type": "object"},
        "exit_code": {"type": ["integer", "null"]},
        "ready": {"anyOf": [{"type": "null"}, _object({"kind": {"enum": sorted(READY_KINDS)}, "label": {"type": "string"}})]},
        "ttfs_ns": {"type": "integer", "minimum": 0},
        "start_uncertainty_ns": {"type": "integer"},
        "verdict": {"type": "string"},
        "findings": {"type": "array", "items": _of(Finding, without=("cuts",))},
        **{name: _of(Gain) for name in ("boosted", "edited", "later")},
        "not_measured": {"type": "array", "items": _of(NotMeasured)},
        "failed": {"type": "array", "items": _of(Failed)},
        "phases": {"type": "array", "items": _object({
            "phase": {"enum": list(PHASES)}, "ns": {"type": "integer", "minimum": 0},
            "activity": {"anyOf": [{"type": "null"}, _of(Activity)]}, "shortage": {"anyOf": [{"type": "null"}, _of(Shortage)]}})},
        "errors": {"type": "array", "items": {"type": "string"}},
    }
    facts = {name: _of(_result(fact)) for name, fact in FACTS.items()}
    return {"$schema": ID, "title": "A start, as firststep reports it", "description": WORDS, **_object({**fixed, **facts})}


def _object(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _result(fact: Callable[..., Any]) -> Any:
    return typing.get_type_hints(fact)["return"]


def _of(kind: Any, without: tuple[str, ...] = ()) -> Schema:
    """The schema of a type: what `as_json` makes of its values."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in PLAIN:
        return PLAIN[kind]
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_of(one) for one in arguments]}
    if origin is tuple:
        items = [_of(one) for one in arguments if one is not Ellipsis]
        if Ellipsis in arguments:
            return {"type": "array", "items": items[0]}
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    if origin in (collections.abc.Mapping, dict):
        return {"type": "object", "additionalProperties": _of(arguments[1])}
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
        hints = typing.get_type_hints(kind)
        return _object({name: _of(hint) for name, hint in hints.items() if name not in without})
    raise TypeError(f"{kind} has no schema")


def text() -> str:
    """The file."""
    return json.dumps(schema(), indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
