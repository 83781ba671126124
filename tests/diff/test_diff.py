"""What changed between starts: matched, new and vanished, more than noise or not, and refused where it is not one thing."""

import gzip
import io
import json
import random
import subprocess
from pathlib import Path

import pytest
from analyse.traces import KERAS, USER, process, sample, span, trace
from programs import FIRSTSTEP

from firststep import exit_codes
from firststep.analyse.facts import Facts
from firststep.analyse.identity import identity
from firststep.diff.as_json import as_json
from firststep.diff.as_markdown import as_markdown
from firststep.diff.as_text import print_diff
from firststep.diff.comparable import in_the_way, worth_knowing
from firststep.diff.compare import LINES, compare
from firststep.diff.start import start_of
from firststep.model.trace import Frame
from firststep.printable import code

TRACES = Path(__file__).parents[1] / "traces"
MLP, RETRACING = TRACES / "keras_mlp.trace.gz", TRACES / "retracing.trace.gz"
MS = 1_000_000
FILE = "/home/me/train.py"


def a_start(*, tracing=1000, imports=500, lines=(), names=("step",), **header):
    """A start of one import, a trace for each name, and time in lines [(number, text, ms)]; times in milliseconds."""
    at, spans, samples = 100 * MS, [], []
    spans.append(span("import", at, at + imports * MS, "tensorflow"))
    at += imports * MS
    for number, name in enumerate(names):
        spans.append(span("trace", at, at + tracing * MS, name, source=f"{FILE}:{10 + number}", ops=5, why="first trace"))
        at += tracing * MS
    for number, _, ms in lines:
        at += ms * MS
        samples.append(sample(at, Frame(FILE, "<module>", 1, number), KERAS))
    text = {FILE: {str(number): words for number, words, _ in lines}}
    return trace(process(spans, samples or [sample(at, USER)], ready=at + MS), source=text, **header)


def compared(before, after, **more):
    return compare([start_of(one) for one in before], [start_of(one) for one in after], more.get("reasons", ()), ())


def changes(diff, topic):
    found = [one for one in (*diff.topics, diff.counts) if one.name == topic]
    return {change.name: change for change in found[0].changes} if found else {}


def test_the_largest_change_comes_first_and_they_are_of_the_phases():
    diff = compared([a_start()], [a_start(tracing=1800, imports=700)])
    first, second = changes(diff, "phases").values()
    assert (first.name, first.by, second.name, second.by) == ("tracing", 800 * MS, "imports", 200 * MS)
    assert diff.total.by == 1000 * MS


def test_what_only_one_side_has_is_named():
    diff = compared([a_start(names=("step", "old"))], [a_start(names=("step", "new"))])
    states = {name.partition(" ")[0]: change.state for name, change in changes(diff, "functions").items()}
    assert states == {"old": "vanished", "new": "new"}


def test_a_line_that_an_edit_moved_is_the_same_line():
    before = a_start(lines=[(5, "model = build()", 200), (9, "model.fit(x)", 400)])
    after = a_start(lines=[(5, "model = build()", 200), (7, "extra()", 50), (12, "model.fit(x)", 700)])
    found = changes(compared([before], [after]), LINES)
    assert {name: change.state for name, change in found.items()} == {"train.py:12 model.fit(x)": "changed", "train.py:7 extra()": "new"}
    assert found["train.py:12 model.fit(x)"].by == 300 * MS


def test_lines_of_one_text_are_matched_in_their_order():
    lines = [(3, "step()", 100), (4, "step()", 200), (5, "step()", 300)]
    moved = [(13, "step()", 100), (14, "step()", 200), (15, "step()", 900)]
    found = changes(compared([a_start(lines=lines)], [a_start(lines=moved)]), LINES)
    assert {name: change.by for name, change in found.items()} == {"train.py:15 step()": 600 * MS}


def test_a_trace_made_to_hurt_is_compared_in_bounds():
    lines = [(number, "x()", 1) for number in range(1, 20_000)]
    diff = compared([a_start(lines=lines)], [a_start(lines=lines)])
    assert diff.total.by == 0 and changes(diff, LINES) == {}


def test_lines_without_text_are_matched_by_number():
    before, after = ([(5, "", 200), (6, "", 300)], [(6, "", 500), (7, "", 100)])
    found = changes(compared([a_start(lines=before)], [a_start(lines=after)]), LINES)
    states = {name: change.state for name, change in found.items()}
    assert states == {"train.py:5": "vanished", "train.py:6": "changed", "train.py:7": "new"}


def test_the_second_trace_is_compared_with_the_second():
    def twice(second):
        spans = [span("trace", 100 * MS, 400 * MS, "step", source=f"{FILE}:3"),
                 span("trace", 500 * MS, (500 + second) * MS, "step", source=f"{FILE}:3")]
        return trace(process(spans, [sample(2000 * MS, USER)], ready=2000 * MS))

    found = changes(compared([twice(100)], [twice(600)]), "traces")
    assert {name: change.by for name, change in found.items()} == {"trace 2 of step (train.py)": 500 * MS}


