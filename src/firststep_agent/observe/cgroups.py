"""The control group that bounds this process's CPU time, by either version of the kernel's interface."""

from firststep_agent.as_found import open, os
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ROOT = "/sys/fs/cgroup"
THROTTLED = {b"throttled_usec": 1, b"throttled_time": 1000}  # of cpu.stat: name, and its units in a microsecond
FIRST_VERSION = "cpu,cpuacct", "cpu"  # folders, in their order of likelihood


def cpu_folder() -> "tuple[str, float | None]":
    """(folder with a quota, the quota in CPUs): that of the own group, else the nearest above it; ("", None) where nothing bounds it.

    In a container the own group is the root of what can be seen.
    """
    try:
        groups = lines_of("/proc/self/cgroup")
    except OSError as error:
        if is_theirs(error):
            raise
        return "", None
    for line in groups:
        _, _, rest = line.partition(":")
        controllers, _, own = rest.partition(":")
        bases = (ROOT,) if not controllers else tuple(f"{ROOT}/{name}" for name in FIRST_VERSION) if "cpu" in controllers.split(",") else ()
        for base in bases:
            for folder in _upwards(base, own):
                quota = _quota(folder)
                if quota is not None:
                    return folder, quota
    return "", None


def _upwards(base: str, own: str) -> "Iterator[str]":
    """The folder of a group below `base` and those above it, `base` last."""
    parts = [part for part in own.split("/") if part and part != ".."]
    for number in range(len(parts), -1, -1):
        yield "/".join((base, *parts[:number]))


def _quota(folder: str) -> "float | None":
    """In CPUs; None where the folder has none, or is not there."""
    quota: Any
    try:
        if os.path.exists(folder + "/cpu.max"):
            quota, period = lines_of(folder + "/cpu.max")[0].split()
            return None if quota == "max" else int(quota) / int(period)
        quota = int(lines_of(folder + "/cpu.cfs_quota_us")[0])
        return None if quota < 0 else quota / int(lines_of(folder + "/cpu.cfs_period_us")[0])
    except (OSError, ValueError, IndexError, ZeroDivisionError) as error:
        if is_theirs(error):
            raise
        return None


def lines_of(path: str) -> "list[str]":
    """Lines of a small file. Raises OSError."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()
