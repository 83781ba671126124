"""Whose time it is, told from a stack: the user's, a library's, the import system's, or our own."""

from __future__ import annotations

from firststep.analyse import phases
from firststep.model import ownership
from firststep.model.facts import SourceLine, StackVerdict
from firststep.model.ownership import Ownership
from firststep.model.trace import Frame, Sample

SAMPLER = "/observe/samples.py"  # the agent's file in which the main thread is when it samples itself, at the end
PIPELINES = ("/tensorflow/python/data/", "/tensorflow/python/distribute/input_lib.py", "/keras/src/trainers/epoch_iterator.py",
             "/keras/src/trainers/data_adapters/", "/keras/src/engine/data_adapter.py")  # what runs there is the data's
BUILDS = (("/tensorflow/python/framework/op_def_library.py", "_apply_op_helper"),
          ("/tensorflow/python/framework/ops.py", "_create_op_internal"))  # where an operation joins a graph: no eager one passes it
WRAPPERS = ("error_handler", "wrapper", "wrapped", "inner", "decorated", "__call__")


class Verdicts:
    """Judges the samples of one process; each stack once."""

    def __init__(self, owners: Ownership) -> None:
        self._owners = owners
        self._known: dict[tuple[int, str | None], StackVerdict] = {}

    def of(self, sample: Sample, module: str | None) -> StackVerdict:
        """module: the innermost import that was under way. All of it is import time, but for the user's own code."""
        key = (id(sample.stack), module)
        if key not in self._known:
            self._known[key] = self._judge(self.without_sampler(sample.stack), module)
        return self._known[key]

    def without_sampler(self, stack: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """The stack, cut before the agent's frames where it is the agent that samples its own thread."""
        if not stack or not stack[-1].file.endswith(SAMPLER) or self._kind(stack[-1]) != ownership.AGENT:
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

    def _judge(self, stack: tuple[Frame, ...], module: str | None) -> StackVerdict:
        if not stack:
            return StackVerdict(phases.INTERPRETER)
        index = self.user_frame(stack)
        line = SourceLine(stack[index].file, stack[index].line) if index is not None else None
        if module is not None and not self._runs_user_module(stack, module):
            return StackVerdict(phases.IMPORTS, line=line)
        inside = stack[index + 1 if index is not None else 0 :]
        for frame in reversed(stack):
            owner = self._owners.of(frame.file)
            if owner.kind == ownership.LIBRARY:
                return StackVerdict(_phase_within(inside), owner.package, frame.function, self._called(inside) or "",
                                    line)
            if owner.kind != ownership.GENERATED:
                return StackVerdict(_PHASE[owner.kind], line=line)
        return StackVerdict(phases.UNACCOUNTED)

    def _called(self, inside: tuple[Frame, ...]) -> str | None:
        """The outermost library function of these frames that is more than a wrapper."""
        names = (frame.function for frame in inside if self._kind(frame) == ownership.LIBRARY)
        return next((name for name in names if not _is_wrapper(name)), None)

    def _runs_user_module(self, stack: tuple[Frame, ...], module: str) -> bool:
        """Whether `module` is the user's and its top level runs. (While it is looked for, its importer's does.)"""
        for frame in reversed(stack):
            if frame.function == "<module>":
                parts = frame.file.removesuffix(".py").removesuffix("/__init__").rpartition("/")
                return parts[2] == module.rpartition(".")[2] and self._kind(frame) == ownership.USER
        return False


def _phase_within(inside: tuple[Frame, ...]) -> str:
    """The phase of a library's time, by what the user's line called in it."""
    if any(part in each.file for each in inside for part in PIPELINES):
        return phases.DATA
    builds = any(each.function.endswith(name) and each.file.endswith(file) for each in inside for file, name in BUILDS)
    return phases.TRACING if builds else phases.LIBRARIES


def _is_wrapper(name: str) -> bool:
    """Whether a function only stands around another: decorators tell the reader nothing."""
    return "<locals>" in name or name in WRAPPERS


_PHASE = {
    ownership.USER: phases.USER,
    ownership.IMPORT_SYSTEM: phases.IMPORTS,
    ownership.RUNNER: phases.INTERPRETER,
    ownership.AGENT: phases.AGENT,
}
