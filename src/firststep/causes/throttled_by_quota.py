"""A container's CPU quota stops the program.

Symptom: in a container the start takes several times as long as on the machine itself, and CPU usage shows a flat line.

Why: a quota is a budget for each tenth of a second. TensorFlow starts a thread for each CPU of the machine; together they use
the budget up at once, and all of them stand still until the next tenth.

Confirmed by: the cgroup's own counters of throttled periods, from the start to ready. What they count is each CPU's
time, which together may be more than the start took.

Remedy: a higher limit while it starts, or as many threads as the quota has CPUs: `TF_NUM_INTRAOP_THREADS`,
`OMP_NUM_THREADS`.

Source: the kernel's documentation of `cpu.max` and `cpu.stat`.
"""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.analyse.machine import machine
from firststep.analyse.partition import partition
from firststep.analyse.path import path
from firststep.analyse.shortages import shortages
from firststep.causes._stretches import a_share
from firststep.model.findings import Cut, Evidence, Found
from firststep.model.words import count, cpu_count, duration

GROUP = "machine"
WATCHED = ("machine",)
FACTS = (machine, partition, path, shortages)
REMEDIES: tuple[str, ...] = ()
LEAST = 0.05  # of the start


def find(given: Facts) -> Found | None:
    known, whole = given(machine), given(partition)
    if known is None or not known.throttled_ns or known.throttled_ns < whole.wall_ns * LEAST:
        return None
    part = min(0.95, known.throttled_ns / whole.wall_ns)
    quota = f"a quota of {cpu_count(known.quota)}" if known.quota else "the quota"
    worst = max(given(shortages).items(), key=lambda item: item[1].throttled_ns or 0, default=None)
    where = f", most in {worst[0]}" if worst and worst[1].throttled_ns else ""
    times = f" {count(known.throttled_times, 'time')}" if known.throttled_times else ""
    of = duration(whole.wall_ns)
    together = known.throttled_ns > whole.wall_ns  # each CPU that is stopped counts by itself
    took = f"its CPUs for {duration(known.throttled_ns)} together in {of}" if together else f"{duration(known.throttled_ns)} of {of}"
    return Found("stopped by the container", Evidence(
        f"{quota} stopped it{times}, {took}{where}"),
        "raise the limit during the start, or TF_NUM_INTRAOP_THREADS to the quota", "high",
        a_share((part * 0.4, part), [Cut(whole.start, whole.end)]))
