"""What turns firststep off is the same for all who ask: two of the agent's files may import nothing of ours, and say it themselves."""

import ast
from pathlib import Path

import pytest

from firststep import switch

AGENT = Path(switch.__file__).parents[1] / "firststep_agent"


@pytest.mark.parametrize("file", ["bootstrap/sitecustomize.py", "boost/way_in.py", "observe/processes.py"])
def test_all_know_the_same_words(file):
    tree = ast.parse((AGENT / file).read_text())
    tuples = (node.elts for node in ast.walk(tree) if isinstance(node, ast.Tuple))
    groups = [group for group in tuples if all(isinstance(one, ast.Constant) for one in group)]
    said = [tuple(one.value.decode() if isinstance(one.value, bytes) else one.value for one in group) for group in groups]
    assert [words for words in said if "off" in words] == [switch.OFF]
