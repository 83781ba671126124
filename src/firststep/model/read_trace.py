"""Reads a trace file. A last line that was cut short is left out; anything else that is wrong is an error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from firststep.model import limits
from firststep.model.trace import (
    MAGIC,
    SCHEMA,
    Frame,
    Mark,
    Note,
    Process,
    Ready,
    Sample,
    Span,
    Spawn,
    StepEnd,
    Trace,
)


class NotATrace(Exception):
    """The file is no trace, is damaged, or is of a schema that this version does not know."""


def parse_trace(text: str) -> Trace:
    """The trace whose file holds `text`. Raises NotATrace: within the bounds of `limits`, whatever it holds."""
    if len(text) > limits.TEXT or text.count("\n") > limits.RECORDS or limits.values(text) > limits.VALUES:
        raise NotATrace("it is larger than any start could make it")
    records = _records(text)
    try:
        header = next(records, None)
    except NotATrace:
        header = None  # whatever it is, it is not ours
    check_header(header)
    assert isinstance(header, dict)
    parts: list[list[Any]] = []
    for record in records:
        if isinstance(record, dict):
            check_header(record)
            parts.append([record])
        elif isinstance(record, list) and parts:
            parts[-1].append(record)
        else:
            raise NotATrace("a record stands outside any process")
    try:
        elsewhere = {"installed": header["installed"]} if header.get("installed") else {}
        processes = [_process({**part[0], **elsewhere}, part[1:]) for part in parts]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise NotATrace(f"a record is malformed: {type(error).__name__}: {error}") from error
    whole = Trace(header, tuple(sorted(processes, key=lambda process: int(process.header["entered_ns"]))),
                  cut_short=not text.endswith("\n") or text.count("\n") <= header.get("records", 0))
    try:
        _ = whole.spawned, whole.end
    except (KeyError, TypeError, ValueError) as error:
        raise NotATrace(f"its header lacks when the program began and ended: {error}") from error
    return whole


def check_header(header: Any) -> None:
    """Raises NotATrace unless `header` is the first record of a trace, or of a part, of our schema."""
    if not isinstance(header, dict) or header.get("magic") != MAGIC:
        raise NotATrace("it does not begin as a firststep trace does")
    if header.get("schema") != SCHEMA:
        raise NotATrace(f"it has schema {str(header.get('schema'))[:20]}, and this version reads schema {SCHEMA}")
    for key, fits in limits.HEADER.items():
        if key in header and not fits(header[key]):
            raise NotATrace(f"its {key} is malformed")


def _records(text: str) -> Iterator[Any]:
    lines = text.rstrip("\n").split("\n")
    for number, line in enumerate(lines):
        if not line:
            continue
        if len(line) > limits.LINE:
            raise NotATrace(f"line {number + 1} is longer than any record")
        try:
            yield json.loads(line)
        except RecursionError as error:
            raise NotATrace(f"line {number + 1} is nested too deeply") from error
        except ValueError as error:
            cut_short = number == len(lines) - 1 or lines[number + 1].startswith('{"magic"')
            if not cut_short:
                raise NotATrace(f"line {number + 1} is damaged") from error


def _process(header: dict[str, Any], records: list[list[Any]]) -> Process:
    if missing := [key for key in limits.NEEDED if key not in header]:
        raise KeyError(missing[0])
    by_type: dict[str, list[list[Any]]] = {}
    for kind, *items in records:
        if limits.known(kind, items):
            by_type.setdefault(kind, []).append(items)
    of = by_type.get
    ends = of("end", [])
    ready = of("ready", [])
    counters = dict(of("c", []))
    if not limits.counters(counters):
        raise ValueError("of type c")
    agent = of("agent", [])
    stacks = _stacks(of("f", []), of("k", []))
    return Process(
        header=header,
        spans=tuple(_spans(of("s", []), of("o", []))),
        samples=tuple(_samples(stacks, of("p", []))),
        threads=tuple((at, name, stacks[stack]) for at, seen in of("w", []) for _, name, stack in seen),
        busy=tuple((at, number, name, ran, stacks[stack]) for at, seen in of("y", []) for number, name, ran, stack in seen),
        called=tuple((at, stacks[stack]) for at, stack in of("b", [])),
        worked=tuple((at, ns) for at, ns in of("i", [])),
        shortages=tuple((at, minor, major, throttled) for at, minor, major, throttled in of("u", [])),
        marks=tuple(Mark(at, name, labels) for at, name, labels in of("m", [])),
        steps=tuple(StepEnd(*items) for items in of("t", [])),
        notes=tuple(Note(*items) for items in of("r", [])),
        spawns=tuple(Spawn(start, end, pid, tuple(words)) for start, end, pid, words in of("x", [])),
        errors=tuple(f"{where}: {what}" for _, where, what in of("e", [])),
        counters=counters,
        libraries=tuple((path, size) for path, size in (of("libraries", [[[]]])[-1][0])),
        results=tuple(items[0] for items in of("result", [])),
        log=tuple((at, line) for at, line in of("l", [])),
        missing=tuple((module, name) for module, name in of("missing", [])),
        cells={file: (number, tuple(lines)) for file, number, lines in of("cell", [])},
        code=tuple(file for files, in of("code", []) for file in files),
        packages=(of("packages", [[{}]])[-1][0]),
        gpu=(of("gpu", [[{}]])[-1][0]),
        points={f"{module}:{name}": state for module, name, state in of("point", [])},
        agent=(agent[0][0], agent[0][1]) if agent else None,
        ready=Ready(*ready[0]) if ready else None,
        end=(ends[-1][0], ends[-1][1]) if ends else None,
        uncaught=of("uncaught", [[None]])[-1][0],
    )


def _spans(ended: list[list[Any]], snapshots: list[list[Any]]) -> Iterator[Span]:
    closed = set()
    for kind, name, start, end, thread, *labels in ended:
        closed.add((kind, name, start, thread))
        yield Span(kind, name, start, end, thread, labels[0] if labels else {})
    last_seen: dict[tuple[Any, ...], int] = {}
    for at, thread, stack in snapshots:
        for kind, name, start in stack:
            last_seen[(kind, name, start, thread)] = at
    for (kind, name, start, thread), at in last_seen.items():
        if (kind, name, start, thread) not in closed:
            yield Span(kind, name, start, at, thread, ended=False)


def _stacks(frames: list[list[Any]], stacks: list[list[Any]]) -> dict[int, tuple[Frame, ...]]:
    frame_of = {number: Frame(*rest) for number, *rest in frames}
    return {number: tuple(frame_of[frame] for frame in members) for number, members in stacks}


def _samples(stack_of: dict[int, tuple[Frame, ...]], samples: list[list[Any]]) -> Iterator[Sample]:
    for at, stack, state, call, ran, waited in samples:
        yield Sample(at, stack_of[stack], state, call, ran, waited)
