"""Where a fix may change what a program computes, or break it, it is not made unless unsafe ones are asked for."""

import pytest

from firststep.lint.check import check_text
from firststep.lint.fix import fixed
from firststep.lint.rules import all_rules
from lint.not_safe import NOT_SAFE

RULES = {rule.id: rule for rule in all_rules()}
CASES = [pytest.param(rule, text, id=f"{rule}: {why}") for rule, programs in NOT_SAFE.items() for why, text in programs.items()]


@pytest.mark.parametrize(("rule", "text"), CASES)
def test_no_fix_that_may_change_the_program_is_called_safe(rule, text):
    compile(text, "program.py", "exec")
    done = fixed(text, lambda source: check_text("program.py", source, [RULES[rule]]), unsafe=False)
    assert done.text == text
