"""One optimizer by several names: what lint says of a second trace is so, and the line that it would write is right."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from firststep.lint.check import check_text
from firststep.lint.fix import fixed
from firststep.lint.rules import all_rules
from lint.optimizer_names import GROWS, PROGRAMS

RUNNER = Path(__file__).with_name("runner.py")
RULES = [rule for rule in all_rules() if rule.id == "double-trace"]


def checked(text):
    return check_text("program.py", text, RULES)


def run(programs, folder):
    """What each prints, in lines."""
    done = subprocess.run([sys.executable, str(RUNNER)], input=json.dumps(programs), capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr[-3000:]
    return [one["printed"].splitlines() for one in json.loads(done.stdout)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_second_trace_is_told_where_nobody_else_may_have_the_optimizer(name):
    _, told, text = PROGRAMS[name]
    found = checked(text)
    assert not found.troubles
    assert len(found.findings) == told


@pytest.mark.parametrize("name", GROWS)
def test_no_line_that_builds_is_safe_where_somebody_else_may_change_the_model(name):
    found = checked(GROWS[name])
    assert found.findings and not [one for one in found.findings if one.fix and one.fix.safe]


def test_the_remedy_names_what_is_known_outside_of_the_step():
    said = {name: checked(PROGRAMS[name][2]).findings[0].remedy.split("(")[0] for name in (
        "another name in the step", "an attribute's name in the step", "another name in the module")}
    assert said == {"another name in the step": "call `optimizer.build", "an attribute's name in the step": "call `self.opt.build",
                    "another name in the module": "call `opt.build"}


@pytest.mark.suite
@pytest.mark.tensorflow
def test_what_is_told_is_so_and_each_safe_line_mends_it(tmp_path):
    texts = [text for _, _, text in PROGRAMS.values()]
    before, after = run(texts, tmp_path), run([fixed(text, checked, False).text for text in texts], tmp_path)
    for (name, (twice, told, text)), plain, mended in zip(PROGRAMS.items(), before, after):
        assert plain[-1] == "12"[twice] and told <= twice, name
        assert mended[:-1] == plain[:-1] != [], name
        assert mended[-1] == ("1" if fixed(text, checked, False).applied else plain[-1]), name
