"""Errors that a user sees: what, why, and what to type next; and the one way in which the tool speaks."""

from __future__ import annotations

import sys


class FirststepError(Exception):
    """A title, the reason, the next thing to type, and the exit code that scripts may rely on."""

    def __init__(self, title: str, reason: str = "", next_step: str = "", exit_code: int = 1) -> None:
        super().__init__(title)
        self.title = title
        self.reason = reason
        self.next_step = next_step
        self.exit_code = exit_code

    def message(self) -> str:
        lines = [f"firststep: {self.title}"]
        if self.reason:
            lines.append(f"  why:  {self.reason}")
        if self.next_step:
            lines.append(f"  next: {self.next_step}")
        return "\n".join(lines)


def reason_of(error: OSError) -> str:
    """Why the system said no, in its own words."""
    return error.strerror or str(error)


def say(text: str) -> None:
    """Prints to stderr. Where that is closed, or its reader has gone, the text is lost and nothing else happens."""
    if sys.stderr is None:
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass
