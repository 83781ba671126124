"""The report's drill-downs, the line at the end, and the pages of the causes."""

import gzip
import io
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from analyse.traces import USER, process, sample, span, trace

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.imported_packages import imported_packages
from firststep.analyse.partition import partition
from firststep.analyse.tracing import tracing
from firststep.causes import all_causes
from firststep.diagnose import diagnosis
from firststep.exit_codes import USAGE
from firststep.model.read_trace import parse_trace
from firststep.model.words import duration
from firststep.report import tables
from firststep.report.afterwards import line
from firststep.report.compose import verdict
from firststep.report.pages import document, in_words, page
from firststep.report.tables import TOPICS
from firststep.report.terminal import draw_table

ROOT = Path(__file__).parents[2]
RECORDED = sorted((ROOT / "tests" / "traces").rglob("*.trace.gz"))
S = 1_000_000_000
MS = 1_000_000
RUNNING = [sample(at * 100 * MS, USER, ran=at * 100 * MS) for at in range(1, 101)]


def firststep(*words):
    return subprocess.run([sys.executable, "-m", "firststep.cli", *map(str, words)], capture_output=True, text=True)


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("path", RECORDED[1:4], ids=lambda path: path.name)
def test_every_topic_of_a_recorded_start_has_a_total_or_says_why_not(path, topic):
    table = TOPICS[topic](Facts(parse_trace(gzip.decompress(path.read_bytes()).decode("ascii"))))
    assert table.total if table.rows else table.notes
    assert len(table.columns) == len(table.right)
    assert all(len(row) == len(table.columns) for row in table.rows)
    file = io.StringIO()
    draw_table(table, file)
    assert max(map(len, file.getvalue().splitlines())) <= 80


def test_the_total_of_the_data_is_the_phase():
    facts = Facts(trace(process([span("data-pipeline", S, 3 * S, "outer"), span("data-function", 2 * S, 3 * S, "f", transformation="map")],
                                [sample(4 * S, USER)], ready=4 * S), ended=4 * S))
    table = TOPICS["data"](facts)
    assert table.rows == (("a data set", "1", "1.0 s"), ("map", "1", "1.0 s"))
    assert table.total == ("total", "", "2.0 s")


@pytest.fixture
def exactly(monkeypatch):
    """Times, sizes and all rows of the tables as whole numbers."""
    for name in ("duration", "size"):
        monkeypatch.setattr(tables, name, str)
    monkeypatch.setattr(tables, "MOST", 10**9)


def column(table, place):
    """The numbers of a column, the total last; None for what is no number."""
    cells = [row[place].replace(",", "") for row in (*table.rows, *([table.total] if table.total else []))]
    return [int(cell) if cell.lstrip("-").isdigit() else None for cell in cells] or [0]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_own_and_compiling_of_all_packages_are_the_phase(path, exactly):
    facts = Facts(parse_trace(gzip.decompress(path.read_bytes()).decode("ascii")))
    own, compiling = (column(TOPICS["imports"](facts), place) for place in (2, 4))
    assert own[-1] + compiling[-1] == facts(partition).phases[phases.IMPORTS]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_totals_are_the_sums_of_the_rows(path, exactly):
    facts = Facts(parse_trace(gzip.decompress(path.read_bytes()).decode("ascii")))
    for topic, table_of in TOPICS.items():
        table = table_of(facts)
        for place, right in enumerate(table.right):
            *rows, total = column(table, place) if right and table.total and topic != "findings" else (0, None)
            assert total is None or total == sum(one or 0 for one in rows), (topic, table.columns[place])


def test_a_wait_within_an_import_is_other_and_not_its_own():
    spans = [span("import", S, 4 * S, "settings"), span("network", 2 * S, 3 * S, "10.0.0.1:80")]
    (one,) = Facts(trace(process(spans, [sample(5 * S, USER)], ready=5 * S)))(imported_packages)
    assert (one.own_ns, one.other_ns, one.together_ns) == (2 * S, S, 3 * S)


def test_what_tensorflows_operations_cost_its_import_is_told(exactly):
    path = next(path for path in RECORDED if path.name.startswith("keras_mlp"))
    table = TOPICS["imports"](Facts(parse_trace(gzip.decompress(path.read_bytes()).decode("ascii"))))
    (note,) = [one for one in table.notes if one.startswith("TensorFlow's operations: ")]
    modules, generated, native = (int(number) for number in re.findall(r"\d+", note))
    row = next(row for row in table.rows if row[0] == "tensorflow")
    assert 50 < modules < int(row[1].replace(",", "")) and 0 < generated < int(row[2]) and native == int(row[3])


