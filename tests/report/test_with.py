"""`report --with`: what another profiler saw of the run, on the page, in Perfetto's format and on the terminal."""

import gzip
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from analyse.traces import process, span, trace
from profiles.made import CLOCK, DAY, ENDED, MS, PID, READY, SPAWN, export, line, message, names, xspace
from programs import FIRSTSTEP

from firststep.cli._guard import guarded
from firststep.cli._root import run
from firststep.exit_codes import CANNOT_READ
from firststep.model.profile import EVENT, Profile, Track
from firststep.model.trace import Span
from firststep.profiles import read_profile
from firststep.report import formats
from firststep.report.formats import ReportedStart, format_named
from firststep.report.html import limits
from firststep.report.html.page import page
from firststep.report.profiles import profile_table, profile_words
from firststep.report.shared import shared_with
from report.hostile import CONTROLS, MARKUP, WORDS, hostile
from report.test_html import Read

RECORDED = Path(__file__).parents[1] / "traces" / "keras_mlp.trace.gz"
LAID = "the time of day of both"


@pytest.fixture
def start():
    spans = [span("import", SPAWN + 100 * MS, SPAWN + 2000 * MS, "tensorflow"), span("fit", SPAWN + 2000 * MS, READY, "fit")]
    return trace(process(spans, pid=PID, entered=SPAWN + 20, ready=READY), spawned=(SPAWN, SPAWN + 10), ended=ENDED, clock=CLOCK)


@pytest.fixture
def recorded(tmp_path):
    """(the file of a trace, that of a profile which began 0.5 s after its spawn)"""
    header, *records = gzip.decompress(RECORDED.read_bytes()).decode("ascii").split("\n")
    kept = [one for one in records if not one.startswith(('["s', '["p', '["f', '["k'))]  # quick to write
    known = json.loads(header)
    known["clock"] = [known["spawned"][0], DAY]
    path = tmp_path / "start.trace"
    path.write_text(json.dumps(known) + "\n" + "\n".join(kept))
    end = known["ended"] - known["spawned"][0] - 502 * MS
    late = message((2, "/host:late"), (3, line("after", [(1, end, MS)])), *names(4, {1: "late"}))
    (tmp_path / "host.xplane.pb").write_bytes(xspace(planes=[late]))
    return path, tmp_path / "host.xplane.pb"


def made(*tracks, **words):
    found = [Track(name, tuple(Span(EVENT, text, at * MS + SPAWN, (at + ms) * MS + SPAWN, 0) for text, at, ms in spans))
             for name, spans in tracks]
    return Profile("TensorFlow profiler", words.pop("file", "host.xplane.pb"), LAID, tuple(found), **words)


def lanes(text, number=0):
    """{name: [(kind, name, row, milliseconds since the spawn, length)]} of a page's timeline."""
    data = json.loads(Read(text).data)
    strings, found = data["strings"], {}
    for lane in data["starts"][number]["timeline"]["lanes"]:
        at, spans = 0, []
        for kind, name, row, since, length, _ in zip(*[iter(lane["spans"])] * 6, strict=True):
            at += since
            spans.append((strings[kind], strings[name], row, at / 1000, length / 1000))
        found[strings[lane["name"]]] = spans
    return found


def test_a_page_has_a_lane_for_each_track_below_the_threads(tmp_path, start):
    profile = read_profile(export(tmp_path / "run.sqlite"), start, READY)
    text = page([start], profiles=[profile])
    drawn = lanes(text)
    assert list(drawn)[0] == f"pid {PID}, main thread"
    assert drawn["Nsight Systems: GPU 0, stream 13"] == [("GPU kernel", "sm90_gemm", 0, 1520, 1)]
    ranges = drawn[f"Nsight Systems: pid {PID}, main thread, NVTX"]
    assert [(name, row) for _, name, row, *_ in ranges] == [("step 1", 0), ("train/batch", 1)]
    assert profile_words(profile) in "".join(Read(text).text)
    assert lanes(page([start])) == {name: spans for name, spans in drawn.items() if not name.startswith("Nsight")}


def test_what_lies_after_ready_is_no_part_of_the_page(start):
    long = made(("host", [("before", 0, 10), ("after", 4500, 10)]))
    assert lanes(page([start], profiles=[long]))["TensorFlow profiler: host"] == [("profiler event", "before", 0, 0, 10)]


def test_threads_and_tracks_share_the_lanes_and_what_is_missing_is_said(start):
    threads = [span("import", SPAWN + 100 * MS, SPAWN + 200 * MS, "x", thread=100 + number) for number in range(limits.LANES)]
    many = trace(process(threads, pid=PID, entered=SPAWN + 20, ready=READY), spawned=(SPAWN, SPAWN + 10), ended=ENDED)
    profile = made(*((f"track {number}", [("x", 10, 10)]) for number in range(2 * limits.LANES)))
    text = page([many], profiles=[profile])
    drawn = lanes(text)
    assert len(drawn) == limits.LANES and sum(name.startswith("TensorFlow") for name in drawn) == limits.LANES // 2
    assert f"{2 * limits.LANES} of {3 * limits.LANES} threads" in "".join(Read(text).text)


def test_a_page_stays_small_whatever_a_profile_holds(start):
    profile = made(*((f"track {number}", [("y" * 300 + str(at), at, 1) for at in range(1500)]) for number in range(10)))
    text = page([start], profiles=[profile])
    assert len(text.encode()) <= limits.PAGE and "left out of this page" in "".join(Read(text).text).lower()


