"""Whose turn it is of tests that take longer than an evening: `make suite` runs a part of them, another in each week; `-m suite` runs all.

FIRSTSTEP_WEEK=0, 1, … chooses another week's part.
"""

import datetime
import os

import pytest

WEEK = int(os.environ.get("FIRSTSTEP_WEEK", datetime.date.today().toordinal() // 7))


def marks(number, of):
    """The marks of a test with this number, where one of so many has its turn in each week."""
    return () if number % of == WEEK % of else (pytest.mark.beyond_sample,)
