"""Whose time it is, told from a stack: the user's, a library's, the import system's, or our own."""

from __future__ import annotations

from firststep.analyse import ownership, phases
from firststep.analyse.ownership import Ownership
from firststep.model.facts import SourceLine, Verdict
from firststep.model.trace import Frame, Sample

SAMPLING = ("Sampler._sample", "_sample")  # the agent's frame when the main thread samples itself, at the end
WRAPPERS = ("error_handler", "wrapper", "wrapped", "inner", "decorated", "__call__")


class Verdicts:
    """Judges the samples of one process; each stack once."""

    def __init__(self, owners: Ownership) -> None:
        self._owners = owners
        self._known: dict[tuple[int, bool], Verdict] = {}

    def of(self, sample: Sample, importing: bool) -> Verdict:
        """importing: an import was under way, so a library's own top-level code is import time."""
        key = (id(sample.stack), importing)
        if key not in self._known:
            self._known[key] = self._judge(self.without_sampler(sample.stack), importing)
        return self._known[key]

    def without_sampler(self, stack: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """The stack, cut before the agent's frames where it is the agent that samples its own thread."""
        if not stack or stack[-1].function not in SAMPLING or self._kind(stack[-1]) != ownership.AGENT:
            return stack
        depth = len(stack)
        while depth and self._kind(stack[depth - 1]) == ownership.AGENT:
            depth -= 1
        return stack[:depth]

    def _kind(self, frame: Frame) -> str:
        return self._owners.of(frame.file).kind

    def user_frame(self, stack: tuple[Frame, ...]) -> int | None:
        """Index of the user's innermost frame."""
        for index in range(len(stack) - 1, -1, -1):
            if self._kind(stack[index]) == ownership.USER:
                return index
        return None

    def _judge(self, stack: tuple[Frame, ...], importing: bool) -> Verdict:
        index = self.user_frame(stack)
        line = SourceLine(stack[index].file, stack[index].line) if index is not None else None
        for frame in reversed(stack):
            owner = self._owners.of(frame.file)
            if owner.kind == ownership.GENERATED:
                continue
            if owner.kind == ownership.LIBRARY:
                return self._library(stack, frame, owner.package, index, line, importing)
            return Verdict(_PHASE[owner.kind], line=line)
        return Verdict(phases.UNACCOUNTED)

    def _library(
        self,
        stack: tuple[Frame, ...],
        frame: Frame,
        package: str,
        index: int | None,
        line: SourceLine | None,
        importing: bool,
    ) -> Verdict:
        if importing and not self._user_module_runs(stack):
            return Verdict(phases.IMPORTS, line=line)
        inside = stack[(index + 1 if index is not None else 0) :]
        names = [inner.function for inner in inside if self._kind(inner) == ownership.LIBRARY]
        called = next((name for name in names if not _is_wrapper(name)), frame.function)
        return Verdict(phases.LIBRARIES, package, frame.function, called, line)

    def _user_module_runs(self, stack: tuple[Frame, ...]) -> bool:
        """Whether the module whose top level runs, innermost, is the user's."""
        for frame in reversed(stack):
            if frame.function == "<module>":
                return self._kind(frame) == ownership.USER
        return False


def _is_wrapper(name: str) -> bool:
    """Whether a function only stands around another: decorators tell the reader nothing."""
    return "<locals>" in name or name in WRAPPERS


_PHASE = {
    ownership.USER: phases.USER,
    ownership.IMPORT_SYSTEM: phases.IMPORTS,
    ownership.RUNNER: phases.INTERPRETER,
    ownership.AGENT: phases.AGENT,
}
