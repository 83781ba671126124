"""A comparison as Markdown, fit for a pull request."""

from __future__ import annotations

from firststep.diff.compare import Diff
from firststep.diff.rows import headline, remarks, rows, topics
from firststep.printable import code, one_line

OPEN = ("phases", "findings")  # topics that are not folded away


def as_markdown(diff: Diff, everything: bool) -> str:
    """A heading, what to know, and a table for each topic."""
    lines = [f"### firststep diff: {headline(diff)}", "", code(diff.program), ""]
    lines += [*(f"- {_words(words)}" for words in remarks(diff)), ""]
    for topic in topics(diff):
        shown, more = rows(topic, everything)
        folded = topic.name not in OPEN
        if folded:
            lines += [f"<details><summary>{topic.name}: {len(topic.changes)} changed</summary>", ""]
        lines += [f"| {topic.name} | before | after | change | noise |", "|---|---:|---:|---:|---:|"]
        lines += [f"| {code(row.name, cell=True)} | {row.before} | {row.after} | {row.by}{' (noise)' if row.within else ''} | {row.noise} |"
                  for row in shown]
        lines += ["", f"{more:,} more", ""] if more else [""]
        if folded:
            lines += ["</details>", ""]
    return "\n".join(lines)


def _words(words: str) -> str:
    """A sentence of ours, whose values are anybody's."""
    what, colon, values = one_line(words).partition(": ")
    return f"{what}: {code(values)}" if colon else what
