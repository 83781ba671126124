"""What other tools read: each format by its own rules, the program's words harmless in all of them."""

import gzip
import http.server
import json
import os
import re
import subprocess
import threading
import unicodedata
from collections import defaultdict
from concurrent import futures
from pathlib import Path

import jsonschema
import pytest
from analyse.traces import JSON, USER, process, sample, span, trace
from programs import FIRSTSTEP

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.source_lines import source_lines
from firststep.diagnose import diagnosis
from firststep.exit_codes import CANNOT_READ, CANNOT_WRITE, USAGE
from firststep.model.read_trace import parse_trace
from firststep.report import schema
from firststep.report.as_json import document
from firststep.report.formats import ReportedStart, format_named, names
from firststep.report.formats.markdown import code, escaped
from firststep.report.load import load
from firststep.report.shared import shared
from report.hostile import WORDS, hostile

ROOT = Path(__file__).parents[2]
RECORDED = sorted((ROOT / "tests" / "traces").glob("*.trace.gz"))
REAL = RECORDED[2]
WRITTEN = 1_700_000_000_000_000_000
SECOND = 1_000_000_000
ESCAPES = re.compile(r"\\u[0-9a-f]{4}")


def recorded(path):
    return parse_trace(gzip.decompress(path.read_bytes()).decode("ascii"))


def written(name, one):
    return format_named(name).text([ReportedStart(one, WRITTEN)])


