"""What a program sees of the collector while it is paused, and after."""

from __future__ import annotations

GARBAGE = """
import gc, os, sys
class Knot: pass
def knots(n):
    for _ in range(n):
        knot = Knot(); knot.me = knot
"""


def boosted(box, program):
    box.write("program.py", GARBAGE + program)
    box.boost("program.py")
    ran = box.boost("program.py")
    assert ran.code == 0, ran.said
    return ran


def test_no_collection_happens_and_settings_look_untouched(box):
    ran = boosted(box, """
peak = bytearray(300_000_000)  # the plain run's peak, which the garbage stays below
del peak
before = [s["collected"] for s in gc.get_stats()]
knots(300_000)
print([s["collected"] for s in gc.get_stats()] == before, gc.isenabled(), gc.get_threshold())
""")
    assert ran.live("pause-garbage-collection")
    assert ran.out.split(maxsplit=2)[:2] == ["True", "True"]
    assert ran.out.split(maxsplit=2)[2] == box.plain("-c", "import gc; print(gc.get_threshold())").out


def test_an_explicit_collection_collects(box):
    assert boosted(box, "knots(20_000); print(gc.collect() >= 20_000)").out == "True\n"


def test_a_program_that_sets_thresholds_has_them_at_once(box):
    ran = boosted(box, """
gc.set_threshold(50, 5, 5)
before = gc.get_stats()[0]["collections"]
knots(2000)
print(gc.get_threshold(), gc.get_stats()[0]["collections"] > before)
""")
    assert ran.out == "(50, 5, 5) True\n"
    assert "the program sets the collector's thresholds" in ran.said


def test_a_forked_child_collects(box):
    ran = boosted(box, """
if os.fork() == 0:
    before = gc.get_stats()[0]["collected"]
    knots(5000)
    print(gc.get_stats()[0]["collected"] > before, flush=True)
    os._exit(0)
os.wait()
""")
    assert ran.out == "True\n"


def test_memory_above_the_plain_run_ends_the_pause(box):
    box.write("program.py", GARBAGE + """
if len(sys.argv) > 1:
    class Knot:
        def __init__(self): self.ballast = bytearray(2000)
    knots(400_000)
    print(sum(s["collected"] for s in gc.get_stats()) > 100_000)
""")
    box.boost("program.py")
    ran = box.boost("program.py", "large")
    assert "memory is a tenth above the plain run's" in ran.said
    assert ran.out == "True\n"
