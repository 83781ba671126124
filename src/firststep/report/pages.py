"""Causes explained: one page each, from the docstring of its module; all of them as docs/causes.md."""

from __future__ import annotations

from collections.abc import Iterator

from firststep.causes import GROUPS, Cause, all_causes

TITLE = "# Causes of a slow start"
WORDS = """Generated from the causes themselves (`src/firststep/causes`); `firststep explain CAUSE` prints one of them. Each finding
of a report names its cause, with what it costs this start, the evidence, the line, and what to do. *Boost* says which remedies of
`firststep boost` remove it with no edit; where none is named, an edit or a setting does."""


def page(cause: Cause) -> str:
    """What `firststep explain` prints."""
    remedies = ", ".join(cause.remedies) or "nothing; an edit or a setting does"
    watched = ", ".join(cause.watched) or "nothing that a plan can leave out"
    return f"{cause.id}\n\n{cause.page}\n\nBoost: {remedies}.\n\nWatched by: {watched}."


def catalogue() -> str:
    """Every cause with its title, by group."""
    return "\n".join(line for group in GROUPS for line in _group(group))


def _group(group: str) -> Iterator[str]:
    members = [cause for cause in all_causes() if cause.group == group]
    if members:
        yield group
        yield from (f"  {cause.id:38} {cause.title}" for cause in members)


def document() -> str:
    """docs/causes.md."""
    parts = [TITLE, WORDS]
    for group in GROUPS:
        members = [cause for cause in all_causes() if cause.group == group]
        if members:
            parts.append(f"## {group.capitalize()}")
            parts += [_section(cause) for cause in members]
    return "\n\n".join(parts) + "\n"


def _section(cause: Cause) -> str:
    body = "\n\n".join(_emphasised(part) for part in cause.page.split("\n\n"))
    boost = ", ".join(f"`{one}`" for one in cause.remedies) or "–"
    return f"### {cause.id}\n\n{body}\n\n*Boost:* {boost}"


def _emphasised(part: str) -> str:
    heading, colon, rest = part.partition(":")
    return f"*{heading}:*{rest}" if colon and heading in ("Symptom", "Why", "Confirmed by", "Remedy", "Source") else part


if __name__ == "__main__":
    print(document(), end="")
