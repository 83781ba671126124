"""What `.pth` files cost while Python came up: measured once more where that took long."""

from __future__ import annotations

from firststep.analyse.facts import Facts
from firststep.model.facts import PthFile


def pth_files(facts: Facts) -> tuple[PthFile, ...] | None:
    """Costliest first; None where it was not measured."""
    found = facts.trace.header.get("pth")
    if found is None:
        return None
    return tuple(sorted((PthFile(str(path), int(ns)) for path, ns in found), key=lambda one: -one.ns))
