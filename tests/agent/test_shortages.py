"""The control group that bounds a process is found in either version, and a thread's page faults are recorded as they come."""

import os
import textwrap
from types import SimpleNamespace

import pytest
from programs import TARGET

from firststep.analyse.facts import Facts
from firststep.analyse.shortages import shortages
from firststep.launch import host
from firststep.launch.session import Session
from firststep.model.plan import Plan, Until
from firststep.model.read_trace import parse_trace
from firststep_agent.observe import cgroups, machine
from firststep_agent.observe import shortages as observed

STAT = "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 70\n"
STAT_OF_FIRST = "nr_periods 9\nnr_throttled 3\nthrottled_time 70000\n"


@pytest.fixture
def group(tmp_path, monkeypatch):
    """make(line of /proc/self/cgroup, {file: content})"""
    plain = cgroups.lines_of

    def make(line, files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        monkeypatch.setattr(cgroups, "ROOT", str(tmp_path))
        monkeypatch.setattr(cgroups, "lines_of", lambda path: line.split("\n") if path == "/proc/self/cgroup" else plain(path))
        return cgroups.cpu_folder()

    return make


@pytest.mark.parametrize(("line", "files", "quota"), [
    ("0::/", {"cpu.max": "50000 100000\n", "cpu.stat": STAT}, 0.5),  # in a container
    ("0::/a/b", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "200000 100000\n", "a/cpu.stat": STAT}, 2.0),  # bounded from above
    ("0::/a/b", {"a/b/cpu.max": "150000 100000\n", "a/b/cpu.stat": STAT}, 1.5),
    ("12:pids:/x\n3:cpu,cpuacct:/docker/1", {"cpu,cpuacct/cpu.cfs_quota_us": "50000\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
                                             "cpu,cpuacct/cpu.stat": STAT_OF_FIRST}, 0.5),
])
def test_the_group_with_a_quota(group, line, files, quota):
    assert group(line, files)[1] == quota == host.describe()["cpu_quota"]
    assert machine._cgroup() == {"quota": quota, "throttled_us": 70, "throttled_times": 3}
    seen = []
    look = observed.Shortages(SimpleNamespace(record=lambda *items: seen.append(items)), os.getpid())
    look.look(7, int)
    look.close()
    look.look(8, int)  # closed: nothing is known any more
    assert seen[0][:2] == ("u", 7) and seen[0][2] > 0 and seen[0][4] == 70
    assert seen[1:] == [("u", 8, -1, -1, -1)]


@pytest.mark.parametrize(("line", "files"), [
    ("0::/", {}), ("0::/", {"cpu.max": "max 100000\n", "cpu.stat": STAT}), ("0::/../..", {"cpu.max": "nonsense\n"}), ("", {}),
    ("3:cpu,cpuacct:/", {"cpu,cpuacct/cpu.cfs_quota_us": "-1\n"}), ("0::/", {"cpu.max": "5 0\n"}),
    ("3:cpuset:/", {"cpu/cpu.cfs_quota_us": "5"}),
])
def test_no_group_bounds_it(group, line, files):
    assert group(line, files) == ("", None)
    assert machine._cgroup() == {}


def test_page_faults_are_recorded_while_they_come(tmp_path):
    """The program touches 80 MB for the first time; whatever else, its own pages are seen."""
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent("""
        import time
        end = time.monotonic() + 0.5
        kept = []
        while time.monotonic() < end or len(kept) < 80:
            kept.append(bytearray(b"x") * 1_000_000)
            time.sleep(0.005)
    """))
    ended = Session([TARGET, str(path)], Plan(until=Until("exit"), observe=("samples",)), timeout_s=300).run()
    trace = parse_trace(ended.trace)
    assert trace.processes[0].errors == ()
    counted = [record[1] for record in trace.processes[0].shortages]
    assert counted == sorted(counted) and counted[-1] - counted[0] > 1000
    assert sum(one.faults_in_memory for one in Facts(trace)(shortages).values()) == pytest.approx(counted[-1], abs=20)
