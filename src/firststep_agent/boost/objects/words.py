"""Objects and differences in words that a user can act on."""

import itertools
import sys
import types

from firststep_agent import kinds, ownership
from firststep_agent.as_found import os
from firststep_agent.boost.objects import roots
from firststep_agent.boost.objects.attributes import held
from firststep_agent.boost.objects.parts import naming
from firststep_agent.boost.objects.parts.containers import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from firststep_agent.boost.objects.walk import Walk


def place(code: "types.CodeType", line: "int | None" = None) -> str:
    """`train.py:31` of a code object, by default of its first line."""
    return f"{os.path.basename(code.co_filename)}:{line or code.co_firstlineno}"


def of_code(code: "types.CodeType", line: "int | None" = None) -> str:
    """`name` (file:line), without the line where the file was generated."""
    if "__autograph_generated_file" in code.co_filename:
        return f"`{function_name(code)}`"
    return f"`{function_name(code)}` ({place(code, line)})"


def function_name(code: "types.CodeType") -> str:
    """A code object's name as the user wrote it (AutoGraph's conversion renames it)."""
    name = code.co_name
    return name[4:] if name.startswith("tf__") else name


def holder(found: "Walk", number: int, step: "str | None" = None) -> "tuple[str, str]":
    """(owner in words, expression) for an object of a walk, or for what is one step below it.

    "layer `Attention` keeps it in `self._lock`" needs the owner and the expression.
    """
    steps = []
    at, last = number, step
    while True:
        if last is not None:
            owner = found.objects[at]
            steps.append(_by_key(owner, last))
            if last[0] == "." and last[1] != "." and not kinds.is_a(owner, type) and ownership.is_user_class(type(owner)):
                return f"{_kind(owner)} `{kinds.qualname(type(owner))}`", "self." + spell(steps[::-1])
            if last.startswith(("global ", "cell ")) and type(owner) is types.FunctionType and ownership.is_user(owner):
                return f"`{owner.__qualname__}` ({place(owner.__code__)})", spell(steps[::-1])
        parent, above = found.parents[at]
        if parent < 0:
            return f"`{held(roots.innermost(found.objects[0]), '__qualname__') or 'it'}`", spell(steps[::-1])
        at, last = parent, above


_KEYS = kinds.numbers((str, int))


def _by_key(owner: "Any", step: str) -> str:
    """The step to a dictionary's value, with its key where that is a text or a number."""
    if step[0] != "@" or not kinds.is_a(owner, dict):
        return step
    keys = dict.keys(owner) if owner is not sys.modules else (name for name, _ in entries(owner))  # as a walk counts them
    key = next(itertools.islice(keys, int(step[1:]), None), None)
    return f"@{key!r}" if id(type(key)) in _KEYS else step


def opaque(found: "Walk", number: int) -> str:
    """Why an object that cannot be digested stops the caching."""
    what = found.lines[number].partition("\x1f")[0].lstrip("!")
    owner, expression = holder(found, number)
    return f"{owner} keeps {what} in `{expression}`, which cannot be compared with another run's"


def _kind(owner: "Any") -> str:
    names = {kinds.name(base) for base in kinds.mro(type(owner))}
    for kind in ("Model", "Layer", "Optimizer", "Loss", "Metric"):
        if kind in names:
            return kind.lower()
    return "object"


def spell(steps: "Iterable[str]") -> str:
    text = ""
    for step in steps:
        if step[0] == ".":
            text += "." + step.lstrip(".")
        elif step[0] in "#@":
            text += f"[{step[1:]}]"
        elif step.startswith(("global ", "cell ", naming.TOLD)):
            text += ("." if text else "") + step.partition(" ")[2]
        elif step not in ("deref", "func", "self", "python_function", "class"):
            text += f"<{step}>"
    return text.lstrip(".") or "it"


def difference(found: "Walk", before: "Sequence[str]") -> str:
    """The first difference between the lines recorded on the learning run and the walk of this process, in words."""
    for number, line in enumerate(found.lines):
        if number >= len(before):
            break
        if line != before[number]:
            return _line_difference(found, number, before[number].split("\x1f"), line.split("\x1f"))
    return "more or fewer objects are reached than on the learning run"


def differences(found: "Walk", before: "Sequence[str]") -> "list[str]":
    """The places at which the walk of this process differs from the recorded lines, as paths. From the first one on at which it goes
    another way, the lines are of other objects; so it is where there are too many places."""
    places: dict[str, None] = {}
    for number, (line, was) in enumerate(zip(found.lines, before)):
        if line == was:
            continue
        now, then = line.split("\x1f"), was.split("\x1f")
        steps = _steps_that_differ(now[1:], then[1:])
        path = " ".join(found.path(number))
        if steps is None or len(places) + len(steps) > _PLACES:
            places[f"what is at {path}"] = None
            return list(places)
        if now[0] != then[0]:
            places[path] = None
        places.update(dict.fromkeys(f"{path} {step}" for step in steps))
    if len(found.lines) != len(before):
        places["how much there is"] = None
    return list(places)


_PLACES = 64
_CONTENTS = ("array", "tensor")  # what is called so ends with a digest of its values


def _steps_that_differ(now: "list[str]", before: "list[str]") -> "list[str] | None":
    """Those at which there is another plain value; None where the difference is of another kind."""
    new, old = dict(map(_split, now)), dict(map(_split, before))
    if list(new) != list(old):
        return None
    differing = [step for step, word in new.items() if word != old[step]]
    return None if any("@" in (new[step][:1], old[step][:1]) for step in differing) else differing


def _line_difference(found: "Walk", number: int, before: "list[str]", now: "list[str]") -> str:
    owner, expression = holder(found, number)
    if before[0] != now[0]:
        kind, name, _ = (now[0] + "  ").split(" ", 2)
        if kind == "fn" and before[0].startswith(f"fn {name} "):
            return f"{owner}: {'its code' if expression == 'it' else f'the code of `{expression}`'} has changed"
        if kind in _CONTENTS and now[0].rpartition(" ")[0] == before[0].rpartition(" ")[0]:
            return f"{owner}: `{expression}` holds other values than it did: {_short(now[0].rpartition(' ')[0].partition(' /job')[0])}"
        return f"{owner}: `{expression}` is {_short(now[0])}, it was {_short(before[0])}"
    old = dict(_split(part) for part in before[1:])
    new = dict(_split(part) for part in now[1:])
    for step in {**old, **new}:
        if old.get(step) == new.get(step):
            continue
        owner, expression = holder(found, number, step)
        word, was = new.get(step), old.get(step)
        if word and was and word[0] == was[0] == "@":
            return f"{owner}: `{expression}` is not the object that it was"
        return f"{owner}: `{expression}` is {_value(word)}, it was {_value(was)}"
    return f"{owner}: the order of `{expression}` changed"


def _split(part: str) -> "tuple[str, str]":
    step, _, word = part.partition("=")
    return step, word


def _value(word: "str | None") -> str:
    if word is None:
        return "absent"
    if word[0] == "@":
        return "another object"
    return _short(word[1:] if word[0] in "isSfbj" else word)


def _short(text: str) -> str:
    text = text.replace("\n", " ")
    return text if len(text) <= 80 else text[:77] + "..."
