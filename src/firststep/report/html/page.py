"""Writes the page: what the template draws at once, and the data that its script draws."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.phases import PHASES
from firststep.causes import all_causes
from firststep.diagnose import diagnosis
from firststep.model.findings import Finding
from firststep.model.profile import ON_DEVICE, Profile
from firststep.model.trace import Trace
from firststep.model.words import count, duration
from firststep.printable import printable
from firststep.report.compose import compose, finding_row, gain_words
from firststep.report.html import sources, tables, timeline, trees
from firststep.report.html.limits import NOTES, PAGE, Limits
from firststep.report.html.strings import Strings
from firststep.report.lengths import WORDS, cut
from firststep.report.profiles import profile_words
from firststep.report.tree import FindingRow, PhaseRow, Report
from firststep_agent import AGENT_VERSION

SCRIPTS = ("data.js", "chart.js", "timeline.js", "trees.js", "page.js")
PLAIN, BOOSTED = "plain", "boosted"


@dataclass(frozen=True)
class FindingView:
    """A finding with the id of its line's place in the page, or empty, and what `firststep explain` says of its cause."""

    row: FindingRow
    boosted: bool
    anchor: str
    page: tuple[str, ...]
    shown: bool


@dataclass(frozen=True)
class StartView:
    """One start as the template draws it. label: what it is called where there are two."""

    number: int
    label: str
    report: Report
    findings: tuple[FindingView, ...]
    not_measured: tuple[str, ...]
    boosted: str
    tables: tuple[tables.PageTable, ...]
    files: tuple[sources.File, ...]
    left_out: tuple[str, ...]
    warnings: tuple[str, ...]
    remarks: tuple[str, ...]
    has_samples: bool
    has_imports: bool
    has_source: bool


@dataclass(frozen=True)
class PhaseChange:
    """A phase of two starts. shares: of the longer start, for the bars."""

    phase: str
    times: tuple[str, str]
    shares: tuple[float, float]
    change: str


def page(traces: Sequence[Trace], redacted: bool = False, profiles: Sequence[Profile] = ()) -> str:
    """One start, or two beside each other, as one HTML document of at most PAGE bytes. redacted: whether it says that it is;
    profiles: what other profilers saw of the one start."""
    facts = [Facts(trace) for trace in traces]
    limits = Limits().scaled(1 / len(facts))
    text = _page(facts, limits, redacted, profiles)
    while (size := len(text.encode())) > PAGE and limits.spans > 50:
        limits = limits.scaled(0.8 * PAGE / size)
        text = _page(facts, limits, redacted, profiles)
    return text


def _page(facts: Sequence[Facts], limits: Limits, redacted: bool, profiles: Sequence[Profile]) -> str:
    strings = Strings()
    labels = _labels([one.trace for one in facts])
    data = [_data(one, limits, strings, profiles) for one in facts]
    starts = [_start(one, number, label, drawn, limits) for number, (one, label, drawn) in enumerate(zip(facts, labels, data))]
    document = {"strings": strings.all(), "kinds": timeline.kinds(), "phases": PHASES, "states": list(timeline.STATES.values()),
                "devices": sorted(ON_DEVICE), "starts": data, "labels": labels}
    style, script = _asset("page.css"), _script()
    text: str = _template().render(
        starts=starts, title=_title(starts), changes=_changes(facts) if len(facts) == 2 else (), version=AGENT_VERSION, redacted=redacted,
        phases=PHASES, style=style, script=script, data=_as_script(document),
        style_hash=_hash(style), script_hash=_hash(script), ratio=_ratio(facts, labels),
        profiles=_some(map(profile_words, profiles)),
        present={name for one in facts for name, ns in one(partition).phases.items() if ns})
    return text


def _labels(traces: Sequence[Trace]) -> list[str]:
    kinds = [BOOSTED if trace.header.get("boost") else PLAIN for trace in traces]
    return kinds if len(set(kinds)) == len(kinds) else ["first", "second"]


def _title(starts: Sequence[StartView]) -> str:
    if len(starts) == 1:
        return f"{starts[0].report.time} from start to {starts[0].report.reached}"
    return " → ".join(start.report.time for start in starts)


def _data(facts: Facts, limits: Limits, strings: Strings, profiles: Sequence[Profile]) -> dict[str, Any]:
    return {
        "wall": facts(partition).wall_ns // timeline.US,
        "timeline": timeline.timeline(facts, limits, strings, profiles),
        "stretches": timeline.all_stretches(facts),
        "flame": trees.flame(facts, limits, strings),
        "packages": trees.packages(facts, limits, strings),
    }


