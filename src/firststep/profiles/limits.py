"""How much of another profiler's file is read: it is data, from wherever somebody got it."""

from __future__ import annotations

BYTES = 256 << 20  # of a file that is read into memory, decompressed
VALUES = 6_000_000  # of a JSON document
EVENTS = 2_000_000  # of an XSpace
ENTRIES = 200_000  # names, lines and planes of an XSpace
SPANS = 100_000  # kept of one profile, the longest of them
TRACKS = 200
NAME = 400  # characters
STEPS = 3_000  # of a million operations of SQLite's machine each: some minutes
LATEST = 1 << 61  # of a moment in nanoseconds
