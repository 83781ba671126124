"""Pages of docs that hold one table, whose rows are written anew one by one: each says when it was measured."""

import time


def today():
    return time.strftime("%Y-%m-%d", time.gmtime())


def minutes(since):
    """How long it took, since a moment of `time.monotonic()`."""
    seconds = time.monotonic() - since
    return f"{seconds / 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"


def write(page, title, words, head, rows, order):
    """Writes the table of `page`: `rows` (first cell -> row) in place of the old rows of those names.

    order: first cells in the order of the table; what is in neither is dropped.
    """
    old = {}
    if page.exists():
        lines = [line for line in page.read_text().splitlines() if line.startswith("| ")]
        old = {line.split("|")[1].strip(): line for line in lines[1:]}
    kept = [rows.get(name, old.get(name)) for name in order]
    rule = "|---" * (head.count("|") - 1) + "|"
    page.write_text("\n".join([f"# {title}", "", words, "", head, rule, *filter(None, kept), ""]))
