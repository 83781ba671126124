"""What the tool writes and prints: for the user alone, where the user said, and nothing that a terminal would obey."""

import json
import os
import stat
import subprocess
import unicodedata
import zipfile

import comparisons
import pytest
from programs import FIRSTSTEP

from firststep import printable
from firststep.errors import FirststepError
from firststep.launch.private_file import check_writable, write_private

OPTION = "-o FILE"
WRITERS = {
    "record -o": lambda path, target: ["record", "-o", path, "--", target, "-c", "pass"],
    "record --json": lambda path, target: ["record", "-o", "/dev/null", "--json", path, "--", target, "-c", "pass"],
    "bug -o": lambda path, target: ["bug", "-o", path, "--", target],
}


@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_written_is_the_users_alone_and_no_link_is_followed(writer, target, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path = tmp_path / "out"
    path.symlink_to(victim)
    done = subprocess.run([*FIRSTSTEP, *WRITERS[writer](str(path), target)], env=comparisons.environment(tmp_path), capture_output=True,
                          umask=0, timeout=comparisons.PATIENCE)
    assert done.returncode == 0, done.stderr
    assert victim.read_text() == "precious"
    assert not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {entry.name for entry in tmp_path.iterdir()} <= {"victim", "out", "cache", "state"}, "nothing is left beside it"


def test_no_name_of_a_temporary_file_can_be_guessed(tmp_path, monkeypatch):
    made = []
    original = os.open

    def watching(path, flags, *rest, **more):
        if flags & os.O_CREAT:
            made.append((path, flags))
        return original(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", watching)
    for _ in range(2):
        write_private(tmp_path / "out", b"data", OPTION)
    assert len({name for name, _ in made}) == 2
    assert all(flags & os.O_EXCL and flags & os.O_NOFOLLOW for _, flags in made)


@pytest.mark.parametrize("kind", ["folder", "no folder", "pipe without a reader", "link to nowhere", "in a link", "device", "file"])
def test_places(kind, tmp_path):
    path = tmp_path / "out"
    {"folder": path.mkdir, "pipe without a reader": lambda: os.mkfifo(path), "link to nowhere": lambda: path.symlink_to("/nowhere/x"),
     "file": lambda: path.write_text("old")}.get(kind, lambda: None)()
    path = {"no folder": tmp_path / "none" / "out", "device": tmp_path.__class__("/dev/null")}.get(kind, path)
    if kind in ("folder", "no folder", "pipe without a reader"):
        for write in (lambda: check_writable(path, OPTION), lambda: write_private(path, b"new", OPTION)):
            with pytest.raises(FirststepError, match="cannot be written"):
                write()
        return
    check_writable(path, OPTION)
    write_private(path, b"new", OPTION)
    assert kind == "device" or path.read_text() == "new"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_pipe_of_another_user_is_not_written_to(tmp_path):
    path = tmp_path / "out"
    os.mkfifo(path, 0o666)
    os.chown(path, 12345, 12345)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(FirststepError, match="another user|cannot be written"):
        write_private(path, b"secret", OPTION)
    os.close(reader)


HOSTILE = ["\x1b[31mred", "\x1b]0;title\x07", "\x9b2J", "back\x08space", "carriage\rreturn", "\u202ereversed", "\u2066hidden\u2069", "zero\u200bwidth",
           "line\u2028end", "bell\a", "\x7f", "\udcff undecodable", "tag\U000e0041", "form\ffeed", "\x00"]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_nothing_that_a_terminal_obeys_is_printable(text):
    cleaned = printable.printable(text)
    assert all(unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for character in cleaned)
    assert len(cleaned) == len(text)


def test_words_stay_as_they_are():
    for text in ("plain", "größer — ✓ 日本語 😀", "two\nlines\tand a tab"):
        assert printable.printable(text) == text
    assert "\n" not in printable.one_line("two\nlines")


@pytest.mark.parametrize("text", [text for text in HOSTILE if "\x00" not in text], ids=ascii)
def test_whatever_a_command_line_holds(text, target, tmp_path):
    for words in (["record", "-o", str(tmp_path / "a"), "--", target, "-c", "pass", text], ["record", "--", text], ["boost", "--", text],
                  ["boost", "--only", text, "--", target], [text], ["report", text], ["record", "--until", text, "--", target],
                  ["record", "-o", f"/nowhere/{text}", "--", target], ["doctor", "--", text], ["enable", text]):
        done = subprocess.run([*FIRSTSTEP, *words], env=comparisons.environment(tmp_path), capture_output=True, timeout=comparisons.PATIENCE)
        shown = (done.stdout + done.stderr).decode(errors="surrogateescape")
        assert all(unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl") or character in "\n\t" for character in shown), shown
        assert "Traceback" not in shown


HEADER = {"magic": "firststep-trace", "schema": 1, "spawned": [0, 10], "ended": 50, "pid": 10, "command": ["python"], "host": {}}
PART = {"magic": "firststep-trace", "schema": 1, "pid": 10, "ppid": 1, "thread": 1, "entered_ns": 20, "origin": "start", "python": "3.11.7",
        "executable": "x", "tag": "cpython-311", "prefix": "/p", "base_prefix": "/p", "argv": ["python"], "path": [], "cwd": "/", "flags": "", "preloaded": []}


def trace_of(*records, **header):
    return "\n".join(map(json.dumps, [{**HEADER, **header}, PART, *records])) + "\n"


def report(path, folder, *words):
    code = "import resource, sys, os; resource.setrlimit(resource.RLIMIT_AS, (1500 << 20,) * 2); os.execv(sys.argv[1], sys.argv[1:])"
    return subprocess.run(["python3", "-c", code, *FIRSTSTEP, "report", str(path), *words], env=comparisons.environment(folder),
                          capture_output=True, text=True, timeout=comparisons.PATIENCE)


BOMBS = {
    "a label that never ends": lambda: trace_of(["ready", 40, "{label:>99999999999}", "x"]),
    "deep nesting": lambda: trace_of() + '["m",1,"x",' + "[" * 100_000 + "]" * 100_000 + "]\n",
    "numbers beyond any clock": lambda: trace_of(["s", "import", "x", 0, 10**4000, 1]),
    "infinity": lambda: trace_of().replace("[0, 10]", "[0, 1e999]"),
    "not a number": lambda: trace_of().replace('"ended": 50', '"ended": NaN'),
    "many empty lists": lambda: trace_of() + '["m",1,"x",{"a":[' + "[],[],[]," * 3_000_000 + "0]}]\n",
    "many records": lambda: trace_of() + "[]\n" * 5_000_000,
    "words where numbers belong": lambda: trace_of(["s", "import", "x", "0", "1", 1]),
    "a command that is none": lambda: trace_of(command={"a": 1}),
    "a machine of words": lambda: trace_of(host={"cpus": "many", "load": "high"}),
    "a stack of frames that are not there": lambda: trace_of(["p", 20, 7, "R", -1, 0, 0]),
}


@pytest.mark.parametrize("key", sorted(set(PART) - {"origin", "tag", "base_prefix", "flags", "preloaded"}))
def test_a_part_without_what_every_part_has_is_refused(key, tmp_path):
    path = tmp_path / "crafted"
    path.write_text("\n".join(map(json.dumps, [HEADER, {name: value for name, value in PART.items() if name != key}])) + "\n")
    done = report(path, tmp_path)
    assert (done.returncode, "cannot read" in done.stderr) == (65, True), done.stderr


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_crafted_trace_is_refused_in_bounds(bomb, tmp_path):
    path = tmp_path / "crafted"
    path.write_text(BOMBS[bomb]())
    done = report(path, tmp_path)
    assert done.returncode == 65, (done.stdout[-500:], done.stderr[-500:])
    assert "cannot read" in done.stderr and "Traceback" not in done.stderr


def test_a_small_file_that_becomes_a_large_one_is_refused(tmp_path):
    import gzip

    path = tmp_path / "crafted"
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(400):
            file.write(b" " * (1 << 20))
    done = report(path, tmp_path)
    assert done.returncode == 65 and "larger than any start" in done.stderr


def test_a_gigabyte_is_refused_without_being_read(tmp_path):
    """`report` bounds the memory that it may take."""
    path = tmp_path / "crafted"
    with path.open("wb") as file:
        file.write(b'{"magic":"firststep-trace","schema":1}\n')
        file.truncate(1_000_000_000)
    done = report(path, tmp_path)
    assert done.returncode == 65 and "larger than any start" in done.stderr


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "socket"])
def test_what_is_no_file_is_refused_at_once(kind, tmp_path):
    import socket

    path = tmp_path / "thing"
    if kind == "pipe":
        os.mkfifo(path)
    if kind == "folder":
        path.mkdir()
    if kind == "socket":
        socket.socket(socket.AF_UNIX).bind(str(path))
    done = report("/dev/zero" if kind == "device" else path, tmp_path)
    assert done.returncode == 65 and "Traceback" not in done.stderr


@pytest.mark.parametrize("file", ["secret", "pipe"])
def test_a_trace_names_files_and_none_is_opened(file, tmp_path):
    (tmp_path / "secret").write_text("a line of a private file\n" * 9)
    os.mkfifo(tmp_path / "pipe")
    frames = [["f", 1, str(tmp_path / file), "<module>", 1, 1], ["k", 1, [1]], *(["p", at, 1, "R", -1, at, 0] for at in range(20, 50))]
    path = tmp_path / "crafted"
    path.write_text(trace_of(*frames, observe=["samples"]))
    done = report(path, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "private" not in done.stdout and f"{file}:1" in done.stdout


def test_the_users_lines_are_in_the_trace_and_in_no_bundle(record, write, target, tmp_path):
    program = write("main.py", "total = 0\nfor n in range(20_000_000): total += n  # a private remark\n")
    got = record([target, program])
    os.unlink(program)
    assert "a private remark" in got.trace.header["source"][program]["2"]
    assert "a private remark" in report(got.path, tmp_path).stdout
    done = subprocess.run([*FIRSTSTEP, "bug", "--trace", str(got.path), "-o", str(tmp_path / "bug.zip"), "--", target],
                          env=comparisons.environment(tmp_path), capture_output=True, timeout=comparisons.PATIENCE)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "bug.zip") as bundle:
        everything = b"".join(map(bundle.read, bundle.namelist())).decode()
    assert "remark" not in everything and str(tmp_path) not in everything and "main.py" not in everything
    assert "firststep-trace" in everything
