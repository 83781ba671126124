"""Lays another profiler's clock on the trace's, or says why it cannot.

The trace's clock is CLOCK_MONOTONIC; its header says what time of day a moment of it was. Three things tell where a profile's zero
lies on it: that same clock, where the profiler noted it; the time of day; the call by which the program started the profiler.
"""

from __future__ import annotations

from dataclasses import dataclass

from firststep import exit_codes
from firststep.errors import FirststepError
from firststep.model.trace import Span, Trace
from firststep.model.words import duration

SAME_MACHINE_NS = 1_000_000_000  # further apart, the two clocks of a profile are not those of the trace's machine since its boot
AGAIN = "record it again with this version of firststep, and profile that run"


@dataclass(frozen=True)
class Zero:
    """The moment from which a profile counts, as far as it says so. time_of_day: nanoseconds since 1970; monotonic: of the machine's
    CLOCK_MONOTONIC; by_call: whether a call of the program, which the trace may have, began it."""

    time_of_day: int | None = None
    monotonic: int | None = None
    by_call: bool = False


@dataclass(frozen=True)
class Laid:
    """at: the profile's zero on the trace's clock; how: in words."""

    at: int
    how: str


def lay(trace: Trace, zero: Zero, named: str) -> Laid:
    """Where the profile called `named` begins on the trace's clock. Raises FirststepError where nothing tells."""
    clock = trace.header.get("clock")
    by_day = zero.time_of_day - clock[1] + clock[0] if clock and zero.time_of_day is not None else None
    if zero.monotonic is not None and (by_day is None or abs(by_day - zero.monotonic) < SAME_MACHINE_NS):
        return Laid(zero.monotonic, "both are the CLOCK_MONOTONIC of the machine")
    if by_day is not None:
        return Laid(by_day, "the time of day of both")
    calls = _calls(trace) if zero.by_call else []
    if len(calls) == 1:
        return Laid(calls[0].end, f"the call that started the profiler, within {duration(calls[0].end - calls[0].start)}")
    raise _unknown(zero, named, len(calls))


def _calls(trace: Trace) -> list[Span]:
    return [span for process in trace.processes for span in process.spans if span.kind == "profiler" and span.name == "start"]


def _unknown(zero: Zero, named: str, calls: int) -> FirststepError:
    if zero.time_of_day is not None:
        reason, act = "the trace does not say what time of day it was", AGAIN
    elif calls:
        reason, act = f"it does not say what time of day it was, and the program started the profiler {calls} times", "name its .xplane.pb"
    else:
        reason, act = "it does not say what time of day it was, and the trace has no call that started the profiler", "name its .xplane.pb"
    return FirststepError(f"{named} cannot be laid on the trace's clock", reason, act, exit_codes.CANNOT_READ)
