"""The page and the module say the same."""

import re
from pathlib import Path

from firststep import exit_codes

PAGE = Path(__file__).parents[2] / "docs" / "exit-codes.md"


def test_every_code_is_documented_once_and_no_two_are_equal():
    documented = {name: int(code) for code, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", PAGE.read_text(), re.M)}
    defined = {name: value for name, value in vars(exit_codes).items() if name.isupper()}
    assert documented == defined
    assert len(set(defined.values())) == len(defined)
