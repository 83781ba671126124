"""What of the machine is said to have moved."""

from dataclasses import replace

import pytest

from firststep.prove.machine import Conditions, between, moved, read

QUIET = Conditions(load=0.5, quota=2.0, frequency=3000.0, others=0.02, stolen=0.0, throttled=0.0, read=0,
                   cached=4_000_000_000)


def test_a_quiet_machine_is_not_talked_about():
    assert moved([QUIET, replace(QUIET, load=0.9, frequency=3100.0, cached=3_900_000_000)], cpus=2) == []
    assert moved([], cpus=2) == []


@pytest.mark.parametrize(("fields", "words"), [
    ({"load": 3.0}, "load moved between 0.5 and 3.0 (2 CPUs)"),
    ({"others": 1.5}, "other processes took up to 1.5 CPUs in 1 of 2 runs"),
    ({"quota": 1.0}, "the CPU quota changed"),
    ({"throttled": 2.5}, "throttled by the CPU quota for 2.5 s"),
    ({"stolen": 1.0}, "1.0 CPU s stolen by the host"),
    ({"frequency": 2000.0}, "CPU frequency moved between 2000 and 3000 MHz"),
    ({"cached": 1_000_000_000, "read": 900_000_000}, "page cache moved between 1000 and 4000 MB, up to 900 MB read"),
])
def test_what_moved_is_said(fields, words):
    [said] = moved([QUIET, replace(QUIET, **fields)], cpus=2)
    assert words in said


def test_a_machine_of_one_cpu_has_no_cpus():
    assert moved([QUIET, replace(QUIET, load=3.0)], cpus=1) == ["load moved between 0.5 and 3.0 (1 CPU)"]

def test_the_run_itself_is_not_counted_among_the_others():
    before = read()
    busy = replace(before, at=before.at + 2.0, busy=before.busy + 5.0, own=before.own + 0.5)
    assert between(before, busy, cpu=3.5).others == pytest.approx(0.5)
    assert between(before, replace(before, at=before.at + 2.0), cpu=4.0).others == 0.0


def test_ticks_say_nothing_of_a_run_that_is_over_at_once():
    before = read()
    assert between(before, replace(before, at=before.at + 0.02, busy=before.busy + 0.2), cpu=0.01).others == 0.0