@pytest.fixture(scope="module")
def real():
    return recorded(REAL)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The file of a trace that is quick to write: the beginning of a real one."""
    path = tmp_path_factory.mktemp("traces") / "small.trace"
    path.write_bytes(b"".join(gzip.decompress(REAL.read_bytes()).splitlines(keepends=True)[:400]))
    return path


@pytest.fixture(scope="module")
def facts(real):
    return Facts(real)


@pytest.mark.parametrize("name", names())
def test_every_format_has_words_about_it_and_stands_in_the_documentation(name):
    assert format_named(name).title
    assert f"`{name}`" in (ROOT / "docs" / "report.md").read_text()


@pytest.mark.parametrize("name", names())
def test_the_same_start_is_written_the_same(name):
    assert written(name, hostile()) == written(name, hostile())


@pytest.mark.parametrize("name", [name for name in names() if name != "html"])
def test_nothing_in_a_format_would_move_a_cursor(name):
    text = written(name, hostile())
    controls = {character for character in text if unicodedata.category(character) in ("Cc", "Cf", "Cs") and character != "\n"}
    assert not controls
    text.encode("utf-8")
    if name not in ("folded", "markdown"):
        json.loads(text)


@pytest.mark.parametrize("name", names())
def test_a_start_of_nothing_can_be_written(name):
    empty = trace(ended=3 * SECOND)
    assert written(name, empty) == written(name, shared(empty))
    assert written(name, empty) or name == "folded"


def test_the_published_schema_is_that_of_the_types():
    assert (ROOT / "docs" / "report.schema.json").read_text() == schema.text(), (
        "make it anew: python -m firststep.report.schema > docs/report.schema.json")


@pytest.mark.parametrize("one", [*RECORDED[::3], hostile, trace], ids=lambda one: getattr(one, "name", "made"))
def test_what_is_written_keeps_to_the_published_schema(one):
    start = one() if callable(one) else recorded(one)
    published = json.loads((ROOT / "docs" / "report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(published)
    value = json.loads(json.dumps(document(start)))
    jsonschema.Draft202012Validator(published).validate(value)
    assert set(value) == set(published["properties"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(published).validate({**value, "ttfs_ns": "5 s"})


def test_chrome_events_are_the_spans_and_the_phases(real, facts):
    events = json.loads(written("chrome", real))["traceEvents"]
    assert {event["ph"] for event in events} == {"M", "X", "i"}
    whole = facts(partition)
    phases = defaultdict(float)
    for event in events:
        if event["ph"] == "X" and event["cat"] == "phase":
            phases[event["name"]] += event["dur"] * 1000
    assert {name: pytest.approx(ns, abs=1) for name, ns in whole.phases.items() if ns} == phases
    spans = [event for event in events if event["ph"] == "X" and event["cat"] not in ("phase", "activity")]
    assert len(spans) == sum(len(one.spans) for one in real.processes)
    named = {(event["pid"], event["tid"]) for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    assert {(event["pid"], event["tid"]) for event in events if event["ph"] == "X"} <= named
    assert next(event for event in events if event["name"] == "ready")["ts"] == pytest.approx(whole.wall_ns / 1000)


def test_speedscope_takes_the_profile(real):
    value = json.loads(written("speedscope", real))
    jsonschema.Draft7Validator(json.loads((Path(__file__).parent / "speedscope.schema.json").read_text())).validate(value)
    for profile in value["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"])
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
        assert all(0 <= frame < len(value["shared"]["frames"]) for stack in profile["samples"] for frame in stack)


def test_folded_stacks_hold_the_time_of_every_line(real, facts):
    lines = [line.rpartition(" ") for line in written("folded", real).splitlines()]
    assert all(stack and time.isdigit() for stack, _, time in lines)
    inside = sum(int(time) for stack, _, time in lines if "(zoo/keras_mlp.py)" in stack)
    assert inside == pytest.approx(sum(line.self_ns for line in facts(source_lines)) / 1000, rel=0.01)


def test_a_folded_stack_has_one_line_whatever_its_functions_are_called():
    for line in written("folded", hostile()).splitlines():
        assert re.fullmatch(r"[^;]+(;[^;]+)* \d+", line), line


def test_a_stack_of_several_functions_is_folded_from_the_outermost_on():
    one = trace(process([], [sample(SECOND, USER, JSON), sample(2 * SECOND, USER)], ready=2 * SECOND))
    assert written("folded", one) == ("<module> (train.py) 1000000\n<module> (train.py);decode (json/decoder.py) 999999\n")


def test_markdown_leads_with_the_verdict_and_the_findings(real, facts):
    lines = written("markdown", real).splitlines()
    assert lines[0] == "### 20.64 s from start to the end of its first training step"
    found = facts(diagnosis).findings
    assert [re.match(r"\| `([\w-]+)`", line)[1] for line in lines if re.match(r"\| `[a-z]+-", line)] == [one.id for one in found]
    assert any("`zoo/keras_mlp.py:32`" in line for line in lines)


@pytest.mark.parametrize("words", WORDS)
def test_markdown_keeps_a_programs_words_text(words):
    text = escaped(words)
    assert not re.search(r"(?<!\\)[`*_\[\]|~]", text)
    assert not re.search(r"<(?!!-- -->)", text) and "\n" not in text
    assert not re.search(r"@\w|https?:", text)
    fenced = code(words)
    if fenced:
        fence = re.match("`+", fenced)[0]
        assert fenced.endswith(fence) and fence not in fenced.strip("`") and "\n" not in fenced
        assert not re.search(r"(?<!\\)\|", fenced)


def test_tables_of_markdown_have_as_many_cells_in_every_row():
    rows = [line for line in written("markdown", hostile()).splitlines() if line.startswith("|")]
    assert rows
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} <= {5, 4}


def test_sarif_has_a_result_for_each_finding_at_its_line(real, facts):
    run = json.loads(written("sarif", real))["runs"][0]
    found = facts(diagnosis).findings
    assert [one["ruleId"] for one in run["results"]] == [one.id for one in found]
    for one, result in zip(found, run["results"]):
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "zoo/keras_mlp.py"
        assert place["region"]["startLine"] == (one.evidence.line.line if one.evidence.line else 1)
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == one.id
        assert one.evidence.words in result["message"]["text"]


def test_sarif_names_no_file_outside_of_the_program():
    outside = trace(process([span("trace", SECOND, 4 * SECOND, "f", why="first trace", source="/x/y.py:3", line="/x/y.py:3")],
                            [sample(5 * SECOND, USER)], ready=5 * SECOND))
    results = json.loads(written("sarif", shared(outside)))["runs"][0]["results"]
    assert results
    for one in results:
        assert all(not place["physicalLocation"]["artifactLocation"]["uri"].startswith(("/", "file:", ".."))
                   for place in one["locations"])


def spans_of(value):
    return [one for group in value["resourceSpans"] for scope in group["scopeSpans"] for one in scope["spans"]]


def test_otlp_spans_lie_in_the_start_and_are_nested_as_they_were(real, facts):
    value = json.loads(written("otlp", real))
    spans = spans_of(value)
    by_id = {one["spanId"]: one for one in spans}
    assert len(by_id) == len(spans)
    root, = (one for one in spans if "parentSpanId" not in one)
    whole = facts(partition)
    assert int(root["endTimeUnixNano"]) - int(root["startTimeUnixNano"]) == whole.wall_ns
    assert int(root["endTimeUnixNano"]) == WRITTEN - int(real.header["ended"]) + whole.end
    assert [event["name"] for event in root["events"]] == [one.id for one in facts(diagnosis).findings]
    assert {one["traceId"] for one in spans} == {root["traceId"]} and len(root["traceId"]) == 32
    for one in spans:
        if one.get("parentSpanId", root["spanId"]) != root["spanId"]:
            assert int(by_id[one["parentSpanId"]]["startTimeUnixNano"]) <= int(one["startTimeUnixNano"])


def test_spans_are_at_the_time_of_day_that_a_trace_knows():
    one = trace(process([span("import", SECOND, 2 * SECOND)], ready=5 * SECOND), ended=6 * SECOND, clock=[3 * SECOND, WRITTEN])
    for known in (one, shared(one)):
        root, = (each for each in spans_of(json.loads(written("otlp", known))) if "parentSpanId" not in each)
        assert int(root["endTimeUnixNano"]) == WRITTEN + 2 * SECOND


def sent(*words, **options):
    return subprocess.run([*FIRSTSTEP, "report", *map(str, words)], capture_output=True, text=True, timeout=900, **options)


@pytest.fixture
def collector():
    """A real gRPC server that takes spans: (address, requests)."""
    grpc = pytest.importorskip("grpc", reason="grpcio, to receive OTLP, is not installed")
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

    got = []

    class Takes(trace_service_pb2_grpc.TraceServiceServicer):
        def Export(self, request, context):
            got.append(request)
            return trace_service_pb2.ExportTraceServiceResponse()

    server = grpc.server(futures.ThreadPoolExecutor(2))
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(Takes(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"grpc://127.0.0.1:{port}", got
    server.stop(None)


def test_a_grpc_collector_gets_the_same_spans_as_the_file(collector, small):
    from google.protobuf.json_format import MessageToDict

    address, got = collector
    done = sent(small, "--format", "otlp", "-o", address)
    assert done.returncode == 0, done.stderr
    received = [one for request in got for one in spans_of(MessageToDict(request))]
    expected = spans_of(json.loads(format_named("otlp").text([ReportedStart(shared(load(small)), small.stat().st_mtime_ns)])))
    assert f"{len(expected):,} spans sent" in done.stderr
    assert [(one["name"], one["startTimeUnixNano"], one["endTimeUnixNano"]) for one in received] == [
        (one["name"], one["startTimeUnixNano"], one["endTimeUnixNano"]) for one in expected]


@pytest.fixture
def http_collector():
    """A local server that takes OTLP over HTTP: (address, [(path, body)])."""
    got = []

    class Takes(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            got.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *words):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Takes)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", got
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_collector_over_http_gets_the_spans(http_collector, small):
    service = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2", reason="OpenTelemetry is not installed")
    address, got = http_collector
    done = sent(small, "--format", "otlp", "-o", address)
    assert done.returncode == 0, done.stderr
    assert {path for path, _ in got} == {"/v1/traces"}
    requests = [service.ExportTraceServiceRequest.FromString(body) for _, body in got]
    names_got = [one.name for request in requests for group in request.resource_spans for scope in group.scope_spans for one in scope.spans]
    assert names_got == [one["name"] for one in spans_of(json.loads(written("otlp", shared(load(small)))))]


@pytest.mark.parametrize("address", ["ftp://host/x", "grpc://", "http:///", "://"])
def test_what_is_no_address_is_refused(small, address):
    done = sent(small, "--format", "otlp", "-o", address)
    assert done.returncode == USAGE and "grpc or grpcs" in done.stderr


def test_a_collector_that_is_not_there_is_said(small):
    done = sent(small, "--format", "otlp", "-o", "http://127.0.0.1:1")
    assert done.returncode == CANNOT_WRITE
    assert "took no spans" in done.stderr and "next:" in done.stderr and "Traceback" not in done.stderr


def test_the_verb_writes_to_a_file_for_the_users_eyes_and_to_standard_output(tmp_path, small):
    one, two = sent(small, "--format", "folded", "-o", tmp_path / "a"), sent(small, "--format", "folded", "-o", "-")
    assert (one.returncode, one.stdout) == (0, "")
    assert (tmp_path / "a").read_text() == two.stdout == sent(small, "--format", "folded").stdout
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_a_page_is_written_by_either_name(tmp_path, small):
    assert sent(small, "--html", tmp_path / "a.html").returncode == 0
    pages = {(tmp_path / "a.html").read_text(), sent(small, "--html", "-").stdout, sent(small, "--format", "html").stdout}
    assert len(pages) == 1


def test_json_is_the_same_by_either_name_and_whole_where_that_is_asked_for(small):
    assert sent(small, "--json").stdout == sent(small, "--format", "json").stdout
    whole = json.loads(sent(small, "--json", "--no-redact").stdout)
    assert whole == json.loads(json.dumps(document(load(small))))


@pytest.mark.parametrize(("words", "said"), [
    (["--format", "nonsense"], "nonsense"), (["--json", "--format", "folded"], "at a time"), (["--html", "a", "--lines"], "at a time"),
    (["-o", "a"], "--format"), ([REAL, "--format", "folded"], "one trace at most"), ([REAL, REAL, "--html", "a"], "two traces at most"),
], ids=str)
def test_what_makes_no_sense_is_refused(words, said):
    done = sent(REAL, *words)
    assert done.returncode == USAGE
    assert said in done.stderr and "next:" in done.stderr


def test_a_place_that_cannot_be_written_is_said(tmp_path, small):
    done = sent(small, "--html", tmp_path / "none" / "a.html")
    assert done.returncode == CANNOT_WRITE and "--html FILE" in done.stderr


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b\x08damaged", b'{"magic": "firststep-trace", "schema": 99}\n', b"[" * 100_000,
                                  b"{}\n" * 1000],
                         ids=["empty", "gzip", "future", "nested", "foreign"])
def test_a_file_that_is_no_trace_is_refused(data, tmp_path):
    (tmp_path / "x").write_bytes(data)
    for words in (["report", "x", "--html", "y"], ["open", "x"], ["report", "x", "--format", "otlp"]):
        done = subprocess.run([*FIRSTSTEP, *words], capture_output=True, text=True, cwd=tmp_path, timeout=900)
        assert done.returncode == CANNOT_READ and "next:" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "y").exists()


def bare(tmp_path):
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}


def test_open_says_where_the_page_is_when_there_is_no_browser(tmp_path, small):
    done = subprocess.run([*FIRSTSTEP, "open", str(small)], capture_output=True, text=True, env=bare(tmp_path), timeout=900)
    page = tmp_path / "state" / "firststep" / "report.html"
    assert done.returncode == 0 and "no browser" in done.stdout and str(page) in done.stdout
    assert page.stat().st_mode & 0o777 == 0o600 and page.read_text().startswith("<!doctype html>")


def test_open_hands_the_page_to_the_browser(tmp_path, small):
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    done = subprocess.run([*FIRSTSTEP, "open", str(small)], capture_output=True, text=True, timeout=900,
                          env={**bare(tmp_path), "BROWSER": f"{browser} %s"})
    assert done.returncode == 0 and "no browser" not in done.stdout
    assert (tmp_path / "opened").read_text().strip() == (tmp_path / "state" / "firststep" / "report.html").as_uri()


def test_open_without_a_kept_trace_says_how_to_make_one(tmp_path):
    done = subprocess.run([*FIRSTSTEP, "open"], capture_output=True, text=True, env=bare(tmp_path), timeout=900)
    assert done.returncode == CANNOT_READ and "firststep record" in done.stderr
