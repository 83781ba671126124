"""The bytes of a file of another profiler, no more than one can be."""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from pathlib import Path
from typing import BinaryIO

from firststep.profiles.limits import BYTES
from firststep.profiles.source import UnreadableProfile

GZIP = b"\x1f\x8b"


def beginning(path: Path, length: int) -> bytes:
    """Its first bytes. Raises UnreadableProfile where it is no regular file, and OSError."""
    with _opened(path) as file:
        return file.read(length)


def contents(path: Path) -> bytes:
    """All of it, decompressed where it is gzip. Raises UnreadableProfile and OSError."""
    with _opened(path) as file:
        compressed = file.read(len(GZIP)) == GZIP
        file.seek(0)
        try:
            data = (gzip.GzipFile(fileobj=file) if compressed else file).read(BYTES + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise UnreadableProfile("it is a damaged gzip file", "copy it again") from error
    if len(data) > BYTES:
        raise UnreadableProfile(f"it is larger than {BYTES >> 20} MiB", "profile fewer steps")
    return data


def _opened(path: Path) -> BinaryIO:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableProfile("it is not a regular file", "name the profile itself")
    return open(descriptor, "rb")
