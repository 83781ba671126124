"""The page, as far as it can be told without a browser: what is in it, what is not, how large it is."""

import gzip
import html.parser
import json
import re
from pathlib import Path

import pytest
from analyse.traces import USER, process, sample, span, trace

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import PHASES
from firststep.diagnose import diagnosis
from firststep.model.read_trace import parse_trace
from firststep.model.trace import Frame, Sample
from firststep.report.html import limits
from firststep.report.html.page import page
from firststep.report.shared import shared
from report.hostile import CONTROLS, MARKUP, hostile

RECORDED = sorted((Path(__file__).parents[1] / "traces").glob("*.trace.gz"))
SECOND = 1_000_000_000
MOST_OF_TEN_SECONDS = 1_500_000


def recorded(path):
    return parse_trace(gzip.decompress(path.read_bytes()).decode("ascii"))


class Read(html.parser.HTMLParser):
    """What a browser would make of a page: its elements, their attributes, and the text in them."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text, self._open = [], [], []
        self.script = self.data = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._open.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tag, attributes = self._open[-1] if self._open else ("", {})
        if tag == "script" and attributes.get("type") == "application/json":
            self.data += data
        elif tag == "script":
            self.script += data
        elif tag != "style":
            self.text.append(data)


@pytest.fixture(scope="module")
def example():
    return page([recorded(RECORDED[2])])


@pytest.mark.parametrize("path", RECORDED[::2], ids=lambda path: path.name)
def test_a_page_of_a_real_start_holds_its_findings_and_its_phases(path):
    one = recorded(path)
    text = page([one])
    read = Read(text)
    words = "".join(read.text)
    facts = Facts(one)
    for found in facts(diagnosis).findings:
        assert found.id in words and found.evidence.words in words
    data = json.loads(read.data)["starts"][0]
    strip = data["timeline"]["phases"]
    assert sum(strip[2::3]) == pytest.approx(facts(partition).wall_ns / 1000, abs=2)
    assert len(strip[::3]) < 3 or {PHASES[number] for number in strip[::3]} <= {name for name, ns in facts(partition).phases.items() if ns}
    assert len(data["stretches"]) == len(facts(diagnosis).findings)
    assert len(text.encode()) <= MOST_OF_TEN_SECONDS


def test_a_page_asks_the_network_for_nothing(example):
    read = Read(example)
    assert {tag for tag, _ in read.elements}.isdisjoint({"link", "img", "iframe", "object", "embed", "base", "form", "video", "audio"})
    for _, attributes in read.elements:
        assert "src" not in attributes and "srcset" not in attributes and "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert attributes.get("href", "#").startswith("#")
    assert not re.search(r"https?:|//\w+\.\w|url\(|@import|fetch\(|XMLHttp|WebSocket|import\(", read.script)
    policy = next(attributes["content"] for tag, attributes in read.elements if attributes.get("http-equiv"))
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_links_lead_to_places_of_the_page(example):
    read = Read(example)
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {attributes["href"][1:] for tag, attributes in read.elements if tag == "a"} <= set(ids)
    referred = {one for _, attributes in read.elements for one in attributes.get("aria-labelledby", "").split()}
    assert referred <= set(ids)


def test_the_same_trace_makes_the_same_page(example):
    assert page([recorded(RECORDED[2])]) == example


@pytest.mark.parametrize("make", [hostile, lambda: shared(hostile())], ids=["as it is", "shared"])
def test_nothing_of_a_programs_own_words_is_markup_or_script(make, example):
    one = make()
    for text in (page([one]), page([one, one])):
        read, plain = Read(text), Read(example)
        assert {tag for tag, _ in read.elements} <= {tag for tag, _ in plain.elements} | {"h1", "figcaption"}
        assert read.script == plain.script
        assert sum(tag == "script" for tag, _ in read.elements) == 2
        names = {name for _, attributes in plain.elements for name in attributes}
        assert {name for _, attributes in read.elements for name in attributes} <= names
        assert not any(control in text for control in CONTROLS)
        assert MARKUP in "".join(read.text) + "".join(json.loads(read.data)["strings"])
        assert "49" not in "".join(read.text).split("{{ 7*7 }}")[0][-5:]


def test_the_data_is_json_that_ends_no_script():
    text = page([hostile()])
    data = text[text.index('id="data">') + len('id="data">'):]
    data = data[:data.index("</script>")]
    assert "<" not in data and "&" not in data and data.isascii()
    json.loads(data)


def many(number, name="m"):
    """A start in which so many modules were imported, each by the one before it within a dozen."""
    spans = []
    for index in range(number):
        start = SECOND + index * 20_000
        spans.append(span("import", start, start + 20_000 * (12 - index % 12), f"{name}{index % 40}.sub{index}"))
    deep = [tuple(Frame(f"/home/me/f{index % 97}_{depth}.py", f"f{depth}", 1, index % 50 + 1) for depth in range(index % 400))
            for index in range(number // 50)]
    samples = [Sample(SECOND + index * 5_000_000, (USER, *stack), "S", 202, 0, 0) for index, stack in enumerate(deep)]
    return trace(process(spans, samples, ready=SECOND + number * 25_000 + SECOND), ended=60 * SECOND)


def test_a_huge_start_makes_no_larger_page_and_says_what_is_left_out():
    text = page([many(16_000)])
    assert len(text.encode()) <= limits.PAGE
    assert re.search(r"Left out of this page.*timeline: [\d,]+ spans of [\d.]+ m?s or less", text)


def test_names_of_any_length_make_no_larger_page():
    text = page([many(1200, "x" * 5_000)])
    assert len(text.encode()) <= limits.PAGE


def test_errors_without_number_make_no_larger_page():
    part = process([], [sample(SECOND, USER)], ready=2 * SECOND, errors=tuple(f"x: {number} {'y' * 300}" for number in range(20_000)))
    text = page([trace(part)])
    assert len(text) < 400_000 and "19,970 more notes of this kind" in text


def test_spans_that_are_open_together_stand_in_rows_of_their_own():
    spans = [span("import", SECOND, 2 * SECOND, "outer"), span("import", SECOND, int(1.5 * SECOND), "inner"),
             span("gc", int(1.2 * SECOND), int(1.7 * SECOND), "generation 2"), span("import", 3 * SECOND, 4 * SECOND, "later")]
    data = json.loads(Read(page([trace(process(spans, ready=5 * SECOND))])).data)
    packed = data["starts"][0]["timeline"]["lanes"][0]["spans"]
    rows = {data["strings"][packed[place + 1]]: packed[place + 2] for place in range(0, len(packed), 6)}
    assert rows == {"outer": 0, "inner": 1, "generation 2": 2, "later": 0}
    starts = [sum(packed[3:place + 1:6]) for place in range(3, len(packed), 6)]
    assert starts == sorted(starts) and starts[0] == SECOND // 1000


def test_waiting_is_told_from_running():
    samples = [sample(SECOND, USER), sample(2 * SECOND, USER, ran=SECOND), sample(3 * SECOND, USER, state="S", call=202, ran=SECOND)]
    data = json.loads(Read(page([trace(process([], samples, ready=4 * SECOND))])).data)
    waits = data["starts"][0]["timeline"]["waits"]
    states = data["states"]
    assert [(states[waits[place]], waits[place + 2]) for place in range(0, len(waits), 3)] == [
        ("running", 1_000_000), ("waiting for another thread", 1_000_000)]


def test_the_programs_own_code_is_outermost_in_the_samples():
    runner = Frame("<frozen runpy>", "_run_code", 1, 1)
    data = json.loads(Read(page([trace(process([], [sample(2 * SECOND, runner, USER)], ready=2 * SECOND))])).data)
    flame = data["starts"][0]["flame"]
    first = flame["frames"][4 * flame["nodes"][0]:][:2]
    assert [data["strings"][number] for number in first] == ["<module>", "train.py:1"]


def test_two_starts_stand_side_by_side_with_what_changed():
    slow = trace(process([span("trace", SECOND, 4 * SECOND, "f")], [sample(5 * SECOND, USER)], ready=5 * SECOND))
    fast = trace(process([], [sample(2 * SECOND, USER)], ready=2 * SECOND), boost=["cache-functions"])
    read = Read(page([slow, fast]))
    words = re.sub(r"\s+", " ", " ".join(read.text))
    assert "plain and boosted, side by side" in words
    assert "Plain took 2.5 times as long as boosted." in words
    assert re.search(r"tracing 3\.0 s 0\.0 ms −3\.0 s", words)
    assert len(json.loads(read.data)["starts"]) == 2


def test_a_start_of_nothing_has_a_page():
    assert "no Python process was watched" in page([trace(ended=3 * SECOND)])


def test_source_lines_have_their_times_and_findings_lead_to_them():
    file = USER.file
    spans = [span("trace", SECOND + n * 400_000_000, SECOND + n * 400_000_000 + 350_000_000, "step", why="n: Python value 1 -> 2",
                  source=f"{file}:7", line=f"{file}:7") for n in range(9)]
    one = trace(process(spans, [sample(SECOND + n * 50_000_000, USER) for n in range(81)], ready=5 * SECOND),
                source={file: {"7": "model.fit(data)", "9": "later()"}})
    read = Read(page([one]))
    words = "".join(read.text)
    assert "model.fit(data)" in words and "later()" in words
    links = {attributes["href"] for tag, attributes in read.elements if tag == "a"}
    assert "#0-file0-7" in links
