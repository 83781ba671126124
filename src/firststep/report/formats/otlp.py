"""OpenTelemetry spans: OTLP as JSON, or sent to a collector where -o is its address.

One trace: the start from its spawn to ready, with its findings as events; in it the spans of every thread, nested as they were. The
longest MOST_SPANS are there. Of a trace whose header does not say what time of day it was, the end is taken for the moment at which
its file was written. Sending is the only use of OpenTelemetry's libraries, the extra `otlp`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from typing import TYPE_CHECKING, Any, NamedTuple

from firststep import exit_codes
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import PHASE_OF
from firststep.diagnose import diagnosis
from firststep.errors import FirststepError
from firststep.model.trace import Process, Span, Trace
from firststep.report.compose import verdict
from firststep.report.formats import ReportedStart
from firststep.report.lengths import WORDS, cut
from firststep_agent import AGENT_VERSION

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

MOST_SPANS = 3000
BATCH = 500  # spans of one request: collectors refuse 4 MB
PATIENCE = 10  # seconds for one request
SCHEMES = ("grpc", "grpcs", "http", "https")
HTTP_PATH = "/v1/traces"
INSTALL = "pip install opentelemetry-exporter-otlp"

Attributes = dict[str, "str | int | float | bool"]


class _Event(NamedTuple):
    name: str
    at: int
    attributes: Attributes


class _Made(NamedTuple):
    """A span as OpenTelemetry has it; times in nanoseconds since 1970. parent: 0 for none."""

    number: int
    parent: int
    name: str
    start: int
    end: int
    attributes: Attributes
    events: tuple[_Event, ...] = ()


class _Group(NamedTuple):
    """The spans of one process, and what is said of it."""

    resource: Attributes
    spans: tuple[_Made, ...]


def text(starts: Sequence[ReportedStart]) -> str:
    """One line of OTLP's JSON, as its file exporter writes it."""
    trace_id = _trace_id(starts[0].trace)
    return json.dumps({"resourceSpans": [_group_as_json(group, trace_id) for group in _groups(starts[0])]}, separators=(",", ":")) + "\n"


def send(start: ReportedStart, address: str) -> int:
    """Sends the spans to grpc://host:port, grpcs://, http:// or https://. Returns how many. Raises FirststepError."""
    scheme, _, where = address.partition("://")
    if scheme not in SCHEMES or not where.strip("/"):
        raise FirststepError(f"{address} is no collector's address", "", f"{' or '.join(SCHEMES)}://host:port", exit_codes.USAGE)
    try:
        from opentelemetry.sdk.trace.export import SpanExportResult

        exporter = _exporter(address)
    except ImportError as error:
        raise FirststepError("spans cannot be sent", f"OpenTelemetry's libraries are not installed ({error.name})", INSTALL,
                             exit_codes.CANNOT_WRITE) from error
    sent = 0
    try:
        spans = list(_readable(start))
        for begin in range(0, len(spans), BATCH):
            batch = spans[begin:begin + BATCH]
            try:
                taken = exporter.export(batch) is SpanExportResult.SUCCESS
            except Exception as error:  # whatever the libraries below think of an address
                raise _refused(address, sent, f"{type(error).__name__}: {error}") from error
            if not taken:
                raise _refused(address, sent, f"nothing answered within {PATIENCE} s, or the answer was no")
            sent += len(batch)
    finally:
        exporter.shutdown()
    return sent


def _exporter(address: str) -> Any:
    import logging

    logging.getLogger("opentelemetry").addHandler(logging.NullHandler())  # what went wrong is said once, by us
    logging.getLogger("opentelemetry").propagate = False
    scheme, _, rest = address.partition("://")
    if scheme.startswith("grpc"):
        from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as Grpc

        return Grpc(endpoint=rest.rstrip("/"), insecure=scheme == "grpc", timeout=PATIENCE)
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as Http

    return Http(endpoint=address if "/" in rest.rstrip("/") else address.rstrip("/") + HTTP_PATH, timeout=PATIENCE)


def _refused(address: str, sent: int, reason: str) -> FirststepError:
    grpc = "is it a port for gRPC? That is written grpc://host:port"
    return FirststepError(f"{address} took {f'only {sent:,}' if sent else 'no'} spans", reason,
                          grpc if address.startswith("http") else "look whether a collector listens there", exit_codes.CANNOT_WRITE)


def _groups(start: ReportedStart) -> Iterator[_Group]:
    """The start itself stands with the first process."""
    trace = start.trace
    facts = Facts(trace)
    whole = facts(partition)
    clock = trace.header.get("clock") or (trace.header["ended"], start.written)
    epoch = int(clock[1]) - int(clock[0])  # what a moment of the trace's clock lacks
    root = _Made(1, 0, "time to first step", epoch + whole.start, epoch + whole.end,
                 {"firststep.verdict": verdict(facts), **{f"firststep.phase_ns.{name}": ns for name, ns in whole.phases.items() if ns}},
                 tuple(_events(facts, epoch + whole.end)))
    longest = nlargest(MOST_SPANS, (span for process in trace.processes for span in process.spans), key=lambda span: span.end - span.start)
    kept = set(map(id, longest))
    number = 2
    for process in trace.processes or (None,):
        spans = [root] if number == 2 else []
        if process:
            made = list(_made(process, kept, number, epoch))
            number += len(made)
            spans += made
        if spans:
            yield _Group(_resource(trace, process), tuple(spans))
        number = max(number, 3)  # the root is said once


