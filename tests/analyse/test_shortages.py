"""Page faults and withheld CPU time go to the phases in which they were counted, and nothing is lost or made up."""

import pytest

from analyse.traces import process, span, trace
from firststep.analyse.facts import Facts
from firststep.analyse.phases import IMPORTS
from firststep.analyse.shortages import shortages
from firststep.model.facts import Shortage
from firststep.report.as_json import document

S = 1_000_000_000


def of(*records):
    one = process([span("import", 2 * S, 6 * S)], ready=10 * S, shortages=records)
    return Facts(trace(one, ended=10 * S))


def test_what_is_counted_within_a_phase_is_that_phase_s():
    found = of((2 * S, 100, 0, 0), (6 * S, 500, 40, 2_000_000), (10 * S, 500, 40, 2_000_000))(shortages)
    assert found[IMPORTS] == Shortage(400, 40, 2 * S)
    assert sum(one.faults_in_memory for one in found.values()) == pytest.approx(500, abs=2)


def test_between_two_looks_it_is_spread_evenly():
    found = of((4 * S, 0, 0, 0), (8 * S, 400, 0, 0))(shortages)
    assert found[IMPORTS].faults_in_memory == pytest.approx(200, abs=1)


def test_what_the_kernel_does_not_say_is_not_zero():
    found = of((2 * S, 10, 0, -1), (6 * S, 20, 1, -1))(shortages)
    assert found[IMPORTS].throttled_ns is None and found[IMPORTS].faults_from_disk == 1
    assert of((2 * S, -1, -1, -1))(shortages) == {}
    assert of()(shortages) == {}


def test_counters_that_run_backwards_or_stand_still_are_no_shortage():
    found = of((2 * S, 100, 5, 9), (3 * S, 50, 1, 2), (3 * S, 70, 9, 9), (1 * S, 900, 9, 9))(shortages)
    assert found[IMPORTS].faults_in_memory >= 0 and found[IMPORTS].faults_from_disk >= 0


def test_what_was_withheld_before_the_program_began_is_not_its_own():
    found = of((2 * S, 0, 0, 70_000_000), (6 * S, 0, 0, 70_000_000))(shortages)
    assert sum(one.throttled_ns for one in found.values()) == 0


def test_the_report_says_it_by_phase():
    rows = {row["phase"]: row["shortage"] for row in document(of((2 * S, 0, 0, 0), (6 * S, 9, 3, 5)).trace)["phases"]}
    assert rows[IMPORTS] == {"faults_in_memory": 9, "faults_from_disk": 3, "throttled_ns": 5000}
    assert rows["tracing"] is None
