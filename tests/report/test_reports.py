"""The report as people and programs see it."""

import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from analyse.traces import KERAS, USER, process, sample, span, trace
from rich.cells import cell_len

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.errors import FirststepError
from firststep.exit_codes import CANNOT_READ
from firststep.model import limits
from firststep.model.facts import SourceLine
from firststep.model.findings import Evidence, Finding, Gain
from firststep.model.read_trace import NotATrace, parse_trace
from firststep.model.trace import Frame, Mark, StepEnd
from firststep.model.words import duration, file_name, plain_name, size
from firststep.printable import STAND_IN
from firststep.report import redact
from firststep.report.as_json import FACTS, document
from firststep.report.compose import compose, gain_words, reached, shown_of
from firststep.report.load import load
from firststep.report.places import short_place
from firststep.report.tables import lines
from firststep.report.terminal import _clauses, _fitted, draw_table, print_report
from firststep.report.wording import TimeScale, add_up

HERE = Path(__file__).parent
RECORDED = sorted((HERE.parent / "traces").glob("*.trace.gz"))
DOCUMENTED = (HERE.parents[1] / "docs" / "report-json.md").read_text()
SECOND = 1_000_000_000


def printed(one):
    file = io.StringIO()
    print_report(one, file)
    return file.getvalue()


def recorded(path):
    return parse_trace(gzip.decompress(path.read_bytes()).decode("ascii"))


def slow_start(**header):
    """A start of five seconds."""
    spans = [span("trace", SECOND, 3 * SECOND, "step", why="first trace", ops=4),
             span("native", 3 * SECOND, int(3.2 * SECOND), "/lib/big.so")]
    samples = [sample(SECOND, USER, KERAS), sample(5 * SECOND, USER)]
    return trace(process(spans, samples, ready=5 * SECOND), **header)


def test_the_screen_names_the_phases_the_lines_and_our_own_cost():
    text = printed(slow_start())
    assert "5.00 s from start to the end of its first training step" in text
    assert re.search(r"tracing +2\.00 s", text)
    assert re.search(r"unaccounted +0\.00 s", text)
    assert "train.py:7" in text
    assert "firststep itself: " in text


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_the_screen_is_eighty_columns_wide_and_its_rows_add_up(path):
    text = printed(recorded(path))
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) <= 50
    whole = re.search(r"firststep +([\d.]+) (?:s|ms) from start", text)[1]
    rows = re.findall(r"^  [a-z&]+(?: [a-z&]+)* +([\d.]+) (?:s|ms) +\d+%", text, re.M)
    assert len(rows) > 2
    assert round(sum(map(float, rows)), 2) == float(whole)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_a_sentence_breaks_at_no_hyphen_and_before_no_unit(path):
    lines = printed(recorded(path)).splitlines()
    assert not [line for line in lines if re.search(r"\w-$", line)]
    assert not [(one, after) for one, after in zip(lines, lines[1:]) if re.search(r"\d$", one) and re.match(r" +(?:s|ms|MB|kB)\b", after)]


def test_what_does_not_fit_ends_at_a_comma_and_not_within_a_number():
    words = "step twice, 4.6 s the first time, 863 ms of it values"
    assert _fitted([words], 40) == "step twice, 4.6 s the first time"
    assert _fitted([words], 32) == "step twice, 4.6 s the first time"
    assert _fitted([words], 20) == "step twice"
    assert _fitted(["a, of a name that is long"], 15) == "a, of a name t…"


def test_a_value_is_not_cut_at_its_own_comma():
    words = "step 29 traces in 5.9 s, after the first step; x: shape (1, 64) -> (2, 64)"
    assert _clauses(words) == ["step 29 traces in 5.9 s", "after the first step", "x: shape (1, 64) -> (2, 64)"]
    assert _fitted(_clauses(words), 65) == "step 29 traces in 5.9 s, after the first step"
    assert _clauses("n: Python value 'a, b' -> 'c; d', keras's, 2 more") == ["n: Python value 'a, b' -> 'c; d'", "keras's", "2 more"]
    assert _clauses("f([1, (2, 3)], {4: 5, 6: 7}), g") == ["f([1, (2, 3)], {4: 5, 6: 7})", "g"]
    assert _fitted(["x: shape (1000000, 64) -> (2, 64)"], 20) == "x: shape (1000000, …"


