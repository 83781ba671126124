"""Files of Nsight Systems and of TensorFlow's profiler on the trace's clock; what is damaged, hostile or of another run is refused."""

import dataclasses
import gzip
import json
import os
import sqlite3
from pathlib import Path

import pytest
from analyse.traces import process, span, trace

from firststep.errors import FirststepError
from firststep.model.profile import CALL, COPY, EVENT, FILL, KERNEL, RANGE
from firststep.profiles import FORMATS, gather, limits, nsight, read_profile, xplane
from firststep.profiles.clocks import Zero, lay
from firststep.report.load import load
from profiles import made
from profiles.made import CLOCK, DAY, ENDED, MS, PID, READY, SPAWN, events, export, field, line, message, names, xspace

OURS = "both are the CLOCK_MONOTONIC of the machine"
BY_DAY = "the time of day of both"


def run(*spans, clock=CLOCK, ready=READY):
    """A trace of one process from SPAWN to ENDED, ready in between."""
    header = {"clock": clock} if clock else {}
    return trace(process(spans, pid=PID, ready=ready, entered=SPAWN + 20), spawned=(SPAWN, SPAWN + 10), ended=ENDED, **header)


def seen(profile):
    """{track: [(kind, name, milliseconds since the spawn, length)]}"""
    return {track.name: [(one.kind, one.name, (one.start - SPAWN) / MS, (one.end - one.start) / MS) for one in track.spans]
            for track in profile.tracks}


def file(tmp_path, data, name="host.xplane.pb"):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def refused(path, one=None, end=READY):
    with pytest.raises(FirststepError) as error:
        read_profile(path, one or run(), end)
    assert error.value.exit_code == 65 and error.value.next_step
    return error.value


@pytest.fixture
def nsys(tmp_path):
    return export(tmp_path / "run.sqlite")


def test_an_export_of_nsight_systems_lies_on_the_timeline(nsys):
    profile = read_profile(nsys, run(), READY)
    assert profile.profiler == "Nsight Systems" and profile.file == "run.sqlite" and profile.aligned == OURS and not profile.notes
    assert seen(profile) == {
        "GPU 0, stream 7": [(FILL, "memset", 1390, 1), (COPY, "host to device", 1400, 50), (KERNEL, "sm90_gemm", 1500, 10),
                            (COPY, "device to host", 1530, 1)],
        "GPU 0, stream 13": [(KERNEL, "sm90_gemm", 1520, 1)],
        f"pid {PID}, main thread, CUDA": [(CALL, "cudaLaunchKernel", 1495, 1)],
        f"pid {PID}, main thread, NVTX": [(RANGE, "step 1", 1300, 300), (RANGE, "train/batch", 1350, 200)],
        f"pid {PID}, thread 77, CUDA": [(CALL, "cuModuleLoadData", 600, 500)]}
    copies = [one.labels for track in profile.tracks for one in track.spans if one.kind == COPY]
    assert copies == [{"bytes": 4096}, {"bytes": 8}]
    assert [track.name for track in profile.tracks][:2] == ["GPU 0, stream 7", "GPU 0, stream 13"]


def test_an_export_is_not_written_to_and_nothing_is_put_beside_it(nsys):
    before = nsys.read_bytes()
    nsys.chmod(0o400)
    read_profile(nsys, run(), READY)
    assert nsys.read_bytes() == before and os.listdir(nsys.parent) == [nsys.name]


@pytest.mark.parametrize(("clock", "session", "how"), [
    (CLOCK, {}, OURS), (None, {}, OURS),
    (CLOCK, {"clock": None}, BY_DAY),
    (CLOCK, {"clock": 77}, BY_DAY),  # of another boot, or another machine
    (CLOCK, {"day": None}, OURS),
], ids=str)
def test_the_clocks_of_an_export_are_aligned_by_what_both_know(tmp_path, clock, session, how):
    profile = read_profile(export(tmp_path / "run.sqlite", **session), run(clock=clock), READY)
    assert profile.aligned == how and seen(profile)["GPU 0, stream 13"] == [(KERNEL, "sm90_gemm", 1520, 1)]


@pytest.mark.parametrize(("clock", "session"), [(None, {"clock": None}), (CLOCK, {"clock": None, "day": None}), (None, {"clock": -1})])
def test_what_cannot_be_aligned_is_refused(tmp_path, clock, session):
    error = refused(export(tmp_path / "run.sqlite", **session), run(clock=clock))
    assert "cannot be laid on the trace's clock" in error.title


