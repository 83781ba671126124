"""What a program sees of the collector while it is paused, and after."""

from __future__ import annotations

import sys

import pytest

GARBAGE = """
import gc, os, sys
class Knot: pass
def knots(n):
    for _ in range(n):
        knot = Knot(); knot.me = knot
"""


@pytest.fixture
def box(box):
    """Programs are started by a small process: a process's highest memory begins with that of the one that it was split off."""
    plainly = box._run
    box._run = lambda command: plainly(["sh", "-c", '"$@"; exit $?', "sh", *command])
    return box


def boosted(box, program):
    box.write("program.py", GARBAGE + program)
    box.boost("program.py")
    ran = box.boost("program.py")
    assert ran.code == 0, ran.said
    return ran


def library(box, text):
    """A module that a program gets from an installed package."""
    box.write("site-packages/made_library.py", GARBAGE + text)
    return f"import sys; sys.path.append({str(box.folder / 'site-packages')!r})\nimport made_library\n"


def test_no_collection_happens_while_a_library_is_imported(box):
    ran = boosted(box, library(box, """
peak = bytearray(300_000_000)  # the plain run's peak, which the garbage stays below
del peak
before = [s["collected"] for s in gc.get_stats()]
knots(300_000)
print([s["collected"] for s in gc.get_stats()] == before, gc.isenabled(), gc.get_threshold())
"""))
    assert ran.live("pause-garbage-collection")
    assert ran.out.split(maxsplit=2)[:2] == ["True", "True"]
    assert ran.out.split(maxsplit=2)[2] == box.plain("-c", "import gc; print(gc.get_threshold())").out


def test_no_full_collection_happens_while_the_program_runs_and_settings_look_untouched(box):
    ran = boosted(box, """
peak = bytearray(300_000_000)
del peak
before = gc.get_stats()[2]["collections"]
held = [Knot() for _ in range(300_000)]
print(gc.get_stats()[2]["collections"] == before, gc.isenabled(), gc.get_threshold())
""")
    assert ran.live("pause-garbage-collection")
    assert ran.out.split(maxsplit=2)[:2] == ["True", "True"]


OPENED = """
class Reader:
    alive = 0
    def __init__(self): self.file = open(__file__); self.read = self.next; Reader.alive += 1
    def next(self): return self.file.readline()
    def __del__(self): Reader.alive -= 1
for _ in range(3000): Reader().read()
print("some are gone", Reader.alive < 1000)
"""


@pytest.mark.parametrize("where", ["program", "module", "shadow"])
def test_garbage_of_the_programs_own_goes_as_early_as_plainly(box, where):
    """Of files there may be no more open than the system allows; what goes may tell."""
    if where == "program":
        box.write("program.py", OPENED)
    else:
        name = {"module": "readers", "shadow": "made_library"}[where]  # one of the program's beside an installed one of the same name
        library(box, "raise SystemExit('not this one')")
        box.write(f"{name}.py", OPENED)
        box.write("program.py", f"import sys; sys.path.append({str(box.folder / 'site-packages')!r})\nimport {name}\n")
    for _ in range(3):
        ran = box._run(["sh", "-c", 'ulimit -S -n 1024; exec "$@"', "sh", sys.executable, "-m", "firststep.cli", "boost", "--explain", "--",
                        sys.executable, "program.py"])
        assert (ran.code, ran.out) == (0, "some are gone True\n"), ran.said
    assert ran.live("pause-garbage-collection")


def test_an_explicit_collection_collects(box):
    old = "held = [Knot() for _ in range(20_000)]\nfor each in held: each.me = each\ndel held, each\n"
    assert boosted(box, old + "print(gc.collect() >= 20_000)").out == "True\n"


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
        def __init__(self): self.ballast = bytearray(4000); self.me = self
    for _ in range(20): held = [Knot() for _ in range(20_000)]  # old when they are let go
    print(sum(s["collected"] for s in gc.get_stats()) > 100_000)
""")
    box.boost("program.py")
    ran = box.boost("program.py", "large")
    assert "memory is a tenth above the plain run's" in ran.said
    assert ran.out == "True\n"


LARGE = """
class Knot:
    def __init__(self): self.ballast = bytearray({size})
knots({count})
with open("/proc/self/status") as file:
    peak = next(line for line in file if line.startswith("VmHWM:"))
print(peak.split()[1], file=open("peak", "w"))
"""


@pytest.mark.parametrize(("size", "count"), [(64_000, 20_000), (1_000_000, 4_000), (4_000, 200_000)])
def test_large_objects_take_no_more_than_they_do_plainly(box, size, count):
    """The bound looks at bytes: as many objects as plainly, however large they are, wait for the collector."""
    box.write("program.py", library(box, LARGE.format(size=size, count=count)))
    peaks = []
    for _ in range(3):
        assert box.boost("program.py").code == 0
        peaks.append(int((box.folder / "peak").read_text()))
    assert max(peaks[1:]) < peaks[0] * 2 + 150_000, peaks


def test_a_limited_address_space_is_left_to_the_program(box):
    box.write("program.py", GARBAGE + "knots(20_000); print('fine')")
    box.boost("program.py")
    limited = box._run(["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh", sys.executable, "-m", "firststep.cli", "boost", "--explain", "--",
                        sys.executable, "program.py"])
    assert (limited.code, limited.out) == (0, "fine\n")
    assert "memory is limited (ulimit)" in limited.said and not limited.live("pause-garbage-collection")


@pytest.mark.parametrize("explicit", ["gc.collect()", "gc.collect(2)", "gc.collect(1)", "gc.collect(0)", "gc.collect(generation=2)"])
def test_whatever_the_program_asks_for_is_collected_at_any_moment(box, explicit):
    """Also a moment before the collector would have begun by itself."""
    ran = boosted(box, f"""
died = []
class Seen(Knot):
    def __del__(self): died.append(1)
for filler in range(0, 900, 7):
    gc.collect()
    keep = [[] for _ in range(filler)]
    seen = Seen(); seen.me = seen; del seen
    {explicit}
print(len(died) >= 128)
""")
    assert ran.out == "True\n"


SIGNALS = """
import signal
class Told(Exception): pass
armed = False
def handler(*arguments):
    global armed
    if armed:
        armed = False
        raise Told
signal.signal(signal.SIGALRM, handler)
lost = 0
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.0005)
for _ in range(300):
    try:
        armed = True
        while armed:
            knots(200)
        lost += 1
    except Told:
        pass
signal.setitimer(signal.ITIMER_REAL, 0)
print(lost)
"""


@pytest.mark.parametrize("learned", [False, True])
def test_what_a_signal_handler_raises_is_never_lost_in_the_collector(box, learned):
    box.write("program.py", GARBAGE + SIGNALS)
    if learned:
        box.boost("program.py")
    ran = box.boost("program.py")
    assert ran.out == "0\n" and "ignored" not in ran.said, ran.said


def test_nor_in_a_recorded_run(box):
    box.write("program.py", GARBAGE + SIGNALS)
    ran = box._run([sys.executable, "-m", "firststep.cli", "record", "-o", "a.trace", "--", sys.executable, "program.py"])
    assert ran.out == "0\n" and "ignored" not in ran.said, ran.said