def _made(process: Process, kept: set[int], number: int, epoch: int) -> Iterator[_Made]:
    by_thread: dict[int, list[Span]] = defaultdict(list)
    for span in process.spans:
        if id(span) in kept:
            by_thread[span.thread].append(span)
    for thread, spans in by_thread.items():
        open_: list[tuple[int, int]] = []  # (end, number)
        for span in sorted(spans, key=lambda span: (span.start, -span.end)):
            while open_ and open_[-1][0] <= span.start:
                open_.pop()
            yield _Made(number, open_[-1][1] if open_ else 1, span.name or span.kind, epoch + span.start, epoch + span.end,
                        _attributes(span, thread == process.thread))
            open_.append((span.end, number))
            number += 1


def _attributes(span: Span, on_main: bool) -> Attributes:
    said: Attributes = {"firststep.kind": span.kind, "thread.main": on_main}
    if span.kind in PHASE_OF:
        said["firststep.phase"] = PHASE_OF[span.kind]
    for key, value in span.labels.items():
        said[f"firststep.{cut(key)}"] = value if isinstance(value, (bool, int, float)) else cut(str(value), WORDS)
    return said


def _events(facts: Facts, at: int) -> Iterator[_Event]:
    for one in facts(diagnosis).findings:
        yield _Event(one.id, at, {"what": one.what, "evidence": one.evidence.words, "do": one.do, "severity": one.severity,
                                  "confidence": one.confidence, "gain_low_ns": one.gain.low_ns, "gain_high_ns": one.gain.high_ns})


def _resource(trace: Trace, process: Process | None) -> Attributes:
    words = list(map(str, (process.header if process else trace.header).get("argv" if process else "command", ())))
    program = next((os.path.basename(word) for word in words[1:] if not word.startswith("-")), "program")
    said: Attributes = {"service.name": cut(program), "process.command": cut(" ".join(words), WORDS), "telemetry.sdk.name": "firststep",
                        "telemetry.sdk.version": AGENT_VERSION, "telemetry.sdk.language": "python"}
    if process:
        said.update({"process.pid": process.pid, "process.runtime.version": str(process.header.get("python", "")).partition(" ")[0]})
    return said


def _trace_id(trace: Trace) -> bytes:
    """The same for the same start, whenever it is written."""
    words = (trace.header.get("version"), list(trace.spawned), trace.header.get("pid"), trace.header.get("ended"))
    return hashlib.sha256(json.dumps(words).encode()).digest()[:16]


def _span_id(trace_id: bytes, number: int) -> bytes:
    return hashlib.sha256(trace_id + number.to_bytes(8, "big")).digest()[:8]


def _group_as_json(group: _Group, trace_id: bytes) -> dict[str, Any]:
    return {"resource": {"attributes": _pairs(group.resource)},
            "scopeSpans": [{"scope": {"name": "firststep", "version": AGENT_VERSION},
                            "spans": [_span_as_json(span, trace_id) for span in group.spans]}]}


def _span_as_json(span: _Made, trace_id: bytes) -> dict[str, Any]:
    made = {"traceId": trace_id.hex(), "spanId": _span_id(trace_id, span.number).hex(), "name": cut(span.name), "kind": 1,
            "startTimeUnixNano": str(span.start), "endTimeUnixNano": str(span.end), "attributes": _pairs(span.attributes)}
    if span.parent:
        made["parentSpanId"] = _span_id(trace_id, span.parent).hex()
    if span.events:
        made["events"] = [{"name": event.name, "timeUnixNano": str(event.at), "attributes": _pairs(event.attributes)}
                          for event in span.events]
    return made


def _pairs(attributes: Mapping[str, str | int | float | bool]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in attributes.items()]


def _value(value: str | int | float | bool) -> dict[str, Any]:
    """Whole numbers are strings in OTLP's JSON."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    return {"doubleValue": value} if isinstance(value, float) else {"stringValue": value}


def _readable(start: ReportedStart) -> Iterator[ReadableSpan]:
    """The same spans as OpenTelemetry's own objects."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import SpanContext, TraceFlags

    trace_id = _trace_id(start.trace)
    scope = InstrumentationScope("firststep", AGENT_VERSION)

    def context(number: int) -> SpanContext:
        ids = int.from_bytes(trace_id, "big"), int.from_bytes(_span_id(trace_id, number), "big")
        return SpanContext(*ids, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))

    for group in _groups(start):
        resource = Resource(group.resource)
        for span in group.spans:
            parent = context(span.parent) if span.parent else None
            yield ReadableSpan(cut(span.name), context(span.number), parent, resource, span.attributes,
                               [Event(event.name, event.attributes, event.at) for event in span.events],
                               start_time=span.start, end_time=span.end, instrumentation_scope=scope)
