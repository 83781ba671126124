"""An examination as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from firststep.doctor.examine import Examination

INDENT = 13  # columns before what is said of a topic


def lines(found: Examination) -> Iterator[str]:
    """The examination in plain words, one fact a line."""
    host = found.host
    yield f"interpreter  {found.executable}  Python {found.python or 'unknown'}"
    cpus = f"{host['usable_cpus']} of {host['cpus']} CPU{'s' * (host['cpus'] != 1)}"
    yield f"machine      {host['system']} {host['release']} {host['machine']}, {cpus}"
    yield f"agent        {'gets in' if found.entered else 'cannot get in'}"
    if found.packages:
        yield "frameworks   " + ", ".join(f"{name} {version}" for name, version in found.packages.items())
    elif found.entered:
        yield "frameworks   none: only the interpreter's own start is explained"
    if found.points and found.packages:
        yield from _points(found)
    for reason in found.untried:
        yield f"not boosted  {reason}; `--untested-versions` boosts it"
    yield "not seen"
    for limit in found.limits:
        yield f"  - {limit}"


def _points(found: Examination) -> Iterator[str]:
    there = [name for name, state in found.points.items() if state is True]
    yield f"places       {len(there)} of {len(found.points)} that are watched, replaced or read are there"
    for name, state in found.points.items():
        if state is not True:
            yield f"  missing  {name}  ({state})"
