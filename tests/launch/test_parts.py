"""The parts that a program's processes wrote become one trace within bounds, whatever the program has put beside them."""

import json
import subprocess
import sys

import pytest

from firststep.launch.merge import first_part, merge_parts
from firststep.launch.parts import LARGEST
from firststep.launch.source_text import source_text
from firststep.model import limits
from firststep.model.plan import Plan
from firststep.model.read_trace import parse_trace

HEADER = {"magic": "firststep-trace", "schema": 1, "pid": 7, "ppid": 1, "thread": 1, "entered_ns": 20, "python": "3.11", "executable": "x",
          "prefix": "/p", "argv": ["x"], "path": [], "cwd": "/"}
FACTS = {"spawned": [0, 10], "ended": 50, "pid": 7}
DEEP = "[" * 200_000


def written(folder, name, *records):
    (folder / name).write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in (HEADER, *records)))


def sparse(path, size):
    with path.open("ab") as file:
        file.truncate(size)


MERGES = """
import resource, sys
from pathlib import Path
from firststep.launch.merge import merge_parts
from firststep.model.plan import Plan
resource.setrlimit(resource.RLIMIT_AS, (900 << 20,) * 2)
text = merge_parts(Path(sys.argv[1]), ["x"], Plan(), {"spawned": [0, 10], "ended": 50, "pid": 7})
print(len(text), text.partition("\\n")[0])
"""


@pytest.mark.parametrize("sizes", [[LARGEST + 1], [1 << 40], [60 << 20] * 9], ids=["one", "endless", "many"])
def test_what_is_larger_than_any_start_is_cut_and_said(tmp_path, sizes):
    written(tmp_path, "1-1.part", ["e", 1, "a", "b"])
    for number, size in enumerate(sizes):
        sparse(tmp_path / f"2-{number}.part", size)
    done = subprocess.run([sys.executable, "-c", MERGES, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]
    length, _, header = done.stdout.partition(" ")
    assert LARGEST < int(length) <= limits.TEXT
    assert json.loads(header)["lost"] == "it is larger than any start could make it"


def test_what_fits_is_whole(tmp_path):
    written(tmp_path, "1-1.part", ["e", 1, "a", "b"])
    trace = parse_trace(merge_parts(tmp_path, ["x"], Plan(), FACTS))
    assert "lost" not in trace.header and trace.processes[0].errors == ("a: b",)


@pytest.mark.parametrize("record, times", [(["e", 1, "a", "b"], 1_000_100), (["k", 1, [0] * 900], 7000)], ids=["records", "values"])
def test_more_records_or_values_than_any_start_has_are_cut_and_the_rest_is_read(tmp_path, record, times):
    written(tmp_path, "1-1.part", ["f", 0, "/a.py", "f", 1, 1], *[record] * times)
    written(tmp_path, "2-2.part", ["e", 1, "c", "d"])
    trace = parse_trace(merge_parts(tmp_path, ["x"], Plan(), FACTS))
    assert trace.header["lost"] == "it is larger than any start could make it" and len(trace.processes) == 1


OURS = '{"magic": "firststep-trace", "schema": 1'


@pytest.mark.parametrize("line", [
    OURS + ', "x": ' + DEEP, OURS + "}", '{"magic": "other", "entered_ns": 1}', OURS + ', "entered_ns": "soon"}', '{"magic"',
    OURS + ', "entered_ns": [1]}',
], ids=["deep", "no moment", "another", "a word", "cut short", "a list"])
def test_the_first_process_is_found_beside_what_is_none(line):
    assert first_part(f"tools\n{line}\n{json.dumps(HEADER)}\n{line}\n") == HEADER
    assert first_part(f"tools\n{line}\n") is None


@pytest.mark.parametrize("record", [
    f'["f",{DEEP}', '["f",1]', '["f",1,2,3,4,5]', '["f",', '["f",1,"/dev/zero","x",1,1]', '["f",1,"/a\\u0000b","x",1,1]',
], ids=["deep", "short", "numbers", "cut short", "endless", "zero byte"])
def test_lines_are_kept_of_files_that_can_be_read(tmp_path, record):
    (tmp_path / "a.py").write_text("first\nsecond\n")
    frame = json.dumps(["f", 1, str(tmp_path / "a.py"), "x", 1, 2], separators=(",", ":"))
    assert source_text([f"{record}\n{frame}\n"]) == {str(tmp_path / "a.py"): {"2": "second"}}
