"""Which files' frames are left out of the stacks that TensorFlow keeps: all of the agent's that are loaded, whenever they were."""

import subprocess
import sys

SAYS = """
import importlib, sys
from firststep_agent.boost.cache_functions import frames

def loaded():
    return {module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "firststep_agent"}

for name in ("firststep_agent.wire", "firststep_agent.boost", "firststep_agent.boost.cache_functions.reads.verify"):
    before = len(loaded())
    assert frames._own_files() == loaded() | {frames.FILE}, name
    importlib.import_module(name)
    assert frames._own_files() == loaded() | {frames.FILE}, name
assert len(loaded()) > before
"""


def test_they_are_known_from_the_moment_at_which_they_are_loaded():
    done = subprocess.run([sys.executable, "-c", SAYS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