def test_every_line_of_the_program_is_one_row_with_its_whole_place():
    path = next(path for path in RECORDED if path.name.startswith("text_transformer"))  # its source lines are longer than the room
    table = TOPICS["lines"](Facts(parse_trace(gzip.decompress(path.read_bytes()).decode("ascii"))))
    file = io.StringIO()
    draw_table(table, file)
    drawn = file.getvalue().splitlines()[2 : 2 + len(table.rows)]
    assert [row.split()[0] for row in drawn] == [row[0] for row in table.rows]


def test_the_verb_shows_one_topic():
    done = firststep("report", "--imports", RECORDED[1])
    assert done.returncode == 0
    assert "tensorflow" in done.stdout and "total" in done.stdout


def test_topics_are_drawn_in_the_order_in_which_they_are_asked_for():
    alone = [firststep("report", option, RECORDED[1]).stdout for option in ("--traces", "--imports")]
    assert all(alone) and firststep("report", "--traces", "--imports", RECORDED[1]).stdout == "".join(alone)


def after_ready(*spans):
    return line(Facts(trace(process(spans, [sample(S, USER)], ready=2 * S, counters={}), ended=9 * S,
                            observe=["frameworks", "afterwards"])))


def traces(number, why, at=3 * S, name="step"):
    return [span("trace", at + n * 100 * MS, at + (n + 1) * 100 * MS, name, why=why) for n in range(number)]


def test_the_total_of_traces_has_those_after_the_first_step():
    early = span("trace", S, S + 500 * MS, "build", why="first trace", ops=5)
    one = process([early, *traces(8, "n: Python value 3 -> 4")], [sample(S, USER)], ready=2 * S, counters={})
    table = TOPICS["traces"](Facts(trace(one, ended=9 * S, observe=["frameworks", "afterwards"])))
    assert [row[:3] for row in table.rows] == [("build", "1", "500 ms"), ("step", "8", "800 ms")]
    assert table.total == ("total", "9", "1.3 s", "0.0 ms", "", "800 ms of it after the first step")


def test_what_ran_within_a_trace_stands_apart_from_the_tracing():
    spans = [span("trace", S, 5 * S, "step", ops=5), span("variable", 2 * S, 3 * S), span("autograph", 6 * S, 7 * S, "load")]
    table = TOPICS["traces"](Facts(trace(process(spans, [sample(8 * S, USER)], ready=8 * S), ended=8 * S)))
    assert [row[:4] for row in table.rows] == [("step", "1", "3.0 s", "1.0 s"), ("autograph train.py:7", "", "1.0 s", "")]
    assert table.total == ("total", "1", "4.0 s", "1.0 s", "", "")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_all_that_is_said_of_tracing_is_the_phase(path):
    """One start, one figure: on the screen, in the finding, in the table."""
    facts = Facts(parse_trace(gzip.decompress(path.read_bytes()).decode("ascii")))
    table, whole = TOPICS["traces"](facts), facts(partition).phases[phases.TRACING]
    known = facts(tracing)
    assert known is None or sum(one.phase_ns for one in known.functions) <= whole
    assert table.total is None or duration(whole) == table.total[2] or "after the first step" in table.total[-1]
    said = next((one.evidence.words for one in facts(diagnosis).findings if one.id == "slow-graph-construction"), "")
    assert not said or f" in {duration(whole)}, " in said


def test_a_table_of_sessions_fits_and_says_nothing_of_what_there_was_not():
    place = "/home/me/zoo/v1_reinitialise.py:27"
    rounds = [span("session-create", n * S, n * S + 10 * MS, line=place, nodes=n * 100 - 100, resident=n * 10**8) for n in range(2, 10)]
    table = TOPICS["sessions"](Facts(trace(process(rounds, [sample(S, USER)], ready=2 * S, counters={}), ended=9 * S)))
    file = io.StringIO()
    draw_table(table, file)
    row = next(line for line in file.getvalue().splitlines() if "v1_reinitialise.py:27" in line)
    assert row.split() == ["session", "zoo/v1_reinitialise.py:27", "8", "80", "ms", "7.0", "s", "1.0", "s", "100", "→", "800", "+700", "MB"]
    assert "0 further" not in file.getvalue()


