"""On a terminal, what firststep says has rows of its own, wherever the program has left the cursor."""

import sys

import pytest
from programs import FIRSTSTEP
from terminals import COLUMNS, Terminal, pyte

BAR = "1/20 ---- loss: 14.7"
SAYS = {"boost": "firststep: ready in", "record": "to the mark"}


def rows_of(folder, verb, text, **environment):
    """What a run leaves on a terminal that is high enough for all of it. text: what the program has written when it is ready."""
    (folder / "prog.py").write_text(f"import firststep, sys\nprint('begun', flush=True)\nsys.stdout.write({text!r})\nsys.stdout.flush()\n"
                                    "firststep.mark('here')\ninput()\nprint('after')\n")
    terminal = Terminal([*FIRSTSTEP, verb, "--until", "mark:here", "--", sys.executable, "prog.py"], folder,
                        XDG_CACHE_HOME=str(folder / "cache"), **environment)
    assert terminal.until(lambda one: SAYS[verb].encode() in one.written)
    terminal.type(b"\n")
    assert terminal.ended() == 0
    screen = pyte.Screen(COLUMNS, 200)
    pyte.ByteStream(screen).feed(terminal.written)
    return [line.rstrip() for line in screen.display]


@pytest.mark.parametrize("verb", SAYS)
@pytest.mark.parametrize("text", [BAR, BAR + "\n", "", "x" * COLUMNS, "\r" + BAR],
                         ids=["bar", "line", "nothing", "full-row", "turned-back"])
def test_it_begins_a_row_and_the_program_keeps_its_own(tmp_path, verb, text):
    rows = rows_of(tmp_path, verb, text)
    begun = rows.index("begun")
    assert rows[begun + 1] == text.strip() or not text
    told = next(row for row in rows[begun + 1 + bool(text):] if row)
    assert told.startswith("firststep") and SAYS[verb] in told
    assert "after" in rows


def test_where_the_terminal_is_too_simple_it_is_written_as_it_comes(tmp_path):
    assert any(row.startswith(BAR + SAYS["boost"]) for row in rows_of(tmp_path, "boost", BAR, TERM="dumb"))
