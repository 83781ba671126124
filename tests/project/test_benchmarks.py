"""The benchmarks' own rules and pages, without measuring anything."""

import contextlib
import subprocess
import sys
from pathlib import Path

import before_after
import circumstances
import experiments
import foreseen
import harness
import myths
import pytest
import remedied
from remedies_tried import CASES

from firststep.causes import all_causes
from firststep.model.findings import Gain
from firststep.prove.statistics import Interval, Ratio
from firststep.remedies import all_remedies
from firststep.report import pages

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("low", "mid", "high", "verdict"), [
    (1.6, 2.0, 2.4, experiments.TRUE), (1.5, 1.6, 1.7, experiments.TRUE), (1.1, 1.2, 1.3, experiments.PARTLY),
    (1.2, 1.6, 2.0, experiments.OPEN), (0.9, 1.1, 1.4, experiments.NOT), (0.5, 0.6, 0.7, experiments.NOT),
    (0.8, 1.3, 2.0, experiments.OPEN), (float("-inf"), 1.0, float("inf"), experiments.OPEN),
])
def test_a_ratio_says_of_a_claim_what_its_interval_allows(low, mid, high, verdict):
    assert experiments.by_ratio(Ratio(mid, low, high), 1.5) == verdict


@pytest.mark.parametrize(("share", "verdict"), [(0.3, experiments.TRUE), (0.29, experiments.PARTLY), (0.1, experiments.PARTLY),
                                                (0.09, experiments.NOT)])
def test_a_share_says_of_a_claim_whether_it_is_as_large(share, verdict):
    assert experiments.by_share(share, 0.3) == verdict


def test_every_claim_is_there_once_and_says_its_rule():
    claims = [claim for table in myths.TABLES for claim in table.rows]
    assert len(claims) == len(set(claims)) > 20
    assert len(myths.TABLES) == 5


@pytest.mark.parametrize(("low", "high", "seen", "right"), [
    (900, 1100, 1000, "yes"), (600, 800, 1000, "yes"), (600, 780, 1000, "**no**"), (0, 0, 100, "yes"), (0, 0, 101, "cannot conclude"),
    (0, 0, 110, "**no**"), (0, 0, -120, "**no**"),
])
def test_what_is_foreseen_is_right_within_30_percent_or_100_ms(low, high, seen, right):
    assert foreseen.cells(Gain(low * 1_000_000, high * 1_000_000), Interval(seen, seen - 9, seen + 9, 6, 0.03))[-1] == right


def test_every_remedy_is_among_those_whose_gain_is_compared():
    named = " ".join(foreseen.TABLE.rows) + " ".join(foreseen.IMPORTS)
    assert {remedy.id for remedy in all_remedies() if remedy.id not in named} == set()


def test_every_cause_is_measured_before_and_after_or_has_its_reason():
    known = [cause for case in CASES for cause in case.causes]
    assert len(known) == len(set(known))
    assert {cause.id for cause in all_causes()} == set(known) | set(pages.NOT_MEASURED)
    assert not set(known) & set(pages.NOT_MEASURED)
    for case in CASES:
        if case.words.startswith("boost with "):
            named = {remedy.id for remedy in all_remedies() if remedy.id in case.words}
            assert all(named & set(cause.remedies) for cause in all_causes() if cause.id in case.causes), case.causes


def test_what_boost_removes_is_measured_with_boost():
    for cause in all_causes():
        if cause.remedies and cause.id != "stale-bytecode":  # which costs what missing-bytecode does
            case = next(case for case in CASES if cause.id in case.causes)
            assert case.words.startswith("boost with "), cause.id


@pytest.mark.parametrize("case", [case for case in CASES if case.start.__qualname__.startswith(("boosted", "edited"))],
                         ids=lambda case: case.causes[0])
def test_the_edits_still_fit_their_programs(case, monkeypatch):
    """And what comes out is Python; nothing is run."""
    written = []

    def read(command, *rest, **options):
        written.append(compile(Path(command[1]).read_text(), command[1], "exec"))
        return 1.0

    monkeypatch.setattr(before_after, "_run", read)
    monkeypatch.setattr(before_after, "wall", read)
    monkeypatch.setattr(before_after, "around", lambda program, cause: circumstances.nothing_special)
    monkeypatch.setattr(before_after, "bare_environment", lambda: contextlib.nullcontext(sys.executable))
    with case.start() as (before, after):
        assert before() == after() == 1.0
    assert len(written) == 4


@pytest.mark.parametrize(("less", "says"), [
    ([0.5, 0.4, 0.6], "2.00 → 1.50 s, 0.50 s less (0.40 to 0.60); 6 interleaved pairs"), ([-0.5, -0.6, -0.4], "0.50 s more (0.40 to 0.60)"),
    ([0.1, -0.1, 0.3], "not resolved (-0.10 to +0.30 s)"), ([0.5, None, None], "0.50 s less, too few pairs for an interval"),
])
def test_figures_say_no_more_than_they_know(less, says):
    figures = {"program": "zoo/a.py", "with": "an edit", "until": "its end", "before_s": 2.0, "after_s": 1.5, "less_s": less, "pairs": 6,
               "measured": "a day", "machine": "a machine"}
    assert says in pages.in_words(figures)


def test_explain_and_the_page_show_the_figures(tmp_path, monkeypatch):
    path = tmp_path / "measured.json"
    case = CASES[0]
    cause = next(cause for cause in all_causes() if cause.id in case.causes)
    monkeypatch.setattr(before_after, "_run", lambda command, plan, empty: 2.0 if plan.boost == {} else 1.5)
    found = remedied.figures(case, 6)
    remedied.write(path, {cause.id: found})
    monkeypatch.setattr(pages, "MEASURED", path)
    pages.measured.cache_clear()
    try:
        assert "2.00 → 1.50 s, 0.50 s less" in " ".join(pages.page(cause).split())
        assert max(map(len, pages.page(cause).splitlines())) <= 140
        assert "*Measured:* zoo/import_tensorflow.py" in pages.document()
    finally:
        monkeypatch.undo()
        pages.measured.cache_clear()


def test_a_page_keeps_its_other_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(harness, "machine", lambda: "*a machine*")
    page = harness.Page(tmp_path / "page.md", "# A page\n")
    rows = {title: harness.Row(lambda pairs, title=title: [title.upper(), pairs], 2, 0, 0) for title in ("a", "b")}
    table = harness.Table("key", "A table", ["seen", "how"], rows, page=page)
    assert table.measured("b") and table.measured("a", 7)
    lines = [line for line in page.path.read_text().splitlines() if line.startswith(("| a", "| b"))]
    assert [line.split(" | ")[:3] for line in lines] == [["| a", "A", "7"], ["| b", "B", "2"]]
    assert page.path.read_text().startswith("# A page\n") and "*a machine*" in page.path.read_text()
    rows["b"] = harness.Row(lambda pairs: 1 / 0, 1, 0, 0)
    assert not table.measured("b")
    assert page.path.read_text().count("| b |") == 1


@pytest.mark.parametrize("script", ["run.py", "myths.py", "foreseen.py", "remedied.py"])
def test_a_list_of_what_there_is_measures_nothing(script):
    done = subprocess.run([sys.executable, ROOT / "benchmarks" / script, "--list"], capture_output=True, text=True)
    assert done.returncode == 0 and " s " in done.stdout, done.stderr