def test_no_word_of_a_table_of_sessions_is_broken():
    """A place gives way, at its front, as far as the words beside it need room."""
    place = "/home/me/a_long_name_of_a_program_that_compiles.py:27"
    made = [span(kind, n * S, n * S + 10 * MS, line=place, nodes=n * 100_000, resident=n * 10**8, layers=3)
            for n in range(2, 10) for kind in ("model-build", "model-compile", "initialisation")]
    file = io.StringIO()
    draw_table(TOPICS["sessions"](Facts(trace(process(made, [sample(S, USER)], ready=2 * S, counters={}), ended=9 * S))), file)
    drawn = [line.split()[:2] for line in file.getvalue().splitlines()]
    assert {"model-build", "model-compile", "initialisation"} <= {words[0] for words in drawn if words}
    assert all(words[1].startswith("…") and words[1].endswith("s.py:27") for words in drawn if words and words[0].startswith("model"))


def test_nothing_is_said_where_nothing_went_on():
    assert after_ready() == ""
    assert after_ready(*traces(1, "x: shape (32,) -> (7,)")) == ""
    assert after_ready(*traces(2, "first trace")) == ""
    assert line(Facts(trace(process([], [sample(S, USER)], ready=2 * S), observe=["frameworks"]))) == ""


def test_later_traces_are_told_with_their_reason():
    assert after_ready(*traces(8, "n: Python value 3 -> 4")) == (
        "8 more traces in 800 ms after the first step: n of step is a Python number")


def test_few_traces_are_told_where_they_took_long():
    """Two more shapes, of which XLA compiles each in as long as the first one."""
    long = [span("trace", at * S, (at + 1) * S, "step", why="x: shape (32,) -> (7,)") for at in (3, 5)]
    assert after_ready(*long) == "2 more traces in 2.0 s after the first step: step, x: shape (32,) -> (7,)"
    first = [span("trace", S, S + 100 * MS, "step", machine_code=0, xla=True, why="first trace"),
             span("xla-compile", S + 100 * MS, 2 * S, "__inference_step_3", machine_code=1000)]
    again = [replace(one, labels={**one.labels, "xla": True, "machine_code": 1000}) for one in traces(2, "x: shape (8, 32) -> (9, 32)")]
    one = process([*first, *again], [sample(S, USER)], ready=2 * S, counters={"machine_code_at_ready": 1000, "machine_code_at_exit": 3000})
    assert line(Facts(trace(one, ended=9 * S, observe=["frameworks", "afterwards"]))) == (
        "2 more traces in 200 ms, compiled in about 1.8 s, after the first step: step, x: shape (8, 32) -> (9, 32)")


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_the_verdict_says_most_only_of_what_is_most(path):
    facts = Facts(parse_trace(gzip.decompress(path.read_bytes()).decode("ascii")))
    first, *others = facts(diagnosis).findings
    is_most = all(first.gain.middle_ns >= other.gain.middle_ns for other in others)
    assert first.id in verdict(facts)
    assert ("the most to gain" in verdict(facts)) <= is_most
    if is_most and first.confidence != "low" and not verdict(facts).startswith("Your code"):
        assert "the most to gain" in verdict(facts)


def test_the_verdict_names_the_line_of_the_programs_own_work_and_calls_nothing_else_the_most_to_gain():
    """Of ten seconds eight are line 7's own; no cause knows what it does."""
    one = process([span("model-build", S, 3 * S, layers=9)], RUNNING, ready=10 * S)
    said = verdict(Facts(trace(one, ended=10 * S)))
    assert said.startswith("Your code took 80% of it, 8.0 s at ") and ":7; besides, slow-model-build may save" in said


def test_the_verdict_does_not_tell_the_same_seconds_twice():
    """Of ten seconds the program sleeps for five."""
    seen = [sample(at * 100 * MS, USER, **({"state": "S", "call": 230} if at <= 50 else {})) for at in range(1, 101)]  # clock_nanosleep
    said = verdict(Facts(trace(process([], seen, ready=10 * S), ended=10 * S)))
    assert said.startswith("Your code took 100% of it, 10.0 s at ") and said.endswith(":7; main-thread-idle may save 1.0 to 5.0 s of it.")


def test_the_verdict_is_as_sure_as_its_cause():
    """Low confidence comes first only where nothing else was found that may save as much."""
    spans = [span("import", S, 8 * S, "tensorflow"), span("model-load", 8 * S, int(8.5 * S), path="/m.keras", bytes=1_000_000)]
    one = process(spans, RUNNING, ready=10 * S)
    facts = Facts(trace(replace(one, ready=replace(one.ready, kind="predict")), ended=10 * S))
    first = facts(diagnosis).findings[0]
    assert (first.id, first.confidence) == ("framework-larger-than-needed", "low")
    assert f"look first at {first.id}, which may save" in verdict(facts)


