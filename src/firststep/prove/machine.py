"""The machine during a run, as far as it decides times; and what of it moved between runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from firststep.model.words import count, cpu_count

OTHERS_BUSY = 0.10  # of all CPUs: other processes that take more are said
TOLD_FROM_S = 0.5  # the kernel counts in ticks of 10 ms, on each CPU: of a shorter run they say little
LOAD_MOVED = 1.0
FREQUENCY_MOVED = 0.10
CACHE_MOVED = 0.20
MB = 1_000_000


@dataclass(frozen=True)
class Counters:
    """The kernel's counters at one moment. at: seconds; busy, stolen, throttled: CPU seconds since boot; own: of this process."""

    at: float
    own: float
    load: float
    quota: float | None
    frequency: float | None
    busy: float
    stolen: float
    throttled: float
    read: int
    cached: int


@dataclass(frozen=True)
class Conditions:
    """What one run met. load: at its start; quota: CPUs of the cgroup; frequency: MHz; others: CPUs that other
    processes kept busy on average; throttled: seconds; read: bytes from disk; cached: bytes of page cache."""

    load: float
    quota: float | None
    frequency: float | None
    others: float
    stolen: float
    throttled: float
    read: int
    cached: int


def read() -> Counters:
    """The counters now; what the platform does not tell is 0 or None."""
    cpu = _first_line("/proc/stat").split()[1:]
    tick = os.sysconf("SC_CLK_TCK")
    seconds = [int(value) / tick for value in cpu] + [0.0] * 10
    user, nice, system, _, _, irq, soft, stolen = seconds[:8]
    paging = _table("/proc/vmstat")
    return Counters(
        at=time.monotonic(),
        own=time.process_time(),
        load=os.getloadavg()[0],
        quota=_quota(),
        frequency=_frequency(),
        busy=user + nice + system + irq + soft,
        stolen=stolen,
        throttled=int(_table("/sys/fs/cgroup/cpu.stat").get("throttled_usec", 0)) / 1e6,
        read=int(paging.get("pgpgin", 0)) * 1024,
        cached=int(_table("/proc/meminfo").get("Cached:", 0)) * 1024,
    )


def between(before: Counters, after: Counters, cpu: float) -> Conditions:
    """The conditions of a run that took `cpu` CPU seconds itself."""
    took = after.at - before.at
    others = max(0.0, after.busy - before.busy - cpu - (after.own - before.own))
    return Conditions(
        load=before.load,
        quota=before.quota,
        frequency=after.frequency,
        others=others / took if took >= TOLD_FROM_S else 0.0,
        stolen=after.stolen - before.stolen,
        throttled=after.throttled - before.throttled,
        read=after.read - before.read,
        cached=before.cached,
    )


def moved(conditions: Sequence[Conditions], cpus: int) -> list[str]:
    """What changed from run to run, or weighed on them, in words; empty for a quiet machine."""
    return [words for look in _LOOKS if conditions and (words := look(conditions, cpus))]


def _load(conditions: Sequence[Conditions], cpus: int) -> str | None:
    loads = [each.load for each in conditions]
    if max(loads) - min(loads) <= LOAD_MOVED:
        return None
    return f"load moved between {min(loads):.1f} and {max(loads):.1f} ({cpu_count(cpus)})"


def _others(conditions: Sequence[Conditions], cpus: int) -> str | None:
    disturbed = [each.others for each in conditions if each.others > OTHERS_BUSY * cpus]
    if not disturbed:
        return None
    return f"other processes took up to {max(disturbed):.1f} CPUs in {len(disturbed)} of {count(len(conditions), 'run')}"


def _quota_moved(conditions: Sequence[Conditions], cpus: int) -> str | None:
    quotas = {each.quota for each in conditions}
    return f"the CPU quota changed: {sorted(map(str, quotas))}" if len(quotas) > 1 else None


def _held_back(conditions: Sequence[Conditions], cpus: int) -> str | None:
    throttled = sum(each.throttled for each in conditions)
    stolen = sum(each.stolen for each in conditions)
    said = [f"throttled by the CPU quota for {throttled:.1f} s in all"] if throttled > 0.1 else []
    said += [f"{stolen:.1f} CPU s stolen by the host in all"] if stolen > 0.1 else []
    return ", ".join(said) or None


def _frequency_moved(conditions: Sequence[Conditions], cpus: int) -> str | None:
    seen = [each.frequency for each in conditions if each.frequency]
    if not seen or max(seen) <= min(seen) * (1 + FREQUENCY_MOVED):
        return None
    return f"CPU frequency moved between {min(seen):.0f} and {max(seen):.0f} MHz"


def _cache(conditions: Sequence[Conditions], cpus: int) -> str | None:
    cached = [each.cached for each in conditions]
    if min(cached) >= max(cached) * (1 - CACHE_MOVED):
        return None
    most = max(each.read for each in conditions)
    return (f"page cache moved between {min(cached) // MB} and {max(cached) // MB} MB, "
            f"up to {most // MB} MB read from disk in one run")


_LOOKS: tuple[Callable[[Sequence[Conditions], int], str | None], ...] = (
    _load, _others, _quota_moved, _held_back, _frequency_moved, _cache,
)


def _first_line(path: str) -> str:
    try:
        with open(path) as file:
            return file.readline()
    except OSError:
        return ""


def _table(path: str) -> dict[str, str]:
    try:
        rows = [line.split() for line in Path(path).read_text().splitlines()]
    except OSError:
        return {}
    return {row[0]: row[1] for row in rows if len(row) > 1}


def _quota() -> float | None:
    words = _first_line("/sys/fs/cgroup/cpu.max").split()
    return None if len(words) != 2 or words[0] == "max" else int(words[0]) / int(words[1])


def _frequency() -> float | None:
    """MHz, the mean over the CPUs."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return None
    seen = [float(line.partition(":")[2]) for line in lines if line.startswith("cpu MHz")]
    return sum(seen) / len(seen) if seen else None
