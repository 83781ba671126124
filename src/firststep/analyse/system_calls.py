"""What a thread waits for in a system call, by its number, on x86-64 and on aarch64 and its successors.

select and pselect are none of these: before Python 3.11 `time.sleep` is one of them, so there they tell nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

FILE_LOCKS = {"x86_64": (72, 73), "aarch64": (25, 32), "riscv64": (25, 32)}  # fcntl, flock: another process has it
SELECTS = {"x86_64": (23, 270), "aarch64": (72,), "riscv64": (72,)}
X86_64 = {
    "disk_ns": (17, 18, 26, 74, 75, 162, 187, 277, 295, 296),  # pread, pwrite, msync, fsync, sync, readahead
    "network_ns": (7, 42, 43, 44, 45, 46, 47, 232, 271, 281, 288, 299),  # poll, connect, accept, send, recv, epoll
    "lock_ns": (*FILE_LOCKS["x86_64"], 202),  # futex
    "child_ns": (61, 247),  # wait4, waitid
    "sleeping_ns": (34, 35, 128, 130, 230),  # pause, nanosleep, rt_sigtimedwait, rt_sigsuspend, clock_nanosleep
}
GENERIC = {
    "disk_ns": (67, 68, 69, 70, 81, 82, 83, 84, 213, 227),
    "network_ns": (22, 73, 202, 203, 206, 207, 211, 212, 242, 243),
    "lock_ns": (*FILE_LOCKS["aarch64"], 98),
    "child_ns": (95, 260),
    "sleeping_ns": (101, 115, 133, 137),
}
TABLES = {"x86_64": X86_64, "aarch64": GENERIC, "riscv64": GENERIC}


def waits_for(machine: str) -> Mapping[int, str]:
    """System call number -> field of Activity, for a machine as `uname -m` names it."""
    return {call: what for what, calls in TABLES.get(machine, {}).items() for call in calls}
