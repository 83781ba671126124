"""A comparison as Markdown, fit for a pull request."""

from __future__ import annotations

from firststep.prove.proof import Proof, headline, remarks, rows, verdict_words


def as_markdown(proof: Proof) -> str:
    """A heading with the verdict, the reasons, the table, and the rest folded away."""
    plain, treated = proof.question.sides
    lines = [f"### firststep prove: {verdict_words(proof)}", "", headline(proof), "", f"`{proof.command}`"]
    if proof.baseline:
        lines += ["", f"against `{proof.baseline}`"]
    lines += ["", *(f"- {_plain(reason)}" for reason in proof.judgement.reasons), ""]
    table = rows(proof)
    if table:
        lines += [f"| | {plain} | {treated} | {plain} / {treated} |", "|---|---:|---:|---:|"]
        lines += [f"| {' | '.join(row)} |" for row in table]
        lines += [""]
    lines += ["<details><summary>What was compared, and how</summary>", ""]
    for title, said in remarks(proof):
        lines += [f"**{title}**", "", *(f"- {_plain(words)}" for words in said), ""]
    return "\n".join([*lines, "</details>", ""])


def _plain(text: str) -> str:
    """What a program printed must not become Markdown."""
    return text.strip().replace("<", "&lt;").replace("|", "\\|")
