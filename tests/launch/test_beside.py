"""The helper beside a boosted program."""

from types import SimpleNamespace

import pytest

from firststep.launch import beside


@pytest.mark.parametrize(("waits", "done"), [(1, ["look"]), (2, ["prepared", "look"]), (4, ["prepared", "look", "look", "look"])])
def test_what_the_end_needs_is_prepared_while_the_program_runs(waits, done):
    """Not before a moment has passed: a program that has ended by then has had the processor for itself."""
    seen, asked = [], []

    class Program:
        def wait(self, events, timeout):
            asked.append(timeout)
            return len(asked) == waits

    recording = SimpleNamespace(events=-1, seen_ready=False, look=lambda: seen.append("look"))
    beside._see_through(Program(), recording, lambda: seen.append("prepared"), looking=False)
    assert seen == done
    assert asked == [beside.POLL_S, *[None] * (waits - 1)]
