"""What is done beside the dynamic linker leaves nothing behind for later."""

from __future__ import annotations

import pytest
from programs import TARGET

PROGRAM = """
import gc
import tensorflow
print(len(gc.get_objects()))
"""


@pytest.mark.tensorflow
def test_the_collector_has_no_more_to_walk_than_plainly(box):
    box.write("program.py", PROGRAM)
    plain = int(box.plain("program.py", python=TARGET).out)
    box.boost("program.py", python=TARGET)
    ran = box.boost("program.py", python=TARGET)
    assert ran.live("overlap") and ran.live("pause-garbage-collection")
    assert int(ran.out) < 1.5 * plain  # 1.55 with every tuple of the code; 1.31 to 1.46 by version
