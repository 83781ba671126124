"""Each thing that lint says of the zoo was looked at, and is so when the program runs."""

import os
import subprocess
from pathlib import Path

import pytest
from programs import FIRSTSTEP, TARGET

from firststep.analyse.facts import Facts
from firststep.causes import Given, all_causes
from firststep.lint.check import check_text
from firststep.lint.rules import all_rules
from firststep.model.read_trace import parse_trace
from lint.zoo_judged import NOT_SO, RUN_BY, SELDOM, SO

ZOO = Path(__file__).parents[2] / "zoo"
CAUSES = {cause.id: cause for cause in all_causes()}


def said():
    rules = all_rules()
    for path in sorted(ZOO.rglob("*.py")):
        name = path.relative_to(ZOO).as_posix()
        for one in check_text(name, path.read_text(), rules).findings:
            yield f"{name}:{one.line} {one.rule}"


def test_what_lint_says_of_the_zoo_was_looked_at():
    found, right = set(said()), {*SO, *SELDOM}
    assert found - right == set(), "look at each, and write down what it is: tests/lint/zoo_judged.py"
    assert right - found == set(), "lint is silent where it was right"
    assert not right & set(NOT_SO)


@pytest.mark.suite
@pytest.mark.tensorflow
@pytest.mark.parametrize("file", sorted({place.partition(":")[0] for place in (*SO, *SELDOM, *NOT_SO)}))
def test_it_is_so_when_the_program_runs(file, tmp_path):
    """The cause of that name is found in the recorded start, whatever it costs; what is not so is not."""
    trace = tmp_path / "a.trace"
    done = subprocess.run([*FIRSTSTEP, "record", "-o", str(trace), "--", TARGET, str(ZOO / RUN_BY.get(file, file))],
                          capture_output=True, env={**os.environ, "ZOO_DATA": str(tmp_path)}, timeout=900)
    facts = Facts(parse_trace(trace.read_text()))
    assert facts.trace.ready or done.returncode == 0  # what fails later, as without TensorBoard, has shown what it had to
    for places, expected in ((SO, True), (SELDOM, False), (NOT_SO, False)):
        for place in places:
            where, _, rule = place.partition(" ")
            if where.partition(":")[0] == file:
                cause = CAUSES[rule]
                assert bool(cause.find(Given(facts, cause.facts))) is expected, place