def test_the_verdict_says_what_is_to_be_gained_after_the_start():
    """Six seconds of traces after a start of two."""
    one = process([span("import", S, 2 * S, "tensorflow"), *traces(60, "n: Python value 3 -> 4")], RUNNING, ready=2 * S)
    assert "; the most to gain is after it, from function-retracing, about " in verdict(
        Facts(trace(one, ended=20 * S, observe=["frameworks", "afterwards", "imports"])))


def test_a_function_that_is_traced_for_each_number_has_one_reason():
    numbers = [span("trace", S + n * 10 * MS, S + (n + 1) * 10 * MS, "step", why=f"n: Python value 0 -> {n}" if n else "first trace", ops=9)
               for n in range(40)]
    shape = span("trace", 2 * S, 3 * S, "step", why="x: shape (2,) -> (3,)", ops=9)
    (row,) = TOPICS["traces"](Facts(trace(process([*numbers, shape], ready=4 * S)))).rows
    assert row[5] == "n: Python value 0 -> 1, and 38 more; x: shape (2,) -> (3,)"


def test_traces_inside_a_trace_are_not_counted_twice():
    outer = [span("trace", 3 * S + n * S, 3 * S + n * S + 900 * MS, "step", why="x: shape (2,) -> (3,)") for n in range(4)]
    inner = [span("trace", 3 * S + n * S + 100 * MS, 3 * S + n * S + 200 * MS, "inner", why="first trace") for n in range(4)]
    assert after_ready(*outer, *inner).startswith("4 more traces in 3.6 s")


def test_eager_steps_are_told_when_they_have_cost_something():
    def went_on(*spans, seconds=7):
        one = replace(process([span("first-execution", S, S + MS, "GradientTape.gradient", xs=4), *spans], [sample(S, USER)], ready=2 * S),
                      end=((2 + seconds) * S, "exit"))
        return line(Facts(trace(one, ended=9 * S, observe=["frameworks", "afterwards", "steps"])))

    assert went_on() == "each step runs op by op, which may be up to 5.6 s of what came after the first: take run_eagerly=True out"
    assert went_on(span("trace", S, S + MS)) == went_on(seconds=0) == ""


def test_helpers_of_the_framework_that_are_traced_again_are_no_loop_of_the_programs():
    helper = "/opt/python/lib/python3.11/site-packages/tensorflow/python/data/ops/multi_device_iterator_ops.py:126"
    again = [span("trace", 3 * S + n * 100 * MS, 3 * S + (n + 1) * 100 * MS, "_finalize_func", why="first trace", source=helper)
             for n in range(24)]
    assert after_ready(*again) == ""
    assert after_ready(*again, *traces(8, "n: Python value 3 -> 4", at=6 * S)).startswith("8 more traces in 800 ms")


def test_a_gain_that_may_be_nothing_is_not_about_so_much():
    one = process([span("import", S, 2 * S, "tensorflow"), span("first-execution", S, S + MS, "GradientTape.gradient", xs=4)],
                  RUNNING, ready=2 * S)
    said = verdict(Facts(trace(replace(one, end=(20 * S, "exit")), ended=20 * S, observe=["frameworks", "afterwards", "imports", "steps"])))
    assert said.endswith("the most to gain is after it, from eager-where-graph-pays, up to 14.4 s.")


def test_loops_of_sessions_are_told_with_the_graph():
    loop = [span("initialisation", 3 * S + n * S, 3 * S + n * S + MS, line="/a/train.py:7", nodes=100 * (n + 1)) for n in range(5)]
    assert after_ready(*loop) == (
        "after the first step 5 initialisations in a loop at train.py:7, 4.0 s; the graph grew from 100 to 500 nodes")


def test_the_graph_is_said_to_grow_as_its_finding_says():
    """A session and an initialisation in each round, which adds a node; a graph of one's own in each is none that grows."""
    def rounds(**labels):
        kinds = ("session-create", 0), ("initialisation", 1)
        return [span(kind, (3 + n) * S + more * MS, (3 + n) * S + more * MS + MS, line=f"/a/train.py:{7 + more}",
                     nodes=100 * (n + 1) + more, **{name: value(n) for name, value in labels.items()})
                for n in range(5) for kind, more in kinds]

    assert after_ready(*rounds()).endswith("; the graph grew from 101 to 501 nodes")
    one = trace(process(rounds(), [sample(S, USER)], ready=2 * S), ended=9 * S, observe=["frameworks", "afterwards"])
    found = {each.id: each for each in Facts(one)(diagnosis).findings}
    assert "101 to 501 nodes" in found["growing-graph"].evidence.words
    assert "grew" not in after_ready(*rounds(graph=lambda n: n))


