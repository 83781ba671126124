"""What a thread waits for in a system call, by its number, on x86-64 and on aarch64 and its successors."""

from __future__ import annotations

from collections.abc import Mapping

X86_64 = {
    "disk_ns": (17, 18, 26, 74, 75, 295, 296, 162, 277, 187),  # pread, pwrite, msync, fsync, sync, readahead
    "network_ns": (
        7,
        23,
        42,
        43,
        44,
        45,
        46,
        47,
        232,
        270,
        271,
        281,
        288,
        299,
    ),  # poll, connect, recv, epoll
    "lock_ns": (202, 73, 240),  # futex, flock
    "child_ns": (61, 247),  # wait4, waitid
    "sleeping_ns": (35, 34, 230),  # nanosleep, pause, clock_nanosleep
}
GENERIC = {
    "disk_ns": (67, 68, 69, 70, 81, 82, 83, 84, 213, 227),
    "network_ns": (21, 22, 73, 202, 203, 206, 207, 211, 212, 242, 243),
    "lock_ns": (98, 32),
    "child_ns": (260, 95),
    "sleeping_ns": (101, 115),
}
TABLES = {"x86_64": X86_64, "aarch64": GENERIC, "riscv64": GENERIC}


# select and pselect are in neither: before Python 3.11 `time.sleep` is one of them.


def waits_for(machine: str) -> Mapping[int, str]:
    """System call number -> field of Activity, for a machine as `uname -m` names it."""
    return {call: what for what, calls in TABLES.get(machine, {}).items() for call in calls}
