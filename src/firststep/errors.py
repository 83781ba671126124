"""Errors that a user sees: what, why, and what to type next."""

from __future__ import annotations

from firststep.printable import one_line


class FirststepError(Exception):
    """A title, the reason, the next thing to type, and the exit code that scripts may rely on."""

    def __init__(self, title: str, reason: str = "", next_step: str = "", exit_code: int = 1) -> None:
        super().__init__(title)
        self.title = title
        self.reason = reason
        self.next_step = next_step
        self.exit_code = exit_code

    def message(self) -> str:
        lines = [f"firststep: {one_line(self.title)}"]
        if self.reason:
            lines.append(f"  why:  {one_line(self.reason)}")
        if self.next_step:
            lines.append(f"  next: {one_line(self.next_step)}")
        return "\n".join(lines)


def reason_of(error: OSError) -> str:
    """Why the system said no, in its own words."""
    return error.strerror or str(error)