def test_two_functions_of_one_name_and_file_are_told_apart():
    before, after = a_start(names=("call", "call")), a_start(names=("call", "call"), tracing=1500)
    assert len(changes(compared([before], [after]), "functions")) == 2


def test_cells_of_a_notebook_are_called_by_their_number():
    def notebook(file, ms):
        cell = Frame(file, "<module>", 1, 2)
        samples = [sample(200 * MS, cell), sample((200 + ms) * MS, cell)]
        return trace(process([], samples, ready=2000 * MS, cells={file: (3, ("x = 1", "model.fit(x)"))}))

    before, after = notebook("/tmp/ipykernel_1/11.py", 200), notebook("/tmp/ipykernel_2/22.py", 900)
    assert set(changes(compared([before], [after]), LINES)) == {"cell 3:2 model.fit(x)"}


def noisy(count, seed, tracing=1000):
    choose = random.Random(seed)
    return [a_start(tracing=round(tracing * choose.uniform(0.97, 1.03)), imports=round(500 * choose.uniform(0.97, 1.03)))
            for _ in range(count)]


def test_sets_tell_what_is_more_than_noise():
    diff = compared(noisy(5, 1), noisy(5, 2, tracing=1300))
    assert diff.total.certain and diff.total.noise > 0
    assert changes(diff, "phases")["tracing"].certain
    same = compared(noisy(5, 3), noisy(5, 4))
    assert same.total.certain is False
    assert not any(change.certain for topic in same.topics for change in topic.changes)


def test_the_noise_of_two_single_traces_is_not_known():
    diff = compared([a_start()], [a_start(tracing=1500)])
    assert diff.total.noise is None and diff.total.certain is None
    assert "the noise is not known" in " ".join(text(diff).split())


def test_equal_starts_are_the_same_and_long_lines_are_indented():
    said = text(compared([a_start()], [a_start()])).splitlines()
    assert said[1].endswith(": the same") and "faster" not in said[1]
    assert all(line.startswith("  ") for line in said[1:4]) and max(map(len, said)) <= 100


def test_what_a_side_never_had_does_not_say_how_it_scatters():
    diff = compared([a_start()] * 5, [a_start(names=("step", "new"))] * 2)
    assert next(change for name, change in changes(diff, "functions").items() if name.startswith("new")).certain is None


def identities(*traces):
    return [start_of(one).identity for one in traces]


@pytest.mark.parametrize(("header", "part", "words"), [
    ({}, {"argv": ["python", "other.py"]}, "programs"),
    ({}, {"argv": ["python", "-m", "train"]}, "programs"),
    ({}, {"python": "3.12.1 (main)"}, "Python"),
    ({"host": {"machine": "aarch64"}}, {}, "architectures"),
    ({"host": {"machine": "x86_64", "cpu": "Other", "cpus": 64}}, {}, "machines"),
    ({"until": ["exit", None]}, {}, "wait for"),
    ({"observe": ["imports"]}, {}, "watched before only"),
])
def test_other_things_are_not_one_thing_measured_twice(header, part, words):
    base = {"host": {"machine": "x86_64", "cpu": "One", "cpus": 2}, "until": ["first-step", None]}
    one, other = a_start(**base), a_start(**{**base, **header})
    other.processes[0].header.update(part)
    assert any(words in reason for reason in in_the_way(identities(one), identities(other)))
    assert in_the_way(identities(one), identities(one)) == []


def test_programs_that_are_not_pythons_are_told_by_their_commands():
    told = [identity(Facts(trace(command=command))) for command in (["/bin/true"], ["/bin/ls", "/tmp"], ["python", "-u"])]
    assert [(one.program, one.arguments) for one in told] == [("/bin/true", ()), ("/bin/ls", ("/tmp",)), ("interactive", ("-u",))]


def test_other_frameworks_and_readiness_stand_in_the_way_and_arguments_do_not():
    def with_version(version, *words):
        made = process([], [sample(50, USER)], ready=900, packages={"tensorflow": version, "h5py": version})
        made.header["argv"] = ["python", "train.py", *words]
        return trace(made)

    assert any("frameworks" in reason for reason in in_the_way(identities(with_version("2.20.0")), identities(with_version("2.21.0"))))
    same = identities(with_version("2.21.0")), identities(with_version("2.21.0", "--small"))
    assert in_the_way(*same) == [] and worth_knowing(*same) == ["other arguments: none; --small"]
    never = trace(process([], [sample(50, USER)], end=(900, "exit")))
    assert any("ready" in reason for reason in in_the_way(identities(a_start()), identities(never)))


