"""The one place where text becomes fit for a terminal, and the one way in which the tool prints.

Names of files, words of command lines, labels and messages are anybody's: none of them may move the cursor, colour the screen,
turn the direction of the text, or stop the printing because the terminal's encoding does not have it.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # the module `typing` would cost each start 10 ms
if TYPE_CHECKING:
    from typing import IO, Any

    from rich.console import Console

verbose = quiet = no_color = False  # as the command line says
WIDTH = 80  # columns of the narrowest usual terminal
STAND_IN = "\N{REPLACEMENT CHARACTER}"
_KEPT = "\n\t"
# beside the control characters: marks that turn the direction of what follows, that end lines, and that are not seen
_UNSEEN = [0x00AD, 0x061C, 0x180E, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC)]
_CONTROLS = [code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in _KEPT]
_TABLE = dict.fromkeys((*_CONTROLS, *_UNSEEN, *range(917504, 917632)), STAND_IN)


def printable(text: str) -> str:
    """The text with every character that would do something to a terminal replaced; lines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(STAND_IN if 0xD800 <= ord(character) < 0xE000 else character for character in text.translate(_TABLE))


def one_line(text: str) -> str:
    """The same where only one line has its place: a name with a line end in it does not begin a line of its own."""
    return printable(text).translate({10: STAND_IN, 9: " "})


def fitted(text: str, indent: str = "    ") -> str:
    """One line of text on as many as it takes within WIDTH, the further ones indented; a word that is longer, as a path, stays whole."""
    if len(text) <= WIDTH:
        return text
    import textwrap

    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def filled(text: str, indent: str = "") -> str:
    """Paragraphs, with an empty line between each two, on lines within WIDTH that all begin with `indent`; long words stay whole."""
    import textwrap

    return "\n\n".join(textwrap.fill(part, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                                     break_on_hyphens=False) for part in text.split("\n\n"))


def code(text: str, *, cell: bool = False) -> str:
    """The text on one line as code in Markdown: no markup, no HTML, no mention and no link comes of it. cell: of a table."""
    import re

    text = one_line(text).replace("|", "\\|" if cell else "|")
    runs = {len(run) for run in re.findall("`+", text)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    room = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{fence}{room}{text}{room}{fence}"


def console(file: IO[str], **settings: Any) -> Console:
    """A console of rich's that prints what is printable."""
    from rich.console import Console
    from rich.segment import Segment

    class PrintableConsole(Console):
        def render(self, renderable: Any, options: Any = None) -> Any:
            for part in super().render(renderable, options):
                yield part if part.control else Segment(printable(part.text), part.style)

    if no_color:
        settings["no_color"] = True
    return PrintableConsole(file=file, highlight=False, emoji=False, **settings)


def show(text: str) -> None:
    """Prints to stdout. Raises BrokenPipeError where nobody reads it."""
    if sys.stdout is not None:
        _write(sys.stdout, text)


def say(text: str, *, error: bool = False) -> None:
    """Prints to stderr; under -q, errors alone. Where that is closed, or its reader has gone, the text is lost and nothing else happens."""
    if sys.stderr is None or quiet and not error:
        return
    try:
        _write(sys.stderr, text)
    except (OSError, ValueError):
        pass


def say_beside(text: str) -> None:
    """The same beside a program that writes to the same terminal: on rows of its own."""
    begin_row()
    say(text)


def may_move_the_cursor() -> bool:
    """False where nobody could see it, or it could do harm, whether stderr is a terminal or not: -q, a terminal without such rows."""
    return sys.stderr is not None and not quiet and os.environ.get("TERM", "") not in ("", "dumb")


def begin_row() -> None:
    """Puts the cursor of stderr's terminal at the beginning of a row: a program may have left it behind half a progress bar.

    A row's width of spaces reaches the next row from everywhere but from the beginning of one, where the terminal waits at the
    last column for one more character: so does zsh before its prompt.
    """
    if not may_move_the_cursor():
        return
    try:
        sys.stderr.write(" " * os.get_terminal_size(sys.stderr.fileno()).columns + "\r")
    except (OSError, ValueError, AttributeError):
        pass  # no terminal


def _write(file: IO[str], text: str) -> None:
    encoding = getattr(file, "encoding", None) or "utf-8"
    file.write(printable(text).encode(encoding, "replace").decode(encoding) + "\n")
    file.flush()
