"""A comparison on the terminal."""

from __future__ import annotations

import textwrap

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from firststep.prove.proof import Proof, headline, remarks, rows, verdict_words
from firststep.prove.verdict import UNCLEAR, ProofVerdict


def print_proof(proof: Proof, console: Console) -> None:
    """What is known, the verdict, its reasons, the table, the remarks."""
    judgement = proof.judgement
    known, verdict = headline(proof), verdict_words(proof)
    if known != verdict:
        console.print(f"[bold]{escape(known)}[/]", highlight=False)
    console.print(f"[bold {_colour(judgement.verdict)}]{verdict}[/]")
    for reason in judgement.reasons:
        _print_indented(console, reason)
    table = rows(proof)
    if table:
        console.print(_table(proof, table))
    for title, said in remarks(proof):
        console.print(f"[bold]{title}[/]")
        for words in said:
            _print_indented(console, words)


def _print_indented(console: Console, words: str) -> None:
    for line in textwrap.wrap(words, console.width, initial_indent="  ", subsequent_indent="    ", break_long_words=False,
                              break_on_hyphens=False):
        console.print(escape(line), highlight=False, soft_wrap=True)


def _table(proof: Proof, cells: list[tuple[str, str, str, str]]) -> Table:
    plain, treated = proof.question.sides
    table = Table(box=None, padding=(0, 2), header_style="bold")
    table.add_column("")
    for heading in (plain, treated, f"{plain} / {treated}"):
        table.add_column(heading, justify="right")
    for row in cells:
        table.add_row(*row)
    return table


def _colour(verdict: ProofVerdict) -> str:
    if verdict is ProofVerdict.FASTER:
        return "green"
    return "yellow" if verdict in UNCLEAR else "red"
