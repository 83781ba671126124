"""firststep under firststep: each watches what it started itself."""

from __future__ import annotations

import sys


def test_a_boosted_program_that_boosts_another(box):
    box.write("program.py", "print('inner')")
    for _ in range(2):
        ran = box.boost("-m", "firststep.cli", "boost", "--", sys.executable, "program.py")
        assert ran.code == 0 and ran.out == "inner\n"
        assert "could get into" not in ran.said
        assert ran.said.count("firststep: ended after") == 2
