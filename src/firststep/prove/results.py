"""Did both sides compute the same? Plain runs against each other first, then treated ones against them.

What the plain runs agree on can be compared; a result on which they do not makes the program not reproducible.
A random stream that was never seeded stands elsewhere each time: of it, how far it has gone is compared, and another only where no
treated run went as far as a plain one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from firststep.model.words import count
from firststep.prove.run import ComparedRun, Digest
from firststep.prove.variables import match

STREAM = "stream"
WEIGHTS = "weights"
WHAT = ("history", WEIGHTS, "outputs", "result", "stdout", STREAM)  # in the order of a report
Key = tuple[str, str]


@dataclass(frozen=True)
class Comparison:
    """compared: what was, and found: whether that is more than random streams. unstable: what a plain run has
    otherwise than another plain run; different: what a treated run has otherwise than all plain runs; renamed:
    variables that treated runs call otherwise. In words."""

    compared: tuple[str, ...] = ()
    unstable: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    found: bool = False
    renamed: tuple[str, ...] = ()

    @property
    def reproducible(self) -> bool:
        return not self.unstable


def compare(plain: Sequence[ComparedRun], treated: Sequence[ComparedRun]) -> Comparison:
    """Compares every run's results. `plain` holds at least one run."""
    first, *others = [_by_key(run.results) for run in plain]
    unstable: dict[Key, str] = {}
    unseeded: set[Key] = set()
    for key, words in _differences(first, others, unseeded=frozenset()):
        if key[0] == STREAM:
            unseeded.add(key)
        else:
            unstable.setdefault(key, words)
    jumpy = {key for key, _ in _differences(first, others, frozenset(unseeded)) if key[0] == STREAM}
    ignored = jumpy | set(unstable)
    under_test = [_by_key(run.results) for run in treated]
    found = _differences(first, under_test, frozenset(unseeded))
    by_chance = {key for key in unseeded if any(_went_as_far(first.get(key), run.get(key)) for run in under_test)}
    different = {key: words for key, words in found if key not in ignored | by_chance}
    keys = [key for key in first if key not in ignored]
    results = [_described(first[key]) for key in keys if key[0] != STREAM]
    return Comparison(
        compared=(*results, *_streams(keys, unseeded)),
        unstable=tuple(unstable.values()),
        different=tuple(different.values()),
        found=any(key[0] != STREAM for key in first),
        renamed=tuple(_renamed(first, under_test)),
    )


def _went_as_far(one: Digest | None, other: Digest | None) -> bool:
    """Whether two unseeded streams did. A number below a bound that is no power of two takes one word or, by chance, more: what is drawn as
    often in each run goes farther in some, and what is drawn once more goes farther in all."""
    return one is not None and other is not None and one.position == other.position


def _by_key(results: Iterable[Digest]) -> dict[Key, Digest]:
    """Several processes may have results of one name: together they count as one."""
    found: dict[Key, Digest] = {}
    for result in sorted(results, key=lambda each: (WHAT.index(each.what), each.name, each.digest)):
        key = (result.what, result.name)
        before = found.get(key)
        if before:
            joined = before.digest + result.digest
            result = Digest(*key, joined, before.count + result.count, None, before.values + result.values)
        found[key] = result
    return found


def _differences(
    first: dict[Key, Digest], others: Iterable[dict[Key, Digest]], unseeded: frozenset[Key]
) -> Iterable[tuple[Key, str]]:
    for other in others:
        for key in {**first, **other}:
            one, two = first.get(key), other.get(key)
            if one is None or two is None:
                yield key, f"{_title(key)}: only in one of the runs"
            elif key in unseeded:
                if one.position != two.position:
                    yield key, f"{_title(key)}: has gone {one.position} against {two.position}"
            elif one.digest != two.digest and (words := _difference(one, two)):
                yield key, f"{_title(key)}: {words}"


def _renamed(first: dict[Key, Digest], others: Iterable[dict[Key, Digest]]) -> Iterable[str]:
    keys = [key for key in first if key[0] == WEIGHTS]
    matches = [match(first[key], other[key]) for other in others for key in keys if key in other]
    pairs = {pair for each in matches if each for pair in each.renamed}
    return (f"{one} is called {two}" for one, two in sorted(pairs))


def _title(key: Key) -> str:
    what, name = key
    return {
        "history": "losses and metrics",
        WEIGHTS: "variables",
        "outputs": f"outputs of {name}",
        "result": f"result {name}",
        "stdout": "standard output",
        STREAM: f"random stream of {name}",
    }.get(what, f"{what} {name}")


def _streams(compared: Iterable[Key], unseeded: Collection[Key]) -> Iterable[str]:
    seeded = [name for what, name in compared if what == STREAM and (what, name) not in unseeded]
    others = [name for what, name in compared if what == STREAM and (what, name) in unseeded]
    if seeded:
        yield f"random streams of {', '.join(seeded)}"
    if others:
        yield f"how far the unseeded random streams of {', '.join(others)} have gone"


def _described(result: Digest) -> str:
    title = _title((result.what, result.name))
    if result.what == "history":
        return f"{title} of {count(result.count, 'epoch')}"
    if result.what == WEIGHTS:
        return count(result.count, "variable")
    if result.what == "outputs":
        return f"{title} ({count(result.count, 'call')})"
    return title


def _difference(one: Digest, two: Digest) -> str | None:
    """In words; None where only names of variables differ."""
    if one.count != two.count:
        return f"{one.count} against {two.count}"
    if one.what == WEIGHTS:
        return _unequal_variables(one, two)
    pairs = [(a, b) for a, b in zip(one.values, two.values, strict=False) if repr(a) != repr(b)]  # NaN is no difference
    if not pairs:
        return "not the same"
    a, b = pairs[0]
    if one.what == "history":
        name = next(name for name in {**a[1], **b[1]} if repr(a[1].get(name)) != repr(b[1].get(name)))
        return f"epoch {a[0]}: {name} {a[1].get(name)!r} against {b[1].get(name)!r}"
    return f"{a} against {b}"


def _unequal_variables(one: Digest, two: Digest) -> str | None:
    matched = match(one, two)
    if matched is None:
        return "not the same"
    names = matched.unequal
    return f"{len(names)} of {one.count} differ, the first is {names[0]}" if names else None
