"""`firststep cache`: what boost keeps on disk, and what it has saved."""

from __future__ import annotations

import os
from pathlib import Path

import click

from firststep.printable import fitted, one_line, show

UNKNOWN = ("programs that are not known", "-")  # what a damaged entry, or one of an older firststep, belongs to


@click.group("cache")
def command() -> None:
    """List, verify, prune or clear what boost keeps, and tell the seconds it has saved."""


@command.command("list")
def list_entries() -> int:
    """What is kept, per program, and the seconds saved so far."""
    from firststep.cache.entries import all_entries
    from firststep.cache.savings import load_all
    from firststep.model.words import count, size

    root = _root()
    entries = list(all_entries(root))
    show(fitted(f"{root}: {count(len(entries), 'entry', 'entries')}, {size(sum(entry.size for entry in entries))}"))
    by_program: dict[tuple[str, str], dict[str, list[int]]] = {}
    for entry in entries:
        owner = (entry.program, entry.prefix or "-") if entry.program else UNKNOWN
        by_program.setdefault(owner, {}).setdefault(entry.remedy, []).append(entry.size)
    for (program, prefix), kept in sorted(by_program.items()):
        show(fitted(f"  {one_line(program)}  [{one_line(prefix)}]"))
        parts = (f"{remedy} {size(sum(sizes))}" + (f" in {len(sizes)}" if len(sizes) > 1 else "") for remedy, sizes in sorted(kept.items()))
        show(fitted(f"      {', '.join(parts)}", " " * 8))
    accounts = [account for account in load_all(root) if account.runs]
    if accounts:
        show("saved so far")
    for account in accounts:
        show(fitted(f"  {max(0, account.saved_ns) / 1e9:8.1f} s in {count(account.runs, 'boosted start')} of {one_line(account.program)}"
                    f" (its learning run took {account.plain_ns / 1e9:.2f} s)", " " * 13))
    return 0


@command.command("functions")
def functions() -> int:
    """What the function cache keeps: each function, how often its answers were proved, and when last."""
    import time

    from firststep.cache.functions import all_functions
    from firststep.model.words import count

    kept = list(all_functions(_root()))
    if not kept:
        show("  no function is kept")
    for one in kept:
        last = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.last)) if one.proved else "-"
        state = "never used again" if one.bad else "answers" if one.confirmed else "learned"
        words = f"{one.function}  {state}, proved {count(one.proved, 'time')}, last {last}, of {one.program}"
        show(fitted(f"  {one_line(words)}"))
    return 0


@command.command("why")
@click.argument("function", required=False)
def why(function: str | None) -> int:
    """Why functions were learned anew: what of their keys no entry had, or what they read that was another."""
    import time

    from firststep.cache.functions import why_learned

    told = 0
    for one in why_learned(_root()):
        if function in (None, one.function):
            told += 1
            at = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.learned))
            show(fitted("  " + one_line(f"{one.function}  of {one.program}  learned {at}: {one.reason}")))
    if not told:
        show("no function is kept" + (f" of the name {one_line(function)}" if function else ""))
    return 0


@command.command("verify")
def verify() -> int:
    """Read every entry whole; remove those that are damaged."""
    from firststep import exit_codes
    from firststep.cache.entries import all_entries
    from firststep.model.words import count

    checked = damaged = 0
    for entry in all_entries(_root(), whole=True):
        checked += 1
        if entry.damage:
            damaged += 1
            show(f"{_remove(entry.path)} {entry.path}: {entry.damage}")
    show(f"{count(checked, 'entry', 'entries')} checked, {damaged} damaged")
    return exit_codes.FAILED if damaged else exit_codes.OK


@command.command("prune")
@click.option("--size", default=None, metavar="MEGABYTES", type=click.IntRange(min=0), help="Keep at most this much.")
def prune(size: int | None) -> int:
    """Remove what was used least recently, until the cache is within its bound."""
    from firststep.cache import prune as pruning
    from firststep.model.words import count
    from firststep.model.words import size as in_words

    removed = pruning.prune(_writable_root(), pruning.BOUND if size is None else size * 1024**2)
    show(f"removed {count(removed.files, 'file')}, {in_words(removed.size)}")
    return 0


@command.command("clear")
def clear() -> int:
    """Remove everything that boost has learned; the next start of each program learns anew."""
    from firststep.cache.clear import clear as clear_cache
    from firststep.model.words import size

    root = _writable_root()
    show(f"removed {size(clear_cache(root))} from {root}")
    return 0


def _root() -> Path:
    """The cache directory. The command is over where there is none yet: who looks for one makes none. Raises FirststepError where it is
    not this user's alone, as boost does not use it then."""
    from firststep import exit_codes
    from firststep.cache.place import ADVICE, cache_refused, named_root
    from firststep.errors import FirststepError

    root = Path(named_root())
    if not os.path.lexists(root):
        show(f"{root}: nothing is kept yet")
        raise click.exceptions.Exit(exit_codes.OK)
    if refused := cache_refused():
        raise FirststepError(refused.removesuffix(f": {ADVICE}"), "", ADVICE, exit_codes.CANNOT_READ)
    return root


def _writable_root() -> Path:
    """The same where something is to be removed from it. Raises FirststepError where nothing can be, as in an image."""
    from firststep import exit_codes
    from firststep.errors import FirststepError

    root = _root()
    if root.exists() and not os.access(root, os.W_OK):
        raise FirststepError(f"nothing can be removed from {root}", "it is read-only", "do it where it was made, or mount it writable",
                             exit_codes.CANNOT_WRITE)
    return root


def _remove(path: Path) -> str:
    """Removes a file; in a word what became of it."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return "cannot remove"
    return "removed"