def test_of_evidence_that_does_not_fit_as_much_is_shown_as_fits():
    """Of the function with most traces the name, where its operations have no room beside the line."""
    name = "distributed_train_step"
    step = span("trace", SECOND, 3 * SECOND, name, why="first trace", ops=2388, replicas=2, source="/home/me/custom_training.py:36")
    one = trace(process([step], [sample(SECOND, USER, KERAS), sample(5 * SECOND, USER)], ready=5 * SECOND))
    assert f"   1 trace in 2.0 s, most in {name} (custom_training.py:36)\n" in printed(one)


def test_without_a_terminal_there_is_no_colour_and_no_blank_at_a_lines_end():
    text = printed(slow_start())
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_a_terminal_that_cannot_show_blocks_gets_plain_bars():
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    print_report(slow_start(), file)
    file.flush()
    assert "###" in file.buffer.getvalue().decode()


def test_what_is_not_known_is_said():
    text = printed(trace(process(samples=[sample(50, USER)], end=(50, "exit")), ended=100, exit_code=3))
    assert "its end (exit code 3); it neither trained nor predicted" in " ".join(text.split())


def test_the_error_that_ended_it_is_said():
    text = printed(trace(process(uncaught="KeyError", end=(50, "exit")), ended=100, exit_code=1))
    assert "its end (exit code 1, KeyError); it neither trained nor predicted" in " ".join(text.split())
    assert "KeyError" not in printed(trace(process(ready=5 * SECOND, uncaught="KeyError")))


def test_what_may_have_been_overlooked_is_one_line_however_many_processes_say_it():
    told = (Mark(2 * SECOND, "untried", {"reason": "Keras 9.1 is not known"}),)
    parts = [process(pid=pid, ready=5 * SECOND, marks=told, missing=(("keras", "A.f"), ("keras", "B.g"))) for pid in (10, 11)]
    text = " ".join(printed(trace(*parts)).split())
    seen = "Keras 9.1 is not known; what it does in other places was not seen; not watched, for it is not there: keras.A.f and 1 more"
    assert text.count(seen) == text.count("Keras 9.1") == 1
    lacking = printed(trace(process(ready=5 * SECOND, missing=(("keras", "A.f"),))))
    assert "\n  not watched, for it is not there: keras.A.f\n" in lacking
    assert "named by your program" not in text and "not watched" not in printed(slow_start())


def test_a_program_that_never_trains_is_called_what_it_is():
    ended = trace(process(samples=[sample(50, USER)], end=(50, "exit")), ended=100, exit_code=0, until=["first-step", None])
    assert "its end; it neither trained nor predicted" in printed(ended)


def test_a_step_that_was_asked_for_is_named():
    assert "the end of its training step 20" in printed(slow_start(until=["step", 20]))


def test_a_larger_first_step_after_ready_is_named():
    spans = [span("trace", SECOND, 2 * SECOND, "toy", why="first trace", ops=4),
             span("trace", 6 * SECOND, 20 * SECOND, "__inference_xception_7", why="first trace", ops=9000, gradients=True)]
    observe = ("frameworks", "afterwards", "samples")
    text = printed(trace(process(spans, [sample(5 * SECOND, USER)], ready=5 * SECOND), ended=30 * SECOND, observe=observe))
    assert "but a larger first step came after it" in " ".join(text.split())
    small = printed(trace(process(spans[:1], [sample(5 * SECOND, USER)], ready=5 * SECOND), ended=30 * SECOND, observe=observe))
    assert "a larger first step" not in " ".join(small.split())


