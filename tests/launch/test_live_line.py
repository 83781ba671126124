"""The line on the terminal: there while nothing is written, gone when something is, and never among what the program writes."""

import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import termios

import pytest
from programs import FIRSTSTEP
from terminals import COLUMNS, ROWS, SHOWN, Terminal, pyte

from firststep.launch import live_line, stall
from firststep.launch.under_way import UnderWay

OURS = re.compile(rb"(?:\x1b7\x1b\[r\x1b8)?(?:\x1bD\x1b\[A)?\x1b7.*?\x1b8", re.DOTALL)
ASKS = "import os, sys\nprint(os.getpid(), flush=True)\n"


def record(folder, program, *options, **environment):
    (folder / "prog.py").write_text(program)
    return Terminal([*FIRSTSTEP, *options, "record", "-o", "a.trace", "--", sys.executable, "prog.py"], folder, **environment)


def on_a_screen(written):
    """The lines that are not empty."""
    screen = pyte.Screen(COLUMNS, ROWS)
    pyte.ByteStream(screen).feed(written)
    return [line.rstrip() for line in screen.display if line.strip()]


@pytest.mark.parametrize("lines", [0, 3, ROWS - 2, ROWS - 1, 50])
@pytest.mark.parametrize("part", ["", "no end yet "])
def test_what_the_program_writes_stands_as_if_there_were_no_line(tmp_path, lines, part):
    said = "".join(f"line {number}\n" for number in range(lines)) + part
    terminal = record(tmp_path, ASKS + f"print({said!r}, end='', flush=True)\ninput()\nprint('after', 'it', sep='\\n')\n")
    assert terminal.until(lambda one: one.shown)
    above = [line for line in terminal.lines[:-1] if line]
    assert above and above == on_a_screen(OURS.sub(b"", terminal.written))[-len(above):]
    terminal.type(b"\n")
    assert terminal.ended() == 0
    assert terminal.whole and not any(SHOWN.match(line) for line in terminal.lines)
    plain = OURS.sub(b"", terminal.written)
    assert re.match(rb"\d+\r\n" + re.escape(said.replace("\n", "\r\n").encode()) + rb"after\r\nit\r\n", plain)
    shown = [line for line in terminal.lines if line]
    assert shown == on_a_screen(plain)[-len(shown):]


def test_it_tells_what_is_done_and_for_how_long_and_goes_when_the_program_is_killed(tmp_path):
    terminal = record(tmp_path, ASKS + "import time\ntime.sleep(600)\n")
    assert terminal.until(lambda one: one.shown)
    first = terminal.lines[-1]
    assert terminal.until(lambda one: one.shown and one.lines[-1] != first and "at prog.py:4" in one.lines[-1])
    os.kill(int(terminal.written.split()[0]), signal.SIGKILL)
    terminal.ended()
    assert terminal.whole and not any(SHOWN.match(line) for line in terminal.lines)


def test_a_stopped_program_leaves_the_terminal_whole(tmp_path):
    terminal = record(tmp_path, ASKS + "input()\n")
    assert terminal.until(lambda one: one.shown)
    program = int(terminal.written.split()[0])
    os.kill(program, signal.SIGSTOP)
    assert terminal.until(lambda one: one.whole and not one.shown)
    for pid in (program, terminal.pid):
        os.kill(pid, signal.SIGCONT)
    assert terminal.until(lambda one: one.shown)
    terminal.type(b"\n")
    assert terminal.ended() == 0


def test_another_size_is_no_trouble(tmp_path):
    terminal = record(tmp_path, ASKS + "input()\n")
    assert terminal.until(lambda one: one.shown)
    fcntl.ioctl(terminal._end, termios.TIOCSWINSZ, struct.pack("4H", ROWS - 4, COLUMNS - 20, 0, 0))
    terminal.screen.resize(ROWS - 4, COLUMNS - 20)
    assert terminal.until(lambda one: one.screen.margins is not None and one.screen.margins.bottom == ROWS - 6)
    terminal.type(b"\n")
    assert terminal.ended() == 0


@pytest.mark.parametrize(("options", "environment"), [(["-q"], {}), ([], {"TERM": "dumb"}), ([], {"TERM": ""})],
                         ids=["quiet", "dumb", "none"])
def test_no_line_where_none_is_wanted(tmp_path, options, environment):
    terminal = record(tmp_path, "import time; time.sleep(4)\n", *options, **environment)
    terminal.ended()
    assert b"\x1b7" not in terminal.written and not SHOWN.search(terminal.written.decode())


def test_no_line_where_standard_error_is_no_terminal(tmp_path):
    done = subprocess.run([*FIRSTSTEP, "record", "-o", tmp_path / "a.trace", "--", sys.executable, "-c", "import time; time.sleep(4)"],
                          capture_output=True)
    assert b"\x1b" not in done.stderr and not SHOWN.search(done.stderr.decode())
    assert live_line.live_line() is None or sys.stderr.isatty()


def part(folder, number, *records):
    path = folder / f"{number}-{number}.part"
    header = {"magic": "firststep-trace", "schema": 1, "pid": number, "thread": 1}
    path.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in (header, *records)))
    return path