@pytest.mark.parametrize(("shift", "words"), [(60_000 * MS, "56.6 s after"), (-60_000 * MS, "58.4 s before")])
def test_a_profile_of_another_time_is_refused_with_how_far_off_it_is(tmp_path, shift, words):
    error = refused(export(tmp_path / "run.sqlite", day=DAY + 500 * MS + shift, clock=None))
    assert "nothing of this start" in error.title and words in error.reason and BY_DAY in error.reason


def test_a_profile_of_later_steps_is_for_the_format_that_shows_the_whole_run(tmp_path):
    path = export(tmp_path / "run.sqlite", clock=READY + 1000 * MS, day=None)
    error = refused(path)
    assert "1.1 s after" in error.reason and "--format chrome" in error.next_step
    assert read_profile(path, run(), ENDED).tracks


def test_what_lies_outside_is_cut_off_and_what_began_before_is_cut(tmp_path):
    path = export(tmp_path / "run.sqlite", clock=SPAWN - 920 * MS, day=None)
    found = seen(read_profile(path, run(), SPAWN + 85 * MS))
    assert found["GPU 0, stream 7"] == [(COPY, "host to device", 0, 30), (KERNEL, "sm90_gemm", 80, 5)]
    assert f"pid {PID}, thread 77, CUDA" not in found


def test_an_export_of_other_processes_is_shown_and_doubted(tmp_path):
    profile = read_profile(export(tmp_path / "run.sqlite", pid=4242), run(), READY)
    assert profile.tracks and any("none of them the trace's" in note for note in profile.notes)


def test_a_session_of_tensorflows_profiler_lies_on_the_timeline(tmp_path):
    profile = read_profile(file(tmp_path, xspace()), run(), READY)
    assert profile.profiler == "TensorFlow profiler" and profile.aligned == BY_DAY and not profile.notes
    assert seen(profile) == {"/host:CPU, python": [(EVENT, "train 1", 1500, 20), (EVENT, "EagerExecute", 1505, 5)],
                             "/device:GPU:0, Stream #7": [(EVENT, "gemm", 1500, 3)]}


def test_a_session_that_says_no_time_of_day_is_laid_by_the_call_that_started_it(tmp_path):
    started = span("profiler", SPAWN + 490 * MS, SPAWN + 500 * MS, "start")
    stopped = span("profiler", SPAWN + 2000 * MS, SPAWN + 2100 * MS, "stop")
    for path in (file(tmp_path, xspace(day=None)), file(tmp_path, events(), "host.trace.json.gz")):
        profile = read_profile(path, run(started, stopped, clock=None), READY)
        assert profile.aligned == "the call that started the profiler, within 10 ms"
        assert seen(profile)["/host:CPU, python"][0] == (EVENT, "train 1", 1500, 20)
        path.unlink()
    error = refused(file(tmp_path, events(), "host.trace.json.gz"), run(started, started))
    assert "2 times" in error.reason and ".xplane.pb" in error.next_step


@pytest.mark.parametrize("folder", ["plugins/profile/2026_11_22_10_10_10", "train/plugins/profile/2026_11_22_10_10_10"])
def test_of_a_folder_the_newest_profile_is_taken(tmp_path, folder):
    (tmp_path / folder).mkdir(parents=True)
    older = file(tmp_path / folder, xspace(day=DAY), "older.xplane.pb")
    os.utime(older, (1, 1))
    file(tmp_path / folder, xspace(), "newer.xplane.pb")
    assert read_profile(tmp_path, run(), READY).file == "newer.xplane.pb"


def test_trace_events_take_their_time_of_day_from_the_xspace_beside_them(tmp_path):
    path = file(tmp_path, events(), "host.trace.json.gz")
    refused(path)
    file(tmp_path, xspace())
    profile = read_profile(path, run(), READY)
    assert profile.aligned == BY_DAY
    assert seen(profile) == {"/host:CPU, python": [(EVENT, "train 1", 1500, 20), (EVENT, "EagerExecute", 1505, 5)]}


def test_a_damaged_xspace_beside_trace_events_is_as_none(tmp_path):
    path = file(tmp_path, events(), "host.trace.json.gz")
    file(tmp_path, xspace()[:40])
    assert "time of day" in refused(path).reason


