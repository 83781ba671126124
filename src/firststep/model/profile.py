"""What another profiler saw of the same run, on the trace's clock."""

from __future__ import annotations

from dataclasses import dataclass

from firststep.model.trace import Span

# Kinds of spans that no trace has: they belong to no phase.
KERNEL, COPY, FILL, CALL, RANGE, EVENT = "GPU kernel", "GPU copy", "GPU memset", "CUDA call", "NVTX range", "profiler event"
ON_DEVICE = frozenset((KERNEL, COPY, FILL))


@dataclass(frozen=True)
class Track:
    """What stands on one thread or one stream of a GPU, in order of start; times are those of the trace's clock."""

    name: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Profile:
    """profiler: `Nsight Systems`; file: its name; aligned: how its clock was laid on the trace's; notes: what is left out of it, and
    what speaks against it."""

    profiler: str
    file: str
    aligned: str
    tracks: tuple[Track, ...]
    notes: tuple[str, ...] = ()
