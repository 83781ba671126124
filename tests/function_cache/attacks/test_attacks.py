"""No silent wrong result: every way to read state × every kind of state, unchanged, changed and changed back."""

import json

import pytest
import weekly
from replay_harness import Lab

from attacks import generate

VALUES = ("2", "2", "2", "3", "3", "2")  # learned, confirmed, answered; then changed, twice, and changed back
IN_ONE_PROGRAM = 40
STOPS_AFTER_CHANGES = 0.05
WEEKS = 5  # in which all of them have their turn


def chunks():
    found = list(generate.cases())
    return [found[at:at + IN_ONE_PROGRAM] for at in range(0, len(found), IN_ONE_PROGRAM)]


def programs():
    return [pytest.param(number, marks=weekly.marks(number, WEEKS)) for number in range(len(chunks()))]


def test_there_are_many_cases_in_each_week():
    found = list(generate.cases())
    assert len(found) // WEEKS >= 500
    assert len({case.name for case in found}) == len(found)


@pytest.mark.tensorflow
@pytest.mark.suite
@pytest.mark.parametrize("number", programs())
def test_no_result_is_silently_wrong(tmp_path, number):
    chosen = chunks()[number]
    laboratory = Lab(tmp_path, generate.program(chosen), alone=True)
    value = laboratory.program.parent / "value.txt"
    plain, wrong, stopped_unchanged, stopped_changed, answered = {}, [], [], [], 0
    for index, text in enumerate(VALUES):
        value.write_text(text)
        if text not in plain:
            plain[text] = json.loads(laboratory.plain().out)
        ran = laboratory.boost({"proof": "wait", "goes_on": True})
        stopped = set(ran.functions("disproved"))
        found = json.loads(ran.out)
        changed = index >= VALUES.index("3")
        (stopped_changed if changed else stopped_unchanged).extend(stopped)
        answered += len(ran.functions("live"))
        wrong += [(text, name) for name in found if found[name] != plain[text][name] and name not in stopped]
    assert wrong == []
    assert stopped_unchanged == []
    assert len(stopped_changed) <= max(1, STOPS_AFTER_CHANGES * len(chosen) * 2)
    assert answered > 0