def test_the_verdict_names_no_saving_that_is_none():
    """What costs nothing, as an older Python, is no saving beside the program's own time."""
    old = process(samples=[sample(at * SECOND // 10, USER, ran=at * SECOND // 10) for at in range(1, 51)], end=(5 * SECOND, "exit"))
    old.header["python"] = "3.10.13 (main)"
    text = " ".join(printed(trace(old, ended=5 * SECOND)).split())
    assert "known-slow-version" in text and "Your code took" in text
    assert "may save ." not in text and "besides" not in text


def test_one_cpu_is_one():
    assert "Python 3.11.7, 1 CPU, x86_64" in printed(slow_start(host={"machine": "x86_64", "usable_cpus": 1}))
    assert "0.5 CPUs" in printed(slow_start(host={"machine": "x86_64", "usable_cpus": 8, "cpu_quota": 0.5}))


def test_letters_that_take_two_columns_leave_the_line_number_on_the_screen():
    file = Frame("/home/me/訓練用の長い名前のプログラム.py", "<module>", 1, 7)
    step = span("trace", SECOND, 3 * SECOND, "訓練の一歩を計算する関数" * 2, why="first trace", ops=4, source=f"{file.file}:36")
    one = trace(process([step], [sample(SECOND, file, KERAS), sample(5 * SECOND, file)], ready=5 * SECOND))
    text = printed(one)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert "プログラム.py:36)\n" in text


def test_a_row_of_many_functions_is_their_sum():
    spans = [span("graph-optimise", SECOND + n * 100_000_000, SECOND + (n + 1) * 100_000_000, f"__inference_init_{n}") for n in range(30)]
    text = printed(trace(process(spans, [sample(5 * SECOND, USER)], ready=5 * SECOND)))
    assert "init 3.0 s in 30" in text


def test_weights_that_the_program_sets_itself_are_told_by_their_size():
    spans = [span("weights-set", SECOND, 3 * SECOND, bytes=3_000_000), span("weights-set", SECOND, 2 * SECOND, bytes=3_000_000),
             span("weights-set", 3 * SECOND, 4 * SECOND, bytes=1_000_000)]
    text = printed(trace(process(spans, [sample(5 * SECOND, USER)], ready=5 * SECOND)))
    assert re.search(r"weights +3\.00 s .*4\.0 MB set", text)


def test_eager_layers_have_their_name_in_the_row_of_the_first_execution():
    spans = [span("first-execution", SECOND, 3 * SECOND, "encoder"), span("first-execution", 3 * SECOND, 4 * SECOND, "adam")]
    text = printed(trace(process(spans, [sample(5 * SECOND, USER)], ready=5 * SECOND)))
    assert re.search(r"first execution +3\.00 s .* encoder 2\.0 s", text)


def test_a_folder_that_is_a_versions_number_is_named_with_the_one_around_it():
    named = [file_name(path) for path in ("/srv/export/1", "/srv/export/12/", "/srv/m.keras", "1")]
    assert named == ["export/1", "export/12", "m.keras", "1"]


def test_what_nobody_saw_says_that_no_cpu_was_free():
    """Its samples lie within the spans before and after it: the sampler had no CPU either."""
    spans = [span("variable", SECOND // 2, 2 * SECOND), span("data-iterator", 4 * SECOND, 5 * SECOND)]
    samples = [sample(SECOND, USER), sample(int(4.5 * SECOND), USER, ran=SECOND, waited=int(2.5 * SECOND))]
    text = printed(trace(process(spans, samples, ready=5 * SECOND)))
    assert re.search(r"unaccounted +2\.00 s .* 1\.4 s of it no CPU was free", text)


def test_a_library_is_never_said_to_take_more_than_its_row():
    spans = [span("native", SECOND, 3 * SECOND, "/lib/big.so"), span("gc", int(1.2 * SECOND), int(2.9 * SECOND), "generation 2")]
    text = printed(trace(process(spans, [sample(5 * SECOND, USER)], ready=5 * SECOND)))
    assert re.search(r"native libraries +0\.30 s .*big\.so 300 ms", text)


def test_no_watched_process_is_no_error():
    assert "no Python process was watched" in printed(trace(ended=3 * SECOND))


def test_markup_in_a_programs_own_words_is_only_text():
    assert "[bold]x[/nonsense]" in printed(slow_start(command=["python", "[bold]x[/nonsense]"]))


@pytest.mark.parametrize("hostile", ["\x1b[2J\x1b[8m", "\u202e", "\x9b8m", "\r"])
def test_a_programs_own_words_move_no_cursor(hostile):
    file = f"/x/{hostile}.py"
    samples = [sample(5 * SECOND, Frame(file, "f", 1, 3))]
    one = trace(process([span("native", SECOND, 3 * SECOND, f"/lib/{hostile}.so")], samples, ready=5 * SECOND),
                command=["python", hostile], source={file: {"3": hostile}}, lost=hostile)
    drawn = io.StringIO()
    draw_table(lines(Facts(one)), drawn)
    for text in (printed(one), drawn.getvalue()):
        assert hostile not in text and STAND_IN in text


def test_a_name_with_a_line_end_begins_no_line_of_its_own():
    text = printed(slow_start(command=["python", "x\nfirststep: all is well"], lost="x\nfirststep: all is well"))
    assert not any(line.lstrip().startswith("firststep: all") for line in text.splitlines())


def test_a_long_place_keeps_its_line_number():
    where = short_place(SourceLine("/home/me/deep/" + "x" * 40 + ".py", 77), slow_start())
    assert (len(where), where[0], where[-6:]) == (32, "…", ".py:77")
    assert short_place(SourceLine("/home/me/train.py", 7), slow_start()) == "train.py:7"


def test_rounded_parts_still_add_up():
    scale = TimeScale(10 * SECOND)
    parts = dict.fromkeys("abc", SECOND // 3 * 10 // 10 + 3)
    assert sum(add_up(parts, scale).values()) == scale.steps(sum(parts.values()))


@pytest.mark.parametrize(("ns", "text"), [(400_000, "0.4 ms"), (12_300_000, "12 ms"), (1_640_000_000, "1.6 s"),
                                          (125 * SECOND, "2 min 5 s")])
def test_durations_read_as_people_say_them(ns, text):
    assert duration(ns) == text


@pytest.mark.parametrize(("number", "text"), [(1, "1 byte"), (900, "900 bytes"), (1500, "1.5 kB"), (98_000_000, "98 MB")])
def test_sizes_read_as_people_say_them(number, text):
    assert size(number) == text


def test_a_graph_functions_name_is_what_the_user_called_it():
    assert plain_name("__inference_train_step_42") == "train_step"


def test_the_json_adds_up_and_keeps_its_numbers():
    found = document(slow_start())
    assert (found["magic"], found["schema"]) == ("firststep-report", 1)
    assert sum(row["ns"] for row in found["phases"]) == found["ttfs_ns"] == 5 * SECOND
    assert [row["phase"] for row in found["phases"]] == list(phases.PHASES)
    assert json.loads(json.dumps(found)) == found


def test_every_field_and_phase_is_documented():
    for name in [*document(slow_start()), *FACTS]:
        assert f"`{name}`" in DOCUMENTED, name
    explained = (HERE.parents[1] / "docs" / "phases.md").read_text()
    assert re.findall(r"^\| ([a-z ]+) \|", explained, re.M)[1:] == list(phases.PHASES)


def written(tmp_path, data):
    path = tmp_path / "a.trace"
    path.write_bytes(data)
    return path


HEADER = b'{"magic": "firststep-trace", "schema": 1, "spawned": [0, 10], "ended": 50, "pid": 10}\n'


@pytest.mark.parametrize(("data", "words"), [
    (b"", "does not begin"), (b"\x89PNG\r\n", "not text"), (b'{"a": 1}\n', "does not begin"),
    (HEADER.replace(b'"schema": 1', b'"schema": 7'), "schema 7"), (HEADER + b'nonsense\n["m"]\n', "damaged"),
    (HEADER + b'["m", 1, "x", {}]\n', "outside any process"), (b"\x1f\x8b\x08\x00", "gzip"),
])
def test_what_is_no_trace_is_refused_with_the_next_thing_to_type(tmp_path, data, words):
    with pytest.raises(FirststepError) as error:
        load(written(tmp_path, data))
    assert words in error.value.reason
    assert error.value.next_step
    assert error.value.exit_code == CANNOT_READ


def counted(*counter):
    text = gzip.decompress(RECORDED[0].read_bytes()).decode("ascii")
    return parse_trace(text + json.dumps(["c", *counter]) + "\n")


@pytest.mark.parametrize("counter", [("machine", {"quota": None, "peak_rss": 5}), ("later-call f", [1, 2]), ("afterwards trace", [1, 2]),
                                     ("x", 3)],
                         ids=str)
def test_a_counter_is_what_its_name_stands_for(counter):
    assert counted(*counter).processes


@pytest.mark.parametrize("counter", [("machine", 3), ("machine", {"quota": "x"}), ("later-call f", 3), ("afterwards trace", [1]),
                                     ("x", [1, 2]), ("x", {"y": 1}), ("x", None), ("afterwards trace", ["x", "y"])], ids=str)
def test_any_other_counter_is_refused(counter):
    with pytest.raises(NotATrace):
        counted(*counter)


@pytest.mark.parametrize("key", sorted({*redact.HEADER, *limits.HEADER}))
def test_whatever_a_header_holds_is_of_the_kind_that_its_name_stands_for(key):
    """Else who reads it would be wrong, not the file."""
    head, rest = gzip.decompress(RECORDED[0].read_bytes()).decode("ascii").split("\n", 1)
    other = [{}] if key == "host" else {"a": [{}]}
    with pytest.raises(NotATrace):
        parse_trace(json.dumps({**json.loads(head), key: other}) + "\n" + rest)


def test_a_stack_deeper_than_any_is_refused():
    """Of samples that name it again and again there may be many."""
    text = gzip.decompress(RECORDED[0].read_bytes()).decode("ascii")
    assert parse_trace(text + json.dumps(["k", 10**6, [1] * 250]) + "\n").processes
    with pytest.raises(NotATrace):
        parse_trace(text + json.dumps(["k", 10**6, [1] * 20_000]) + "\n")


def test_a_trace_that_was_cut_short_is_still_shown(tmp_path):
    assert "firststep" in printed(load(written(tmp_path, HEADER + b'{"magic": "firststep-tr')))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FirststepError, match="cannot read"):
        load(tmp_path / "none")


def report(*words, **options):
    return subprocess.run([sys.executable, "-m", "firststep.cli", "report", *map(str, words)], capture_output=True,
                          text=True, **options)


@pytest.mark.parametrize("path", RECORDED[:1], ids=lambda path: path.name)
def test_the_verb_shows_a_saved_trace_as_text_and_as_json(path):
    assert "unaccounted" in report(path).stdout
    assert json.loads(report(path, "--json").stdout)["magic"] == "firststep-report"


def test_the_verb_without_a_kept_trace_says_how_to_make_one(tmp_path):
    done = report(env={"PATH": "", "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)})
    assert done.returncode == CANNOT_READ
    assert "firststep record" in done.stderr


@pytest.mark.parametrize(("low", "high", "words"), [(0, 0, ""), (0, 400_000, ""), (0, 600_000, "up to 1 ms"), (40e6, 80e6, "40 to 80 ms"),
                                                    (80e6, 80e6, "80 ms"), (1e6, 80e6, "up to 80 ms"), (600e6, 1.2e9, "0.6 to 1.2 s")])
def test_a_gain_in_words_is_none_where_nobody_would_see_it(low, high, words):
    assert gain_words(Gain(int(low), int(high))) == words


@pytest.mark.parametrize(("until", "code", "words"), [
    (["exit", None], 0, "its exit"), (["exit", None], 3, "its exit (exit code 3)"), (["exit", None], None, "its exit"),
    (["exit", None], 255, "its exit (exit code 255)"), (["exit", None], 134, "its exit (exit code 134, as of SIGABRT)"),
    (["first-step", None], 0, "its end; it neither trained nor predicted"),
    (["first-step", None], 1, "its end (exit code 1); it neither trained nor predicted"),
    (["mark", "loaded"], 0, "its end; it never came to the mark 'loaded'"),
    (["port", 8501], 2, "its end (exit code 2); it never answered on port 8501"),
    (["http", "http://localhost:1/a"], 0, "its end; it never answered from http://localhost:1/a"),
    (["line", "ready"], 0, "its end; it never wrote the line 'ready' to standard output"),
    (["predict", None], 0, "its end; it predicted nothing"),
    (["step", 50], 0, "its end; it made no training step"),
])
def test_a_start_that_ends_is_named_for_what_was_waited_for(until, code, words):
    assert reached(trace(process(end=(900, "exit")), until=until, exit_code=code)) == words


def test_a_program_that_trained_and_ended_before_the_step_that_was_asked_for():
    told = process(end=(900, "exit"), counters={"training_steps": 8})
    assert reached(trace(told, until=["step", 50], exit_code=0)) == "its end; it made 8 training steps of 50"
    killed = process(end=(900, "exit"), steps=(StepEnd(500, "train", 1, "step"),))
    assert reached(trace(until=["step", 50], lost="No space left on device")) == "its end; what it did is not known"
    words = "its end (exit code 137, as of SIGKILL); it made at least 1 training step of 50"
    assert reached(trace(killed, until=["step", 50], exit_code=137)) == words


def test_what_costs_no_time_keeps_its_place_among_the_findings():
    def finding(number, ns):
        return Finding(f"cause-{number}", "devices", "", "low", "high", Gain(0, ns), Evidence(""), "", (), False, ())

    slow = [finding(number, 10_000_000 * (20 - number)) for number in range(10)]
    free = [finding(number, 0) for number in range(10, 14)]
    assert shown_of([*slow, *free]) == [*slow[:5], *free[:2]]
    assert shown_of(slow) == slow[:7]
    assert shown_of([*slow[:3], *free[:1]]) == [*slow[:3], *free[:1]]
    assert shown_of([]) == []


@pytest.mark.parametrize("columns", [24, 60])
def test_a_narrow_terminal_is_told_every_word_of_a_finding(columns, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    file, started = Terminal(), slow_start()
    print_report(started, file)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", file.getvalue()).splitlines()
    assert max(map(cell_len, lines)) <= columns
    said = "".join("".join(lines).split())
    for one in compose(Facts(started)).findings:
        assert all("".join(words.split()) in said for words in (one.id, one.what, one.gain, one.evidence, one.place, one.do))