def test_perfetto_gets_each_profile_as_a_process_of_its_own(start):
    profile = made(("host", [("train", 1000, 10), ("inner", 1002, 3), ("after", 6500, 10)]), ("gpu", [("gemm", 1001, 1)]))
    events = json.loads(format_named("chrome").text([ReportedStart(start, 0, True, (profile, profile))]))["traceEvents"]
    pids = [one["pid"] for one in events if one["name"] == "process_name" and "TensorFlow profiler" in one["args"]["name"]]
    assert len(pids) == len(set(pids)) == 2
    threads = {one["tid"]: one["args"]["name"] for one in events if one["name"] == "thread_name" and one["pid"] == pids[0]}
    slices = [(threads[one["tid"]], one["name"], one["ts"], one["dur"]) for one in events if one["pid"] == pids[0] and one["ph"] == "X"]
    assert slices == [("host", "train", 1_000_000, 10_000), ("host", "inner", 1_002_000, 3000), ("host", "after", 6_500_000, 10_000),
                      ("gpu", "gemm", 1_001_000, 1000)]
    assert len({one["tid"] for one in events if one["ph"] == "X" and one["pid"] in pids}) == 2 * 2


def test_what_a_profile_says_is_redacted_with_the_traces_stand_ins(start):
    start.processes[0].header.update(cwd="/home/alice/project")
    spans = [("/home/alice/project/train.py", 10, 1), ("open /data/alice/x.h5", 12, 1), ("gs://secret-bucket/a/b", 14, 1)]
    profile = made(("pid 10, alice", spans), file="alice-run.sqlite")
    _, (told,) = shared_with(start, [profile])
    words = json.dumps([told.file, [(track.name, [one.name for one in track.spans]) for track in told.tracks]])
    assert "alice" not in words and "secret-bucket" not in words and "/program/train.py" in words and "bucket-1" in words


def test_nothing_in_a_profile_is_markup_or_moves_a_cursor():
    one = hostile()
    profile = made(*((word, [(word, 10, 10)]) for word in WORDS), file=MARKUP, notes=(MARKUP,))
    one = trace(*one.processes, spawned=(SPAWN, SPAWN + 10), ended=ENDED, clock=CLOCK)
    text, plain = page([one], profiles=[profile]), page([one])
    assert Read(text).script == Read(plain).script
    assert {tag for tag, _ in Read(text).elements} == {tag for tag, _ in Read(plain).elements}
    assert not any(control in text for control in CONTROLS)
    written = format_named("chrome").text([ReportedStart(one, 0, True, (profile,))])
    assert not any(control in written for control in CONTROLS)


def test_a_table_of_tracks_tells_how_busy_each_was():
    profile = made(("host", [("outer", 10, 10), ("inner", 12, 3), ("later", 30, 5)]), notes=("1 span left out",))
    table = profile_table(profile, SPAWN)
    assert table.rows == (("host", "3", "15 ms", "10 ms", "35 ms"),)
    assert table.notes[:2] == (f"clocks aligned: {LAID}", "1 span left out")


def test_a_trace_says_what_time_of_day_it_was(tmp_path):
    path = tmp_path / "a.trace"
    subprocess.run([*FIRSTSTEP, "record", "-o", str(path), "--", sys.executable, "-c", ""], check=True, capture_output=True)
    header = json.loads(path.read_text().split("\n", 1)[0])
    monotonic, day = header["clock"]
    assert header["spawned"][1] <= monotonic <= header["ended"]
    assert abs((day - monotonic) - (time.time_ns() - time.monotonic_ns())) < 60_000_000_000


def act(*words):
    return guarded(lambda: run(["report", *map(str, words)]))


def test_the_command_lays_a_profile_beside_a_trace(recorded, tmp_path, capsys):
    path, profile = recorded
    assert act(path, "--with", profile, "--html", tmp_path / "a.html") == 0
    drawn = lanes((tmp_path / "a.html").read_text())
    assert drawn["TensorFlow profiler: /host:CPU, python"][0][1:] == ("train 1", 0, 1500, 20)
    assert not any("late" in name for name in drawn)
    assert act(path, "--with", profile, "--format", "chrome", "-o", tmp_path / "a.json") == 0
    assert any(one["name"] == "late" for one in json.loads((tmp_path / "a.json").read_text())["traceEvents"])
    assert act(path, "--with", profile) == 0
    shown = capsys.readouterr().out
    assert "TensorFlow profiler: host.xplane.pb" in shown and LAID in shown and "/device:GPU:0, Stream #7" in shown


@pytest.mark.parametrize("name", [name for name in formats.names() if not format_named(name).profiles])
def test_formats_that_show_no_profile_refuse_one(recorded, name, capsys):
    path, profile = recorded
    with pytest.raises(Exception, match="--with goes with --html, with --format chrome or html"):
        run(["report", str(path), "--with", str(profile), "--format", name])


def test_a_profile_goes_with_one_trace_and_no_topic(recorded):
    path, profile = recorded
    for words in (["--html", "-", path], ["--imports"]):
        with pytest.raises(Exception, match="--with goes with"):
            run(["report", str(path), "--with", str(profile), *map(str, words)])


def test_a_profile_that_cannot_be_read_is_said_and_nothing_is_written(recorded, tmp_path, capsys):
    path, _ = recorded
    (tmp_path / "other.bin").write_text("nothing")
    assert act(path, "--with", tmp_path / "other.bin", "--html", tmp_path / "a.html") == CANNOT_READ
    said = capsys.readouterr().err
    assert "cannot read" in said and "next:" in said and not (tmp_path / "a.html").exists()