FIRST_CALL = ["o", 10, 1, [["first-call", "__inference_step_4", 5]]]
XLA_TRACE = ["s", "trace", "step", 1, 2, 1, {"xla": True, "function": "__inference_step_4"}]
TRACED = ["s", "trace", "train_step", 1, 2, 1]


@pytest.mark.parametrize(("records", "words"), [
    ([["o", 5, 1, [["trace", "train_step", 4]]]], "tracing `train_step`"),
    ([TRACED, ["o", 5, 1, [["trace", "train_step", 4]]]], "tracing `train_step`, second time"),
    ([*[TRACED] * 4, ["o", 5, 1, [["trace", "train_step", 4], ["gradients", "x", 4]]]], "tracing `train_step`, 5th time"),
    ([["o", 5, 1, [["import", "tensorflow", 1], ["import", "numpy", 2], ["native", "/x.so", 2]]]], "importing tensorflow"),
    ([["o", 5, 2, [["import", "other_thread", 1]]]], ""),
    ([["o", 5, 1, [["cluster-wait", "x", 1]]]], "waiting for other members of the cluster"),
    ([["f", 1, "/home/me/train.py", "f", 1, 12], ["k", 0, [1]], ["p", 9, 0, "S", 1, 2, 3]], "at train.py:12"),
    ([["p", 9, 0, "S", 1, 2, 3], FIRST_CALL], "first execution of `step`"),
    ([["p", 9, 0, "R", 1, 2, 3], FIRST_CALL], "optimising the graph of `step`"),
    ([XLA_TRACE, ["p", 9, 0, "R", 1, 2, 3], FIRST_CALL], "compiling `step`"),
    ([], ""),
])
def test_what_is_under_way(tmp_path, records, words):
    part(tmp_path, 7, *records)
    assert UnderWay(tmp_path).words() == words


def test_of_several_processes_the_newest_that_is_at_work_is_told_of(tmp_path):
    parts = [part(tmp_path, number, ["o", 5, 1, [["import", f"of_{number}", 1]]]) for number in (10, 20, 30)]
    os.utime(parts[2], (1, 1))
    assert UnderWay(tmp_path).words() == "importing of_20"
    for path, at in zip(parts, (2, 3, 1)):
        os.utime(path, (at, at))
    assert UnderWay(tmp_path).words() == "importing of_20"
    assert UnderWay(tmp_path / "nothing").words() == ""


HEADER = '{"magic": "firststep-trace", "schema": 1, "pid": 9, "thread": 1}'


@pytest.mark.parametrize("make", [
    lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/zero"), lambda path: path.write_bytes(os.urandom(100_000)),
    lambda path: path.mkdir(), lambda path: path.write_text('{"magic": 3}\n["o",1,1,[[3]]]\n["p",1,9]\n["k"]\n'),
    lambda path: path.write_text('[1]\n["o",1,1,[]]\n'), lambda path: path.write_text(f'{HEADER}\n["m",1,"x",{"[" * 200_000}\n'),
    lambda path: path.write_text(f'{HEADER}\n["o",1,1,5]\n'), lambda path: path.write_text(f'{HEADER}\n["p",1,[],"R",1,1,1]\n'),
    lambda path: path.write_text(f'{HEADER}\n["p",1,0,"R",1,1,1]\n["k",0,[7]]\n'), lambda path: path.write_text("[" * 200_000 + "\n"),
], ids=["pipe", "endless", "noise", "folder", "other", "no header", "deep", "no spans", "no stack", "no frame", "deep header"])
def test_what_a_program_leaves_among_the_parts_is_no_trouble(tmp_path, make):
    make(tmp_path / "9-99999999999999999999.part")
    assert UnderWay(tmp_path).words() == "" and list(stall.waits(tmp_path)) == []


def test_a_part_that_is_wrong_hides_no_other(tmp_path):
    (tmp_path / "1-1.part").write_text('[1]\n["o",1,1,[]]\n')
    part(tmp_path, 20, ["f", 1, "/home/me/a.py", "x", 1, 7], ["k", 0, [1]], ["p", 1, 0, "S", 1, 1, 1])
    assert [words for words in stall.waits(tmp_path) if "a.py:7" in words]


def test_names_are_anybodys(monkeypatch):
    """What a program calls its functions moves nothing on the terminal."""
    shown = []
    line = live_line.LiveLine(0, type("Writes", (), {"any": lambda self: False, "descriptor": 0})())
    monkeypatch.setattr(line, "_write", shown.append)
    monkeypatch.setattr(live_line.os, "get_terminal_size", lambda _: os.terminal_size((COLUMNS, ROWS)))
    line._draw("tracing \x1b[2J\n\u202e" + "x" * 500)
    text = shown[0].rpartition("H")[2].removeprefix(live_line.DIM).removesuffix(live_line.ERASE + live_line.RESTORE)
    assert "\x1b" not in text and "\n" not in text and "\u202e" not in text and len(text) == COLUMNS - 1