def _start(facts: Facts, number: int, label: str, data: dict[str, Any], limits: Limits) -> StartView:
    found = facts(diagnosis)
    files, more_lines = sources.files(facts)
    anchors = sources.anchors(files)
    drawn = data["timeline"]
    left_out = [f"timeline: {words}" for words in drawn["left_out"]]
    for name, title in (("flame", "samples"), ("packages", "imports")):
        if data[name]["left_out"]:
            boxes = count(data[name]["left_out"], "box", "boxes")
            left_out.append(f"{title}: {boxes} too small to be seen, each part of the one around it")
    if more_lines:
        left_out.append(f"source: {count(more_lines, 'line')}")
    report = _cut(compose(facts))
    return StartView(
        number=number, label=label, report=report, warnings=_some(note.words for note in report.notes if note.kind == "warning"),
        remarks=_some(note.words for note in report.notes if note.kind != "warning"),
        findings=tuple(_finding(facts, one, anchors, bool(stretches)) for one, stretches in zip(found.findings, data["stretches"])),
        not_measured=tuple(sorted(f"{one.id} (needs {one.lacks})" for one in found.not_measured)),
        boosted=gain_words(found.boosted),
        tables=tuple(tables.tables(facts, limits.rows)),
        files=files, left_out=tuple(left_out), has_samples=bool(data["flame"]["nodes"]), has_imports=bool(data["packages"]["nodes"]),
        has_source=any(line.text for file in files for line in file.lines))


def _some(words: Iterable[str]) -> tuple[str, ...]:
    """As many as can be read."""
    said = tuple(cut(printable(one), WORDS) for one in words)
    return said if len(said) <= NOTES else (*said[:NOTES], f"{len(said) - NOTES:,} more notes of this kind")


def _finding(facts: Facts, one: Finding, anchors: dict[tuple[str, int], str], shown: bool) -> FindingView:
    line = one.evidence.line
    anchor = anchors.get((sources.name_of(line, facts), line.line), "") if line else ""
    return FindingView(_cut(finding_row(facts, one)), one.boosted, anchor, _pages()[one.id], shown)


def _cut(value: Any) -> Any:
    """The same values, no text of them longer than can be read, none with a character that does something to what stands beside it."""
    if isinstance(value, str):
        return cut(printable(value), WORDS)
    if isinstance(value, tuple):
        return tuple(map(_cut, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _cut(getattr(value, field.name)) for field in fields(value)})
    return value


@cache
def _pages() -> dict[str, tuple[str, ...]]:
    return {cause.id: tuple(cause.page.split("\n\n")) for cause in all_causes()}


def _changes(facts: Sequence[Facts]) -> Iterator[PhaseChange]:
    """Every phase of either start, what changed most first."""
    one, two = (dict(each(partition).phases) for each in facts)
    most = max(*one.values(), *two.values(), 1)
    for phase in sorted(PHASES, key=lambda name: (-abs(two[name] - one[name]), PHASES.index(name))):
        if one[phase] or two[phase]:
            change = two[phase] - one[phase]
            yield PhaseChange(phase, (duration(one[phase]), duration(two[phase])), (one[phase] / most, two[phase] / most),
                         ("+" if change > 0 else "−") + duration(abs(change)) if change else "")


def _ratio(facts: Sequence[Facts], labels: Sequence[str]) -> str:
    """`Plain took 3.4 times as long as boosted.`"""
    walls = [one(partition).wall_ns for one in facts]
    if len(walls) != 2 or not min(walls):
        return ""
    longer, shorter = (0, 1) if walls[0] >= walls[1] else (1, 0)
    return f"{labels[longer].capitalize()} took {walls[longer] / walls[shorter]:.1f} times as long as {labels[shorter]}."


def bars(rows: Sequence[PhaseRow]) -> Iterator[tuple[PhaseRow, int]]:
    """Rows with the numbers of their phases."""
    return ((row, PHASES.index(row.phase)) for row in rows)


def _as_script(document: Any) -> str:
    """JSON that no HTML parser takes for anything else: ASCII, without the characters that markup is made of."""
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _asset(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


@cache
def _script() -> str:
    return '"use strict";\n(() => {\n' + "\n".join(map(_asset, SCRIPTS)) + "})();\n"


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["ours"] = Markup  # our own script, style, and data that is escaped already
    environment.filters["bars"] = bars
    return environment.from_string(_asset("page.html"))
