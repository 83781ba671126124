"""Packages of `pip install --target` are libraries; what lies beside them is the user's."""

import os
import subprocess
import sys
import zipfile

import pytest

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.source_lines import source_lines
from firststep.launch.installed import installed
from firststep.model.read_trace import parse_trace
from firststep.report.shared import shared
from firststep_agent import ownership

WORK = """
import time
def work(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        sum(range(1000))
"""


@pytest.fixture
def vendor(tmp_path):
    """A folder into which pip has put a package `lib` and a module `single`; the user's own module `mine` lies there, too."""
    wheel = tmp_path / "tiny-1.0-py3-none-any.whl"
    about = "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("lib/__init__.py", "from lib.inner import work\n")
        archive.writestr("lib/inner.py", WORK)
        archive.writestr("single.py", WORK)
        archive.writestr("tiny-1.0.dist-info/METADATA", about)
        archive.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("tiny-1.0.dist-info/RECORD", "lib/__init__.py,,\nlib/inner.py,,\nsingle.py,,\n"
                         "tiny-1.0.dist-info/METADATA,,\ntiny-1.0.dist-info/WHEEL,,\ntiny-1.0.dist-info/RECORD,,\n")
    folder = tmp_path / "vendor"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", str(folder), str(wheel)],
                   check=True, capture_output=True)
    (folder / "mine.py").write_text(WORK)
    return folder


def test_a_folder_of_packages_is_no_code_of_the_users(vendor, record, target, write):
    program = write("program.py", "import lib, mine, single\nlib.work(0.3)\nsingle.work(0.3)\nmine.work(0.6)\n")
    trace = record([target, program], env={**os.environ, "PYTHONPATH": str(vendor)}).trace
    assert trace.header["installed"] == [f"{vendor}/lib", f"{vendor}/single.py"]
    for one in (trace, shared(trace)):
        whole = Facts(one)(partition).phases
        # Each has 0.6 s, less what a busy machine takes off them: the one's time is not the other's.
        assert 0.2 < whole[phases.LIBRARIES] * 1e-9 < 0.9 and 0.2 < whole[phases.USER] * 1e-9 < 0.9, whole
    innermost = {(line.line.file, line.line.line) for line in Facts(trace)(source_lines) if line.self_ns > 100_000_000}
    assert {(program, 2), (program, 3)} <= innermost and not any("lib/" in file or "single" in file for file, _ in innermost)


def test_the_agent_names_no_line_of_a_package_as_the_programs(vendor, monkeypatch):
    monkeypatch.syspath_prepend(str(vendor))
    files = [str(vendor / name) for name in ("lib/inner.py", "single.py", "mine.py", "lib2/inner.py")]
    assert [ownership.is_programs_line(file) for file in files] == [False, False, True, True]
    assert all(map(ownership.is_programs_file, files))  # a remedy looks through all of them


def test_files_that_say_nothing(tmp_path):
    folder = tmp_path / "app"
    (folder / "a-1.dist-info").mkdir(parents=True)
    (folder / "b-1.dist-info").mkdir()
    (folder / "b-1.dist-info" / "RECORD").write_text("pack/x.py,,\nsub/../other.py,,\n")
    frames = [f'["f",1,"{folder}/{name}","f",1,2]' for name in ("pack/x.py", "pack.py", "packs/x.py", "other.py")]
    assert installed(["\n".join(['{"magic":1}', *frames, '["f",2,"<string>","f",1,2]', '["f",3,"/x'])]) == [f"{folder}/pack"]


def test_a_trace_without_the_list(tmp_path):
    header = '{"magic":"firststep-trace","schema":1,"spawned":[1,2],"ended":9,"installed":7}\n'
    with pytest.raises(Exception, match="installed is malformed"):
        parse_trace(header)