@pytest.mark.parametrize("data", [b"", b"no profile at all", b"\x00" * 64, b"PK\x03\x04", b"SQLite format 2\0"], ids=repr)
def test_other_files_are_refused_with_what_to_name(tmp_path, data):
    assert "nsys export --type sqlite" in refused(file(tmp_path, data, "report.nsys-rep")).next_step


def test_a_folder_a_pipe_and_nothing_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "regular" in refused(tmp_path / "pipe").reason
    assert "in this folder" in refused(tmp_path).reason
    assert "No such file" in refused(tmp_path / "none").reason


def test_every_cut_of_an_xspace_is_read_or_refused(tmp_path):
    whole = xspace()
    for length in range(1, len(whole)):
        try:
            read_profile(file(tmp_path, whole[:length]), run(), READY)
        except FirststepError as error:
            assert error.reason


@pytest.mark.parametrize("data", [
    b"\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\n\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", b"\n\x02\x0b\x0c",
    field(1, 5), field(1, message((3, 7))), field(1, message((2, 3), (3, line("x", [(1, 1, 1)])), (4, 9))), b"\n\x00" * 10,
    xspace(planes=[message((3, message((4, 5))))]), xspace(planes=[message((4, message((1, b"x"), (2, b"\xff"))))]),
], ids=repr)
def test_an_xspace_that_was_made_to_hurt_is_refused_or_shown(tmp_path, data):
    try:
        read_profile(file(tmp_path, data), run(), READY)
    except FirststepError as error:
        assert error.reason and error.exit_code == 65


def test_moments_out_of_this_world_are_left_out_and_said(tmp_path):
    far = message((2, "/host:far"), (3, line("x", [(1, 1 << 62, 5), (1, 5, 1 << 62), (1, -(1 << 61), 1)], at=(1 << 62) + 5)))
    profile = read_profile(file(tmp_path, xspace(planes=[far])), run(), READY)
    assert set(seen(profile)) == {"/host:CPU, python", "/device:GPU:0, Stream #7"}
    assert profile.notes == ("3 events without a time left out",)


@pytest.mark.parametrize("value", ["1", None, True, [], {}, float("inf"), float("nan"), 10**400, -1e300], ids=repr)
def test_trace_events_with_no_time_are_left_out(tmp_path, value):
    extra = [{"ph": "X", "pid": 1, "tid": 5, "ts": value, "dur": 1, "name": "odd"},
             {"ph": "X", "pid": 1, "tid": 5, "ts": 1_000_000, "dur": value, "name": "odd"},
             {"ph": "X", "pid": value, "tid": value, "ts": 1_000_000, "dur": 1, "name": value, "args": value},
             {"ph": "M", "pid": value, "name": "process_name", "args": value}, value]
    file(tmp_path, xspace())
    profile = read_profile(file(tmp_path, events(extra), "host.trace.json.gz"), run(), READY)
    assert not any(name == "odd" for track in seen(profile).values() for _, name, _, _ in track)


@pytest.mark.parametrize("data", [
    b"{", b"{}", b'{"traceEvents": 5}', b"[" * 200_000, b'{"a":' * 100_000, gzip.compress(b"{}", mtime=0)[:-9],
    gzip.compress(b"[1]", mtime=0), b'{"traceEvents": [' + b"0," * 6_000_001 + b"0]}"], ids=lambda data: repr(data[:20]))
def test_trace_events_that_were_made_to_hurt_are_refused(tmp_path, data):
    refused(file(tmp_path, data, "host.trace.json.gz"))


def test_a_file_that_swells_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("firststep.profiles.file.BYTES", 1000)
    assert "larger" in refused(file(tmp_path, gzip.compress(b" " * 100_000), "host.trace.json.gz")).reason
    assert "larger" in refused(file(tmp_path, xspace(planes=[b"\0" * 0] * 2000))).reason


@pytest.mark.parametrize("bound", ["EVENTS", "ENTRIES"])
def test_an_xspace_of_more_than_can_be_read_is_refused(tmp_path, monkeypatch, bound):
    monkeypatch.setattr(f"firststep.profiles.xplane.{bound}", 1)
    assert "more" in refused(file(tmp_path, xspace())).reason