def test_a_side_of_several_programs_is_none():
    other = a_start()
    other.processes[0].header["argv"] = ["python", "other.py"]
    assert any("several programs" in reason for reason in in_the_way(identities(a_start(), other), identities(a_start())))


def test_the_same_script_in_another_checkout_is_the_same_program():
    there = a_start()
    there.processes[0].header.update(cwd="/elsewhere", argv=["python", "/checkouts/base/train.py"])
    assert in_the_way(identities(a_start()), identities(there)) == []


def text(diff, everything=False):
    file = io.StringIO()
    print_diff(diff, everything, file)
    return file.getvalue()


HOSTILE = "\x1b[31m<script>alert(1)</script>|`@me` [bold]x\n## heading\u202e"


def test_names_are_anybodys():
    diff = compared([a_start()], [a_start(names=("step", HOSTILE), lines=[(5, HOSTILE, 300)])], reasons=[f"other programs: {HOSTILE}; x"])
    shown, markdown = text(diff, True), as_markdown(diff, True)
    assert "\x1b" not in shown + markdown and "\u202e" not in shown + markdown
    assert not any(line.startswith("## heading") for line in (shown + markdown).splitlines())
    assert "[bold]x" in shown
    for line in markdown.splitlines():
        if "<script>" in line:
            before = line.partition("<script>")[0]
            assert before.endswith("``" + before.rpartition("``")[2]) and before.count("``") % 2 == 1  # inside a code span


@pytest.mark.parametrize(("given", "made"), [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("", "`  `"), ("``a`", "``` ``a` ```")])
def test_code_in_markdown_cannot_be_ended(given, made):
    assert code(given) == made


def test_a_cell_of_a_table_cannot_be_ended():
    assert code("a|b", cell=True) == "`a\\|b`"


def test_json_has_every_change():
    document = json.loads(as_json(compared(noisy(3, 1), noisy(3, 2, tracing=1500))))
    assert (document["magic"], document["schema"], document["traces"]) == ("firststep-diff", 1, {"before": 3, "after": 3})
    tracing = next(one for one in document["topics"]["phases"] if one["name"] == "tracing")
    assert tracing["certain"] is True and tracing["by"] == tracing["after"] - tracing["before"]


def diff(*words, **options):
    return subprocess.run([*FIRSTSTEP, "diff", *map(str, words)], capture_output=True, text=True, **options)


def test_two_recorded_traces_are_refused_and_compared_when_told(tmp_path):
    refused = diff(MLP, RETRACING)
    assert refused.returncode == exit_codes.INCOMPARABLE
    assert "other programs: zoo/keras_mlp.py; zoo/retracing.py" in refused.stderr and "--anyway" in refused.stderr
    told = diff("--anyway", "--json", tmp_path / "a.json", "--markdown", "-", MLP, RETRACING)
    assert told.returncode == 0 and told.stdout.startswith("### firststep diff: ")
    assert json.loads((tmp_path / "a.json").read_text())["in_the_way"]


def test_folders_and_sets_on_either_side(tmp_path):
    for side, factor in (("before", 1), ("after", 2)):
        (tmp_path / side).mkdir()
        for number in range(3):
            (tmp_path / side / f"{factor}{number}.trace").write_bytes(gzip.decompress(MLP.read_bytes()))
        (tmp_path / side / "notes.txt").write_text("no trace")
    by_folder = diff(tmp_path / "before", tmp_path / "after")
    assert by_folder.returncode == 0 and "no difference shown" in by_folder.stdout
    by_files = diff(*sorted((tmp_path / "before").glob("*.trace")), "--", *sorted((tmp_path / "after").glob("*.trace")))
    assert by_files.stdout == by_folder.stdout


@pytest.mark.parametrize(("words", "says"), [
    ([], "two sides"), ([MLP], "two sides"), ([MLP, MLP, MLP], "two sides"), ([MLP, "--"], "two sides"),
    (["--", MLP], "two sides"), ([MLP, "--", MLP, "--json"], "--json goes before it"),
])
def test_a_command_line_without_two_sides_is_wrong(words, says):
    done = diff(*words)
    assert done.returncode == exit_codes.USAGE and says in done.stderr


def test_what_is_no_trace_is_said(tmp_path):
    damaged = tmp_path / "damaged.trace"
    damaged.write_bytes(gzip.decompress(MLP.read_bytes())[:5000].replace(b"schema", b"schemo"))
    (tmp_path / "empty").mkdir()
    for path, words in ((damaged, "cannot read"), (tmp_path / "nothing", "no such file"), (tmp_path / "empty", "there is no trace")):
        done = diff(MLP, path)
        assert done.returncode == exit_codes.CANNOT_READ and words in done.stderr and "Traceback" not in done.stderr
