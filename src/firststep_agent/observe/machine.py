"""What the machine gave the program: CPU time withheld by a quota, pages that had to come from the disk, memory, swap."""

from firststep_agent.clock import now
from firststep_agent.observe.cgroups import THROTTLED, cpu_folder, lines_of
from firststep_agent.signals import is_theirs


def start(run, settings):
    state = {"before": _read()}

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


def _read():
    """Numbers by name, those that this kernel has; sizes in bytes, quota in CPUs."""
    found: dict = {}
    for read in (_cgroup, _faults, _memory, _disk):
        try:
            found.update(read())
        except (OSError, ValueError, IndexError) as error:
            if is_theirs(error):
                raise
    return found


def _cgroup():
    folder, quota = cpu_folder()
    if not folder:
        return {}
    fields = dict(line.split() for line in lines_of(folder + "/cpu.stat"))
    name = next((name for name in THROTTLED if name.decode() in fields), None)
    found: dict = {"quota": quota}
    if name:
        found.update(throttled_us=int(fields[name.decode()]) // THROTTLED[name], throttled_times=int(fields["nr_throttled"]))
    return found


def _faults():
    fields = lines_of("/proc/self/stat")[0].rpartition(")")[2].split()
    return {"minor_faults": int(fields[7]), "major_faults": int(fields[9])}


def _memory():
    found = {}
    for line in lines_of("/proc/self/status"):
        name, _, rest = line.partition(":")
        if name in ("VmHWM", "VmSwap"):
            found["peak_rss" if name == "VmHWM" else "swap"] = int(rest.split()[0]) * 1024
    return found


def _disk():
    fields = dict(line.split(": ") for line in lines_of("/proc/self/io"))
    return {"read_bytes": int(fields["read_bytes"])}