def test_of_too_many_spans_the_longest_stay_and_the_rest_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(gather, "SPANS", 2)
    for path in (file(tmp_path, xspace()), export(tmp_path / "run.sqlite")):
        profile = read_profile(path, run(), READY)
        kept = sorted((length for track in seen(profile).values() for *_, length in track), reverse=True)
        assert len(kept) == 2 and any("left out" in note for note in profile.notes)
    assert kept == [500, 300]


def test_of_a_table_with_too_many_rows_the_longest_are_read(nsys, monkeypatch):
    monkeypatch.setattr(nsight, "SPANS", 1)
    profile = read_profile(nsys, run(), READY)
    kept = [(FILL, "memset", 1390, 1), (COPY, "host to device", 1400, 50), (KERNEL, "sm90_gemm", 1500, 10)]
    assert seen(profile)["GPU 0, stream 7"] == kept
    assert "4 spans of 500 ms or less left out" in profile.notes


def test_of_too_many_tracks_those_with_the_most_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(gather, "TRACKS", 1)
    profile = read_profile(file(tmp_path, xspace()), run(), READY)
    assert list(seen(profile)) == ["/host:CPU, python"] and profile.notes == ("1 of 2 threads and streams left out",)


def changed(path, *statements):
    with sqlite3.connect(path) as database:
        for statement in statements:
            database.execute(statement)
    database.close()
    return path


KERNEL_TABLE = "CUPTI_ACTIVITY_KIND_KERNEL"


@pytest.mark.parametrize("statements", [
    [f"DROP TABLE {KERNEL_TABLE}", f"CREATE VIEW {KERNEL_TABLE} AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
     "SELECT x AS start, x AS \"end\", 0 AS deviceId, 0 AS streamId FROM n"],
    [f"DROP TABLE {KERNEL_TABLE}", f"CREATE TABLE {KERNEL_TABLE} (x, start AS (1000000000), \"end\" AS (start + 5))",
     f"INSERT INTO {KERNEL_TABLE} VALUES (1)"],
    [f"DROP TABLE {KERNEL_TABLE}", f"CREATE TABLE {KERNEL_TABLE} (name TEXT)"],
    [f"ALTER TABLE {KERNEL_TABLE} RENAME TO other"],
    [f"DROP TABLE {KERNEL_TABLE}", f"CREATE/**/VIRTUAL TABLE {KERNEL_TABLE} USING fts4(start, \"end\", deviceId, streamId)"],
], ids=["view", "computed", "other columns", "gone", "virtual"])
def test_a_table_that_is_none_is_left_alone(nsys, statements):
    found = seen(read_profile(changed(nsys, *statements), run(), READY))
    assert not any(kind == KERNEL for track in found.values() for kind, *_ in track) and len(found) == 4


@pytest.mark.parametrize("value", ["'x'", "x'00ff'", "1e300", "NULL", "9223372036854775807", "-9223372036854775808"])
def test_rows_of_other_types_hurt_nobody(nsys, value):
    tables = {KERNEL_TABLE: "deviceId, streamId, shortName", "CUPTI_ACTIVITY_KIND_MEMCPY": "bytes, copyKind",
              "CUPTI_ACTIVITY_KIND_RUNTIME": "globalTid, nameId", "NVTX_EVENTS": "eventType, text, globalTid"}
    for table, others in tables.items():
        columns = f'start, "end", {others}'
        changed(nsys, f"DROP TABLE {table}", f"CREATE TABLE {table} ({columns})")
        many = len(columns.split(","))
        changed(nsys, f"INSERT INTO {table} VALUES ({', '.join([value] * many)})",
                f"INSERT INTO {table} VALUES (1000000000, 1010000000, {', '.join([value] * (many - 2))})")
    changed(nsys, "DROP TABLE StringIds", "CREATE TABLE StringIds (id, value)", f"INSERT INTO StringIds VALUES ({value}, {value})")
    found = seen(read_profile(nsys, run(), READY))
    assert {one[2:] for one in found["GPU 0, stream 0"]} == {(1500, 10)} or value.lstrip("-").isdigit()


def test_long_names_are_cut_before_they_are_read(nsys):
    changed(nsys, "UPDATE StringIds SET value = replace(hex(zeroblob(1000000)), '0', 'x')",
            "UPDATE NVTX_EVENTS SET text = replace(hex(zeroblob(1000000)), '0', 'y')")
    found = seen(read_profile(nsys, run(), READY))
    assert max(len(name) for track in found.values() for _, name, *_ in track) == limits.NAME