def test_two_loops_one_after_the_other_are_told_each_at_its_line():
    def loop(kind, line, at, **labels):
        return [span(kind, at + n * S, at + n * S + MS, line=f"/a/train.py:{line}", **labels) for n in range(3)]

    sessions = [*loop("session-create", 7, 3 * S), *loop("initialisation", 8, 3 * S + 10 * MS, nodes=3)]
    assert after_ready(*sessions, *loop("model-compile", 11, 6 * S)) == (
        "after the first step 3 sessions, 3 initialisations in a loop at train.py:7, 2.0 s, "
        "then 3 models compiled in a loop at train.py:11, 2.0 s")


def test_rounds_of_models_have_their_memory_their_operations_and_the_usual_time():
    rounds = [one for n in range(4) for one in (
        span("model-compile", (3 + 2 * n) * S, (3 + 2 * n) * S + MS, line="/a/train.py:7", resident=10**9 + n * 5 * 10**6),
        span("trace", (3 + 2 * n) * S + 10 * MS, (4 + 2 * n) * S, "step", ops=100 + n),
        span("trace", (3 + 2 * n) * S + 20 * MS, (3 + 2 * n) * S + 30 * MS, "inner", ops=7))]
    facts = Facts(trace(process(rounds, [sample(S, USER)], ready=2 * S), ended=12 * S, observe=["frameworks", "afterwards"]))
    assert TOPICS["sessions"](facts).rows == (("model-compile", "a/train.py:7", "4", "4.0 ms", "6.0 s", "2.0 s", "107 → 110", "+15 MB"),)
    assert "growing-graph" not in {one.id for one in facts(diagnosis).findings}


def test_one_kind_of_what_a_loop_does_is_told_once():
    """A round that runs its session twice, each time after the graph has grown."""
    loop = [span("session-extend", 3 * S + n * S + at * MS, 3 * S + n * S + at * MS + MS, line=f"/a/train.py:{at}", nodes=100 * (n + 1))
            for n in range(5) for at in (7, 8)]
    assert after_ready(*loop).startswith("after the first step 5 runs of a larger graph in a loop at train.py:")


def test_the_page_of_causes_is_up_to_date():
    assert (ROOT / "docs" / "causes.md").read_text() == document(), "make it anew: python -m firststep.report.pages > docs/causes.md"


@pytest.mark.parametrize(("low", "high", "words"), [(-0.1, 0.1, "no difference shown"), (-0.1, 0.9, "not resolved"),
                                                    (-0.9, 0.1, "not resolved"), (0.1, 0.9, "0.50 s less")])
def test_no_difference_is_shown_only_where_a_small_one_would_be_seen(low, high, words):
    figures = {"before_s": 4.0, "after_s": 3.9, "less_s": [0.5, low, high], "program": "a.py", "until": "its end", "with": "an edit",
               "pairs": 4, "measured": "", "machine": ""}
    assert words in in_words(figures)


def test_a_cause_is_explained_by_its_page():
    done = firststep("explain", "double-trace")
    assert done.returncode == 0
    assert done.stdout.strip() == page(next(one for one in all_causes() if one.id == "double-trace")).strip()


def test_all_causes_are_listed():
    listed = firststep("explain").stdout
    assert all(one.id in listed for one in all_causes()) and max(map(len, listed.splitlines())) <= 80


def test_an_unknown_cause_is_refused_with_those_that_are_near():
    done = firststep("explain", "double-tracing")
    assert done.returncode == USAGE
    assert "double-trace" in done.stderr


@pytest.mark.parametrize(("typed", "meant"), [("retracing", "function-retracing"), ("Session_Churn", "session-churn"),
                                              ("session churn", "session-churn"), ("churn", "session-churn")])
def test_a_part_of_a_causes_name_is_enough_to_be_guessed(typed, meant):
    done = firststep("explain", typed)
    assert done.returncode == USAGE
    assert f"meant is perhaps {meant}" in done.stderr


def test_no_cause_at_all_is_near_to_nothing():
    done = firststep("explain", "")
    assert done.returncode == USAGE
    assert "perhaps" not in done.stderr
