"""What the machine gave the program: CPU time withheld by a quota, pages that had to come from the disk, memory, swap."""

from firststep_agent.clock import now
from firststep_agent.observe.cgroups import THROTTLED, cpu_folder, lines_of
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start(run: "Any", settings: "dict[str, Any]") -> None:
    state: dict[str, Any] = {"before": _read()}

    def begin_anew():
        state.update(before=dict.fromkeys(OWN, 0), forked=now())

    def end():
        before = state.pop("before", None)
        if before is not None and now() - state.get("forked", 0) > SHORTEST_NS:
            after = _read()
            sums = {name: after[name] - before[name] for name in SUMS if name in after and name in before}
            run.recorder.record("c", "machine", {**{name: after[name] for name in LEVELS if name in after}, **sums})

    run.on_ready(end)
    run.on_exit(end)
    run.on_fork(begin_anew)


SUMS = ("throttled_us", "throttled_times", "major_faults", "minor_faults", "read_bytes")
OWN = ("major_faults", "minor_faults", "read_bytes")  # of a process: the kernel begins a forked one's with nothing
SHORTEST_NS = 100_000_000  # a forked child that lived for less is not worth the reading
LEVELS = ("quota", "peak_rss", "swap")


def _read() -> "dict[str, Any]":
    """Numbers by name, those that this kernel has; sizes in bytes, quota in CPUs."""
    found: dict[str, Any] = {}
    for read in (_cgroup, _faults, _memory, _disk):
        try:
            found.update(read())
        except (OSError, ValueError, IndexError) as error:
            if is_theirs(error):
                raise
    return found


def _cgroup() -> "dict[str, Any]":
    folder, quota = cpu_folder()
    if not folder:
        return {}
    fields = dict(line.split() for line in lines_of(folder + "/cpu.stat"))
    name = next((name for name in THROTTLED if name.decode() in fields), None)
    found: dict[str, Any] = {"quota": quota}
    if name:
        found.update(throttled_us=int(fields[name.decode()]) // THROTTLED[name], throttled_times=int(fields["nr_throttled"]))
    return found


def _faults() -> "dict[str, int]":
    fields = lines_of("/proc/self/stat")[0].rpartition(")")[2].split()
    return {"minor_faults": int(fields[7]), "major_faults": int(fields[9])}


def _memory() -> "dict[str, int]":
    found = {}
    for line in lines_of("/proc/self/status"):
        name, _, rest = line.partition(":")
        if name in ("VmHWM", "VmSwap"):
            found["peak_rss" if name == "VmHWM" else "swap"] = int(rest.split()[0]) * 1024
    return found


def _disk() -> "dict[str, int]":
    fields = dict(line.split(": ") for line in lines_of("/proc/self/io"))
    return {"read_bytes": int(fields["read_bytes"])}