def test_reading_that_takes_too_long_ends(nsys, monkeypatch):
    monkeypatch.setattr(nsight, "STEPS", 0)
    monkeypatch.setattr(nsight, "EVERY_MILLION", 10)
    assert "too long" in refused(nsys).reason


def test_a_damaged_database_is_refused(nsys):
    whole = nsys.read_bytes()
    for length in range(16, len(whole), 4096 + 511):
        nsys.write_bytes(whole[:length])
        try:
            read_profile(nsys, run(), READY)  # where what is missing held nothing that is wanted
        except FirststepError as error:
            assert error.reason and error.exit_code == 65
    nsys.write_bytes(whole[:5000])
    assert "damaged" in refused(nsys).reason
    nsys.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    assert "damaged" in refused(nsys).reason


def test_a_database_of_something_else_is_refused(tmp_path):
    path = tmp_path / "other.sqlite"
    changed(path, "CREATE TABLE photos (name TEXT)")
    assert "nsys export" in refused(path).next_step


def test_an_export_without_events_is_refused(tmp_path):
    path = changed(tmp_path / "run.sqlite", made.STRINGS, made.SESSION, made.KERNELS,
                   f"INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES ({DAY}, '', '', {SPAWN})")
    assert "no event" in refused(path).reason


def test_a_path_may_hold_anything(tmp_path):
    odd = tmp_path / "a?mode=rw&b #%41 'x'"
    odd.mkdir()
    assert read_profile(export(odd / "run.sqlite"), run(), READY).tracks


@pytest.mark.parametrize("module", FORMATS, ids=lambda module: module.__name__)
def test_every_kind_of_file_says_what_it_is(module):
    assert module.__doc__ and module.ENDING.startswith(".") and module.HEAD


def test_names_of_an_xspace_are_those_that_are_shown(tmp_path):
    plane = message((2, "/host:shown"), (3, message((1, 3), (2, "a"), (11, "b"), (4, message((1, 1), (2, 10**12), (3, 5000))))),
                    (4, message((1, 1), (2, message((1, 1), (2, "long"), (4, "short"))))), (4, message((1, 2))), *names(5, {}))
    assert seen(read_profile(file(tmp_path, xspace(planes=[plane])), run(), READY))["/host:shown, b"][0][:2] == (EVENT, "short")


def test_json_of_a_profile_is_what_was_made():
    assert json.loads(gzip.decompress(events()))["traceEvents"][-1] == {}


RECORDED = Path(__file__).parent / "recorded"
"""One run of small.py there, with TensorFlow 2.21: firststep record -o small.trace -- python small.py LOGDIR"""


def test_a_real_profile_is_aligned_within_the_call_that_started_it():
    start = load(RECORDED / "small.trace.gz")
    call, = (one for part in start.processes for one in part.spans if one.kind == "profiler" and one.name == "start")
    with xplane.opened(RECORDED / "host.xplane.pb") as space:
        laid = lay(start, space.zero, "it")
    assert laid.how == BY_DAY and call.start <= laid.at <= call.end


def test_a_real_profile_shows_the_first_step_where_the_trace_has_it():
    start = load(RECORDED / "small.trace.gz")
    profile = read_profile(RECORDED / "host.xplane.pb", start, start.end)
    assert not profile.notes and len(profile.tracks) == 9
    ours = max((one for part in start.processes for one in part.spans if one.kind == "first-call"), key=lambda one: one.end - one.start)
    theirs, = (one for track in profile.tracks for one in track.spans if one.name == "multi_step_on_iterator")
    assert theirs.start < ours.start < ours.end < theirs.end < ours.end + MS
    assert sum(len(track.spans) for track in profile.tracks) > 500


def test_a_real_profile_can_be_laid_by_the_call_alone():
    start = load(RECORDED / "small.trace.gz")
    call, = (one for part in start.processes for one in part.spans if one.kind == "profiler" and one.name == "start")
    laid = lay(dataclasses.replace(start, header={**start.header, "clock": None}), Zero(by_call=True), "it")
    assert laid.at == call.end and "within 0.1 ms" in laid.how
