"""What native code logs is read from the file that stderr is, and from nowhere else."""

import os
import subprocess
import sys
import time
from datetime import datetime

from causes import lines
from programs import TARGET

from firststep.analyse.facts import Facts
from firststep.diagnose import diagnosis
from firststep.launch.native_log import MOST_LINES, NativeLog
from firststep.model.read_trace import parse_trace

CLOCK = (10**12, 1_753_232_000 * 10**9)  # ten minutes on the trace's clock were that moment
NEVER = (0, 0)


def test_lines_of_both_notations_keep_their_moment(tmp_path):
    path = tmp_path / "err"
    path.write_text("of another run\n")
    with path.open("a") as file:
        log = NativeLog(file.fileno())
        print("the program's own words", file=file)
        print(lines.PTX_LATER, lines.PTX, *lines.PTXAS, "the program's secret", sep="\n", file=file, flush=True)
        found = log.lines(CLOCK)
    log.close()
    assert found[0] == (CLOCK[0] + 13_685_876_000, lines.PTX_LATER)
    day = datetime(2023, 5, 31, 14, 45, 8).timestamp()
    assert found[1] == (CLOCK[0] + int(day) * 10**9 + 138_842_000 - CLOCK[1], lines.PTX)
    assert [line for _, line in found[2:]] == list(lines.PTXAS[:2])  # nothing that may be the program's own
    assert log.lines(CLOCK) == []  # closed


def test_what_is_no_file_is_left_alone(tmp_path):
    reader, writer = os.pipe()
    for descriptor in (writer, -1, 12345):
        log = NativeLog(descriptor)
        assert log.lines(NEVER) == []
        log.close()
    os.close(reader)
    os.close(writer)


def test_a_log_made_to_hurt_is_bounded(tmp_path):
    with (tmp_path / "err").open("wb+") as file:
        log = NativeLog(file.fileno())
        file.write((lines.PTX_LATER.encode() + b"\xff" * 10_000 + b"\n") * (MOST_LINES + 10))
        file.write(b"2023-99-99 99:99:99.1: W a.cc:1] no such day\n")
        file.flush()
        found = log.lines(NEVER)
    log.close()
    assert 0 < len(found) <= MOST_LINES and max(len(line) for _, line in found) <= 500


def test_a_recorded_program_s_file_is_read(tmp_path):
    """The moment lies within the run, and the file holds what it would hold."""
    stamp = f"W0000 00:00:{{time.time():.6f}} 1 gpu_device.cc:2431] {lines.PTX_LATER.partition('] ')[2]}"
    program = tmp_path / "program.py"
    program.write_text(f"import os, time\nos.write(2, (f{stamp!r} + chr(10)).encode())\n")
    trace, err = tmp_path / "a.trace", tmp_path / "err"
    before = time.monotonic_ns()
    with err.open("w") as file:
        subprocess.run([sys.executable, "-m", "firststep.cli", "record", "-o", str(trace), "--", TARGET, str(program)],
                       stderr=file, check=True, timeout=300)
    header = parse_trace(trace.read_text()).header
    (at, line), = header["log"]
    assert header["native_log"] is True  # else the causes that these lines tell of count as not measured
    assert before < at < time.monotonic_ns() and "compute capability 12.0" in line
    assert line in err.read_text().splitlines()


def test_without_a_file_there_is_nothing(tmp_path):
    trace = tmp_path / "a.trace"
    subprocess.run([sys.executable, "-m", "firststep.cli", "record", "-o", str(trace), "--", TARGET, "-c", "pass"],
                   stderr=subprocess.PIPE, check=True, timeout=300)
    parsed = parse_trace(trace.read_text())
    assert parsed.header["log"] == []
    lacking = {one.id: one.lacks for one in Facts(parsed)(diagnosis).not_measured}
    assert set(lacking) == {"ptxas-missing-or-old", "xla-constant-folding", "autotuned-per-shape"}  # which these lines alone tell of
    assert set(lacking.values()) == {"native log: stderr is no file"}
