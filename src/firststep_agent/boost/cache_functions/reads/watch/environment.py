"""Environment variables that were read while the trace ran. Digests only: values may be secrets."""

import os
import sys

from firststep_agent.boost.cache_functions.reads.watch.modules import being_imported
from firststep_agent.boost.objects.leaves import digest_of
from firststep_agent.boost.objects.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_OURS = b"FIRSTSTEP"


class _Recording(dict):
    """The environment's own dictionary, noting which keys are looked up."""

    __slots__ = ("looked_up", "whole")

    def __init__(self, values: "dict[bytes, bytes]") -> None:
        super().__init__(values)
        self.looked_up: set[Any] = set()
        self.whole = False

    def _look_at_all(self) -> None:
        self.whole = self.whole or not being_imported(sys._getframe(2))

    def __getitem__(self, key: "Any") -> "Any":
        self.looked_up.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.looked_up.add(key)
        return super().__contains__(key)

    def get(self, key: "Any", default: "Any" = None) -> "Any":
        self.looked_up.add(key)
        return super().get(key, default)

    def __iter__(self) -> "Iterator[Any]":
        self._look_at_all()
        return super().__iter__()

    def __len__(self) -> int:
        self._look_at_all()
        return super().__len__()


class Environment:
    """Puts the recording dictionary in place between `start` and `stop`."""

    def __init__(self) -> None:
        self._plain: dict[bytes, bytes] | None = None
        self._recording: _Recording = None  # type: ignore[assignment]

    def start(self) -> None:
        self._plain = os.environ._data  # type: ignore[attr-defined]
        self._recording = _Recording(self._plain)
        self._set(self._recording)

    def stop(self) -> None:
        if self._plain is None:
            return
        if os.environ._data is self._recording:  # type: ignore[attr-defined]
            now = dict(dict.items(self._recording))
            if now != self._plain:
                self._plain.clear()
                self._plain.update(now)
            self._set(self._plain)

    def _set(self, data: "dict[bytes, bytes]") -> None:
        os.environ._data = data  # type: ignore[attr-defined]
        if hasattr(os, "environb"):
            os.environb._data = data  # type: ignore[attr-defined]

    def record(self) -> "dict[str, str | None]":
        """{name: digest of its value, or None where it was not set}."""
        if self._recording.whole:
            raise Refused("the whole environment is read while it is traced")
        return {os.fsdecode(key): _digest(dict.get(self._recording, key))
                for key in sorted(self._recording.looked_up) if not key.startswith(_OURS)}


def recheck(recorded: "dict[str, str | None]") -> "str | None":
    """None where every variable that was read has the value it had."""
    for name, digest in recorded.items():
        if _digest(dict.get(os.environ._data, os.fsencode(name))) != digest:  # type: ignore[attr-defined]
            return f"the environment variable {name} has another value"
    return None


def _digest(value: "bytes | None") -> "str | None":
    return None if value is None else digest_of(value)
