"""Python loops that have left all their rounds in a graph.

What a loop's rounds make has names that differ by their numbers alone (`MatMul_599`, `cell_7/MatMul`), and comes from the very same lines.
Names are looked at first, for tracebacks take 60 microseconds each.
"""

import re
from collections import Counter
from itertools import takewhile

from firststep_agent.ownership import is_programs_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    _Made = tuple[Any, list[Any], str]

LEAST = 200  # operations of a graph; a smaller one costs little, whatever is in it
ROUNDS = 50
MOST_KINDS = 20  # of operations, those that there are most of, for which a loop is looked for
LOOKED_AT = 1000  # operations of a graph, where a loop was found
GOLDEN = 0.618033988749895  # part of a graph from one to the next: so they fall into step with no loop's rounds
FEW_READS = 4  # of variables, among those: fewer show nothing
SAYS_NOTHING = frozenset(("Const", "Identity", "NoOp", "Placeholder", "ReadVariableOp"))  # what comes with what is computed
GRADIENTS = ("/tensorflow/python/eager/backprop.py", "/tensorflow/python/ops/gradients_util.py")
OF_GRADIENTS = "gradient_tape/"  # the scope that a tape gives to what it adds
TRACER = "func_graph_from_py_func"  # which calls the function that is traced
_NUMBER = re.compile(r"_\d{1,6}(?=/|$)")


def repeated(operations: "Sequence[Any]") -> "dict[str, Any]":
    """{"repeated": [type of operation, how many, "file:line", part of the graph]} where a loop has been unrolled.

    The line is that of the loop that made the last of them.
    """
    if len(operations) < LEAST:
        return {}
    alike: dict[tuple[str, str], list[Any]] = {}  # (type, name without numbers): [how many, the last]
    for operation in operations:
        if operation.type not in SAYS_NOTHING and not operation.name.startswith(OF_GRADIENTS):
            found = alike.setdefault((operation.type, _NUMBER.sub("", operation.name)), [0, None])
            found[0] += 1
            found[1] = operation
    most = sorted(((times, kind, last) for (kind, _), (times, last) in alike.items() if times >= ROUNDS),
                  key=lambda one: one[0], reverse=True)
    step = max(1.0, len(operations) / LOOKED_AT)
    some: list[_Made] = []
    uses: Counter[str] = Counter()
    looked_at: dict[str, float | None] = {}
    for times, kind, last in most[:MOST_KINDS]:
        place = _loop_around(_frames(last)[0])
        if place and place not in looked_at:
            some = some or _some(operations if step == 1 else _spread(operations))
            uses = uses or _uses(operations)
            looked_at[place] = _part_in(place, some, step, uses)
        if looked_at.get(place) is not None:
            return {"repeated": [kind, times, place, looked_at[place]]}
    return {}


def _spread(operations: "Sequence[Any]") -> "list[Any]":
    return [operations[int(number * GOLDEN % 1 * len(operations))] for number in range(LOOKED_AT)]


def _some(operations: "Sequence[Any]") -> "list[_Made]":
    """Those that are no gradients: each with the frames that made it and the loop among them."""
    made = ((one, *_frames(one)) for one in operations)
    return [(one, frames, _loop_around(frames)) for one, frames, is_of_gradients in made if not is_of_gradients]


def _uses(operations: "Sequence[Any]") -> "Counter[str]":
    """How many operations of a graph take each variable."""
    return Counter(name for one in operations for name in _variables(one))


def _variables(operation: "Any") -> "list[str]":
    return [tensor.name for tensor in operation.inputs if tensor.dtype.name == "resource"]


def _part_in(place: str, some: "list[_Made]", step: float, uses: "Counter[str]") -> "float | None":
    """Which part of a graph's operations, gradients apart, a loop has made, by some of them: one in so many. None where no loop of a graph
    could make them: few rounds, or of other lines each, or about other variables each, as a loop over a model's."""
    inside = [(one, frames) for one, frames, loop in some if loop == place]
    lines = Counter((one.type, *((frame.filename, frame.lineno) for frame in frames)) for one, frames in inside)
    used = [name for one, _ in inside for name in _variables(one)]
    rounds: list[float] = [max(lines.values(), default=0) * step]
    if len(used) >= FEW_READS:
        each = set(used)
        rounds.append(min(sum(uses[name] for name in each), len(used) * step) / len(each))  # some of many: each once says nothing
    return round(len(inside) / len(some), 2) if min(rounds) >= ROUNDS / 2 else None


def _loop_around(frames: "Iterable[Any]") -> str:
    """The innermost loop of the program's own files in which an operation was made, as "file:line"; empty where none is seen."""
    from firststep_agent.observe.labels.loops import loop_around  # few programs need it

    for frame in filter(_is_programs, frames):
        line = loop_around(frame.filename, frame.lineno)
        if line is not None:
            return f"{frame.filename}:{line}"
    return ""


def _is_programs(frame: "Any") -> bool:
    return is_programs_line(frame.filename)


def _frames(operation: "Any") -> "tuple[list[Any], bool]":
    """The frames that made an operation, innermost first, as far as to the framework's code that traces the function, or that asked for
    the operation as a gradient; and whether it is one of those, which no line of the program's made."""
    traceback = list(reversed(getattr(operation, "traceback", None) or ()))
    frames = list(takewhile(_is_inside, traceback))
    asked_by = traceback[len(frames):len(frames) + 1]
    return frames, any(one.filename.endswith(GRADIENTS) for one in asked_by) and not any(map(_is_programs, frames))


def _is_inside(frame: "Any") -> bool:
    return frame.name != TRACER and not frame.filename.endswith(GRADIENTS)
