"""A file's text, read so that nothing waits and nothing large is taken in."""

from __future__ import annotations

import io
import os
import stat
import tokenize
from dataclasses import dataclass

from firststep.errors import reason_of

LARGEST = 1024**2
"""Bytes. A larger file is generated or data; parsing it would take seconds and a gigabyte."""
BOM = "\ufeff"


class UnreadableSource(Exception):
    """Why a file cannot be checked, in words."""


@dataclass(frozen=True)
class SourceFile:
    """A text without its byte order mark, and what it takes to write it back as it was."""

    text: str
    encoding: str
    data: bytes

    def encoded(self, text: str) -> bytes:
        """Raises UnicodeEncodeError where the file's encoding lacks a character."""
        return (self.mark + text).encode(self.encoding)

    @property
    def mark(self) -> str:
        """The byte order mark that the text is without, or nothing."""
        return BOM if self.data.startswith(BOM.encode()) else ""


def read_file(path: str) -> SourceFile:
    """Raises UnreadableSource."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableSource("not a regular file")
            if status.st_size > LARGEST:
                raise UnreadableSource(f"not checked: {status.st_size / 1024**2:.1f} MiB, more than {LARGEST // 1024**2}")
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise UnreadableSource(reason_of(error)) from error
    return decoded(data)


def decoded(data: bytes) -> SourceFile:
    """Raises UnreadableSource."""
    if len(data) > LARGEST:
        raise UnreadableSource(f"not checked: more than {LARGEST // 1024**2} MiB")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        encoding = "utf-8" if encoding == "utf-8-sig" else encoding
        text = data.decode(encoding)
    except SyntaxError as error:
        raise UnreadableSource(str(error.msg)) from error
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"not valid {error.encoding} at byte {error.start}") from error
    except (LookupError, UnicodeError) as error:  # an encoding that is none of text
        raise UnreadableSource(f"its encoding is not known: {error}") from error
    if "\0" in text:
        raise UnreadableSource("it holds null bytes")
    return SourceFile(text.removeprefix(BOM), encoding, data)
