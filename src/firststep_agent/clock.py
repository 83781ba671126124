"""The one clock: CLOCK_MONOTONIC in nanoseconds, the same for all processes of a machine."""

from time import monotonic_ns as now
from time import thread_time_ns

__all__ = ["now", "thread_time_ns"]
