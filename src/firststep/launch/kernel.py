"""What the kernel says that a thread waits for: with the peer, the file or the child, where that can be told from outside."""

from __future__ import annotations

import os
import socket
import struct
import sys
from pathlib import Path

CALLS = {"futex": "for another thread", "hrtimer": "asleep", "do_wait": "for a child process", "io_schedule": "for the disk",
         "pipe": "for a pipe", "unix": "for another process", "poll": "for the network", "select": "for the network",
         "inet": "for the network", "wait_data": "for the network", "recv": "for the network", "accept": "for the network"}
HIGHEST = 1 << 20  # number of a file; what is larger in its place is an address


def waits(pid: int, thread: int | None = None) -> str:
    """`waiting for the network (10.0.0.5:2049)`; empty where it cannot be told. thread: the main one by default."""
    place = f"/proc/{pid}/task/{thread or pid}"
    try:
        channel = Path(place, "wchan").read_text()
        words = next((words for name, words in CALLS.items() if name in channel), "")
        call = Path(place, "syscall").read_text().split()
    except OSError:
        return ""
    if words == "asleep":
        return words
    on = _on(pid, words, call)
    words = words or ("for a file" if on.startswith("/") else "for the network" if on else "")
    return f"waiting {words}" + (f" ({on})" if on else "") if words else ""


def _on(pid: int, words: str, call: list[str]) -> str:
    """What a system call is about, by its first argument."""
    if len(call) < 2:
        return ""
    first = int(call[1], 16)
    if words == "for a child process":
        return _command(first)
    if words in ("for another thread", "for the disk"):
        return ""
    if first > HIGHEST:  # of an array of files
        first = _first_polled(pid, first)
    try:
        target = os.readlink(f"/proc/{pid}/fd/{first}")
    except OSError:
        return ""
    if target.startswith("socket:["):
        return _peer(pid, target[len("socket:[") : -1])
    return target if target.startswith("/") else ""


def _first_polled(pid: int, address: int) -> int:
    """The first file of those that poll looks at, from the process's memory; -1 where that may not be read."""
    try:
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            return int(struct.unpack("=i", memory.read(4))[0])
    except (OSError, OverflowError, struct.error):
        return -1


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, OverflowError):
        return ""
    return os.path.basename(os.fsdecode(words[0]))


def _peer(pid: int, inode: str) -> str:
    """The other end of a connection, or the port that is listened on, where the process sees the network."""
    for table, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        try:
            rows = Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
        except OSError:
            continue
        for cells in map(str.split, rows):
            if len(cells) > 9 and cells[9] == inode:
                far, near = cells[2], cells[1]
                if far.endswith(":0000"):
                    return f"on port {int(near.rpartition(':')[2], 16)}"
                return _address(far, family)
    return ""


def _address(text: str, family: int) -> str:
    """`0100007F:1F90`, as the kernel writes it, in the usual way: words of four bytes in the machine's order."""
    address, _, port = text.partition(":")
    packed = b"".join(int(address[at : at + 8], 16).to_bytes(4, sys.byteorder) for at in range(0, len(address), 8))
    return f"{socket.inet_ntop(family, packed)}:{int(port, 16)}"
