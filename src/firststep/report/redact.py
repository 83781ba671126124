"""Takes out what should not leave the machine: home folders, user and host names, and what looks like a secret."""

from __future__ import annotations

import getpass
import re
import socket
from pathlib import Path

# KEY=value, --key value and "key": "value", where the key's name says that the value is secret
_NAMED = re.compile(
    r"(?i)((?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|credential|auth|private[_-]?key)"
    r"[\w-]*\\?[\"']?\s*(?:[=:]|\\?[\"'],)?\s*\\?[\"']?)([^\s\"',\\&;]+)"
)
_URL = re.compile(r"(?<=://)[^/@\s\"]+@")
_LONG = re.compile(r"\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|sk-[\w-]{20,}|eyJ[\w-]+\.[\w-]+\.[\w-]+)")
REDACTED = "[redacted]"


def redact(text: str) -> str:
    """The text without them. What remains can be shown to strangers; file names below the home folder stay."""
    return _redact_places(_NAMED.sub(lambda found: found.group(1) + REDACTED, text))


def redact_trace(text: str) -> str:
    """A trace's text without them, still a trace: named secrets are looked for where command lines and messages stand,
    and not among the names of functions (`tokenize`)."""
    return "".join(
        redact(line) if line.startswith(("{", '["x"', '["l"', '["e"')) else _redact_places(line)
        for line in text.splitlines(keepends=True)
    )


def _redact_places(text: str) -> str:
    text = _URL.sub(REDACTED + "@", text)
    text = _LONG.sub(REDACTED, text)
    text = text.replace(str(Path.home()), "~")
    text = re.sub(r"/(home|Users)/[^/\s\"]+", r"/\1/user", text)
    for name, stand_in in ((_user(), "user"), (socket.gethostname(), "host")):
        if len(name) > 3 and name not in ("root", "localhost"):
            text = re.sub(rf"\b{re.escape(name)}\b", stand_in, text)
    return text


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
