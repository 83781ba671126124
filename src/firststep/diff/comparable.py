"""What stands in the way of comparing starts: they are not of one program, one interpreter, one framework, one machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firststep.model.facts import Identity
from firststep.model.words import cpu_count

NOT_READY = "its end, without being ready"
UNKNOWN = ""  # stands in nobody's way
MAIN = ("tensorflow", "tensorflow-cpu", "keras", "tf_keras")  # other versions of these are another program


def in_the_way(before: Sequence[Identity], after: Sequence[Identity]) -> list[str]:
    """In words, what makes the two sides no measurements of one thing; empty where nothing does."""
    found = [*_mixed(before, "before"), *_mixed(after, "after")]
    for what, of in DIFFERENCES:
        left, right = _values(before, of), _values(after, of)
        if left and right and left != right and not (what == "programs" and _same_program(before, after)):
            found.append(f"other {what}: {' and '.join(left)}; {' and '.join(right)}")
    return [*found, *_watched_otherwise(before, after)]


def _watched_otherwise(before: Sequence[Identity], after: Sequence[Identity]) -> list[str]:
    """What was watched on one side only: its time is some other phase's on the other."""
    left, right = ({name for one in side for name in one.observed} for side in (before, after))
    return [f"watched {when} only: {', '.join(sorted(names))}" for when, names in (("before", left - right), ("after", right - left))
            if names]


def worth_knowing(before: Sequence[Identity], after: Sequence[Identity]) -> list[str]:
    """What differs and may be the very thing that is compared."""
    return [f"other {what}: {' and '.join(left) or 'none'}; {' and '.join(right) or 'none'}" for what, of in NOTED
            if (left := _values(before, of)) != (right := _values(after, of))]


def _mixed(side: Sequence[Identity], name: str) -> list[str]:
    return [f"the traces of the side {name} are of several {what}: {', '.join(values)}" for what, of in DIFFERENCES
            if len(values := _values(side, of)) > 1]


def _values(side: Sequence[Identity], of: Callable[[Identity], str]) -> list[str]:
    return sorted({of(one) for one in side} - {UNKNOWN})


def _same_program(before: Sequence[Identity], after: Sequence[Identity]) -> bool:
    """A checkout elsewhere holds the same script: the path of one is the end of the other's."""
    return all(ends_alike(one.program, other.program) for one in before for other in after)


def ends_alike(one: str, other: str) -> bool:
    """Whether one path may be the other, seen from another folder."""
    shorter, longer = sorted((one.split("/"), other.split("/")), key=len)
    return bool(one and other) and longer[len(longer) - len(shorter) :] == shorter


def _python(one: Identity) -> str:
    return ".".join(one.python.split(".")[:2])


def _frameworks(one: Identity) -> str:
    return ", ".join(f"{name} {one.packages[name]}" for name in MAIN if name in one.packages)


def _others(one: Identity) -> str:
    return ", ".join(f"{name} {version}" for name, version in one.packages.items() if name not in MAIN)


def _machine(one: Identity) -> str:
    return f"{one.cpu}, {cpu_count(one.cpus)}" if one.cpu else UNKNOWN


DIFFERENCES: Sequence[tuple[str, Callable[[Identity], str]]] = (
    ("programs", lambda one: one.program),
    ("versions of Python", _python),
    ("versions of frameworks", _frameworks),
    ("architectures", lambda one: one.architecture),
    ("machines", _machine),
    ("moments of ready", lambda one: one.ready or NOT_READY),
    ("things to wait for", lambda one: " ".join(one.until)),
)
NOTED: Sequence[tuple[str, Callable[[Identity], str]]] = (
    ("arguments", lambda one: " ".join(one.arguments)),
    ("patch versions of Python", lambda one: one.python),
    ("versions of libraries", _others),
    ("remedies of boost", lambda one: ", ".join(one.boosted)),
)
