"""`firststep cache`: what boost keeps on disk, and what it has saved."""

from __future__ import annotations

import click


@click.group("cache")
def command() -> None:
    """List, verify, prune or clear what boost keeps, and tell the seconds it has saved."""


@command.command("list")
def list_entries() -> int:
    """What is kept, per program, and the seconds saved so far."""
    from firststep.cache.entries import all_entries
    from firststep.cache.place import cache_root
    from firststep.cache.savings import load_all

    root = cache_root()
    entries = list(all_entries(root))
    print(f"{root}: {len(entries)} entries, {_size(sum(entry.size for entry in entries))}")
    by_program: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        owner = (entry.program or "-", entry.prefix or "-")
        by_program.setdefault(owner, []).append(f"{entry.remedy} {_size(entry.size)}")
    for (program, prefix), kept in sorted(by_program.items()):
        print(f"  {program}  [{prefix}]\n      {', '.join(sorted(kept))}")
    accounts = load_all(root)
    if accounts:
        print("saved so far")
    for account in accounts:
        print(f"  {account.saved_ns / 1e9:8.1f} s in {account.runs} boosted starts of {account.program}"
              f" (plainly {account.plain_ns / 1e9:.2f} s)")
    return 0


@command.command("verify")
def verify() -> int:
    """Read every entry whole; remove those that are damaged."""
    from firststep import exit_codes
    from firststep.cache.entries import all_entries, damage
    from firststep.cache.place import cache_root

    checked = damaged = 0
    for entry in all_entries(cache_root()):
        checked += 1
        reason = damage(entry.path)
        if reason:
            damaged += 1
            entry.path.unlink(missing_ok=True)
            print(f"removed {entry.path}: {reason}")
    print(f"{checked} entries checked, {damaged} damaged")
    return exit_codes.FAILED if damaged else exit_codes.OK


@command.command("prune")
@click.option("--size", default=None, metavar="MEGABYTES", type=click.IntRange(min=0), help="Keep at most this much.")
def prune(size: int | None) -> int:
    """Remove what was used least recently, until the cache is within its bound."""
    from firststep.cache import prune as pruning
    from firststep.cache.place import cache_root

    removed = pruning.prune(cache_root(), pruning.BOUND if size is None else size * 1024**2)
    print(f"removed {removed.files} files, {_size(removed.size)}")
    return 0


@command.command("clear")
def clear() -> int:
    """Remove everything that boost has learned; the next start of each program learns anew."""
    from firststep.cache.clear import clear as clear_cache
    from firststep.cache.place import cache_root

    root = cache_root()
    print(f"removed {_size(clear_cache(root))} from {root}")
    return 0


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
