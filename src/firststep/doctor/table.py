"""docs/frameworks.md: every place of the frameworks that the agent touches. `python -m firststep.doctor.table` writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firststep_agent.frameworks.points import READ, REPLACED, WRAPPED, Point, all_points
from firststep_agent.frameworks.versions import SHOWN, TRIED

HEAD = """# The places of the frameworks that firststep touches

Made from `src/firststep_agent/frameworks/tables` by `python -m firststep.doctor.table`; a test says when it is stale.
`firststep doctor -- python` says which of them an interpreter's frameworks have.

Remedies that rest on the inside of a package were tried on
"""
AFTER = """
Outside of that they refuse, with a line that says so; `firststep boost --untested-versions` allows them. What only watches
(`firststep record`) watches any version; its report says what was not tried, and what was not found.

Who stands at a place is named from the outside in; what is not said to stay is gone at ready.
"""
TITLES = {
    WRAPPED: "Wrapped: what listens before and after a call",
    REPLACED: "Replaced: a value of ours until its time",
    READ: "Read, and never replaced",
}


def document() -> str:
    """The whole page."""
    lines = [HEAD, *(f"- {SHOWN[package]} {_text(oldest)} to {_text(newest)}" for package, (oldest, newest) in TRIED.items()), AFTER]
    for how, title in TITLES.items():
        lines += [f"## {title}", "", "| place | versions | why | who | stays |", "|---|---|---|---|---|",
                  *_rows(point for point in all_points() if point.how == how), ""]
    return "\n".join(lines).rstrip() + "\n"


def _rows(points: Iterable[Point]) -> Iterator[str]:
    for point in points:
        yield f"| `{point.name}` | {point.versions} | {point.why} | {', '.join(point.users)} | {point.lasts or '–'} |"


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


if __name__ == "__main__":
    print(document(), end="")
