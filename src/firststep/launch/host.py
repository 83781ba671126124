"""Facts of the machine that a trace's header keeps: they decide what a time means."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from firststep_agent.observe.cgroups import cpu_folder


def describe() -> dict[str, Any]:
    """System, CPUs (count, usable, cgroup quota in CPUs or None), memory in bytes, load average."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cpu": _cpu_model(),
        "cpus": os.cpu_count(),
        "usable_cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "cpu_quota": cpu_folder()[1],
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "load": os.getloadavg(),
    }


def _cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
