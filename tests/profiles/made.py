"""Files of other profilers, made by hand.

The SQLite of Nsight Systems is made after the schema that NVIDIA publishes (docs.nvidia.com/nsight-systems, "SQLite Schema
Reference", and the enumerations there): the tables and columns below are as an export of 2025.6 has them, others left out. The XSpace
is made after tsl/profiler/protobuf/xplane.proto. Both are no recordings: there is no GPU where these tests run.
"""

import gzip
import json
import sqlite3
import struct

MS = 1_000_000
SPAWN, READY, ENDED = 5_000_000_000, 9_000_000_000, 12_000_000_000  # of the trace's clock
DAY = 1_795_000_000_000_000_000  # the time of day at SPAWN
PID = 10
CLOCK = [SPAWN + 7, DAY + 7]
NAMES = {1: "sm90_gemm", 2: "void sm90_gemm<float>(float*)", 3: "cudaLaunchKernel_v7000", 4: "cuModuleLoadData", 5: "step 1"}

KERNELS = """CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, "end" INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, gridX INTEGER, blockX INTEGER)"""
COPIES = """CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, "end" INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
    copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER)"""
FILLS = """CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, "end" INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER, bytes INTEGER)"""
CALLS = """CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, "end" INTEGER NOT NULL, eventClass INTEGER NOT NULL,
    globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER)"""
RANGES = """CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, "end" INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
    category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER)"""
SESSION = "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT, systemClockNs INTEGER)"
STRINGS = "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)"


def thread(pid=PID, number=PID):
    """A process and a thread as Nsight packs them."""
    return 1 << 48 | pid << 24 | number


def export(path, *, day=DAY + 500 * MS, clock=SPAWN + 500 * MS, pid=PID):
    """An export whose session began 0.5 s after the spawn: two kernels, copies both ways, a memset, calls, nested ranges."""
    with sqlite3.connect(path) as database:
        for table in (STRINGS, SESSION, KERNELS, COPIES, FILLS, CALLS, RANGES):
            database.execute(table)
        database.executemany("INSERT INTO StringIds VALUES (?, ?)", NAMES.items())
        database.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?, '', '', ?)", (day, clock))
        into = "INSERT INTO CUPTI_ACTIVITY_KIND_"
        database.executemany(into + "KERNEL (start, end, deviceId, contextId, streamId, demangledName, shortName) VALUES (?,?,0,1,?,2,1)",
                             [(1000 * MS, 1010 * MS, 7), (1020 * MS, 1021 * MS, 13)])
        database.executemany(into + "MEMCPY (start, end, deviceId, contextId, streamId, bytes, copyKind) VALUES (?,?,0,1,7,?,?)",
                             [(900 * MS, 950 * MS, 4096, 1), (1030 * MS, 1031 * MS, 8, 2)])
        database.execute(into + "MEMSET (start, end, deviceId, contextId, streamId, bytes) VALUES (?,?,0,1,7,64)", (890 * MS, 891 * MS))
        database.executemany(into + "RUNTIME (start, end, eventClass, globalTid, nameId, returnValue) VALUES (?,?,0,?,?,0)",
                             [(995 * MS, 996 * MS, thread(pid, pid), 3), (100 * MS, 600 * MS, thread(pid, 77), 4)])
        database.executemany("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, textId) VALUES (?,?,?,?,?,?)",
                             [(800 * MS, 1100 * MS, 59, None, thread(pid, pid), 5),
                              (850 * MS, 1050 * MS, 59, "train/batch", thread(pid, pid), None),
                              (870 * MS, None, 34, "a mark", thread(pid, pid), None), (0, 1, 75, "a domain", thread(pid, pid), None)])
    database.close()
    return path


def varint(value):
    value &= (1 << 64) - 1
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes(found) + bytes((value,))


def field(number, value):
    """One field: a number, a string, bytes or a message, or a float."""
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def message(*fields):
    return b"".join(field(number, value) for number, value in fields)


def names(number, found):
    """A map of numbers to metadata with a name."""
    return [(number, message((1, key), (2, message((1, key), (2, name))))) for key, name in found.items()]


def line(name, events, identity=1, at=0):
    """events: (metadata, offset, length), nanoseconds."""
    made = [(4, message((1, of), (2, offset * 1000), (3, length * 1000), (4, message((1, 9), (2, 1.5))))) for of, offset, length in events]
    return message((1, identity), (2, name), (3, at), *made)


def xspace(*, day=DAY + 500 * MS, planes=()):
    """A session that began 0.5 s after the spawn; with no day, as older versions write it."""
    host = message((1, 1), (2, "/host:CPU"), (3, line("python", [(1, 1000 * MS, 20 * MS), (2, 1005 * MS, 5 * MS)])),
                   *names(4, {1: "train 1", 2: "EagerExecute"}))
    gpu = message((2, "/device:GPU:0"), (3, line("Stream #7", [(1, 200 * MS, 3 * MS)], at=800 * MS)), *names(4, {1: "gemm"}))
    when = [(6, message((1, 1), (3, day)))] if day else []
    environment = message((2, "Task Environment"), *names(5, {1: "profile_start_time"}), *when)
    return message((1, host), (1, gpu), (1, environment), *((1, plane) for plane in planes), (4, "host-name"))


def events(extra=()):
    """The same session as trace events."""
    made = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/host:CPU"}},
            {"ph": "M", "pid": 1, "tid": 5, "name": "thread_name", "args": {"name": "python"}},
            {"ph": "X", "pid": 1, "tid": 5, "ts": 1_000_000.0, "dur": 20_000.0, "name": "train 1", "args": {"group_id": 0}},
            {"ph": "X", "pid": 1, "tid": 5, "ts": 1_005_000, "dur": 5_000, "name": "EagerExecute"}, *extra, {}]
    return gzip.compress(json.dumps({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": made}).encode(), mtime=0)
