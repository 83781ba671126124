"""Where the random streams of a process stand: Python's, NumPy's, TensorFlow's; and what else libraries count while they trace: Keras the
names that it makes, TensorFlow the messages that it says only so many times (`counted`).

A trace that moves a random stream outside a repeated build is not kept: a replay would leave the stream where it was. NumPy's can be put
to where the trace leaves it, where it stands as it did before the trace: in a program that has seeded it. Counters are moved as the trace
moves them.
"""

import sys

from firststep_agent import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType
    from typing import Any

_NAMES = "Keras's counters of names"
NUMPYS = "NumPy's random"
_TENSORFLOWS = "TensorFlow's counters"
_COUNTERS = _NAMES, _TENSORFLOWS
_FRESH_AT = 623  # where NumPy's generator stands when NumPy has made it, and nobody has drawn from it


def pythons() -> "ModuleType | None":
    """Python's module `random`, None where nobody has imported it."""
    return sys.modules.get("random")


def numpys() -> "ModuleType | None":
    """NumPy's module that holds its own generator, None where nobody has: NumPy imports it when it is first used."""
    return sys.modules.get("numpy.random.mtrand")


def tensorflows() -> "Any":
    """The generator of seeds for TensorFlow's eager operations, a `random.Random`; None where there is none yet."""
    return getattr(tensorflow_context(), "_rng", None)


def seeds_position() -> "Any":
    """Where that generator stands, None where there is none yet."""
    seeds = tensorflows()
    return None if seeds is None else seeds.getstate()


def tensorflow_context() -> "Any":
    """TensorFlow's context of this process, None where there is none yet."""
    return getattr(sys.modules.get("tensorflow.python.eager.context"), "_context", None)


def keeps_one(value: object) -> bool:
    """Whether it is the object that keeps the place of Python's, NumPy's or TensorFlow's."""
    keepers = getattr(pythons(), "_inst", None), getattr(numpys(), "_rand", None), tensorflows()
    return value is not None and any(value is keeper for keeper in keepers)


def positions() -> "dict[str, Any]":
    """The state of every stream there is now, to be compared with `drew` and put back with `take_back`."""
    found = {}
    random, mtrand, seeds = pythons(), numpys(), seeds_position()
    if random is not None:
        found["Python's random"] = random.getstate()
    if mtrand is not None:
        found[NUMPYS] = _numpy_state(mtrand)
    if seeds is not None:
        found["TensorFlow's eager seeds"] = seeds
    found[_NAMES] = names()
    found[_TENSORFLOWS] = counted.now()
    return found


def eager_seeds(positions: "Any") -> "Any":
    """Where the stream stands that gives TensorFlow's eager random operations their seeds."""
    return positions.get("TensorFlow's eager seeds")


def drew(before: "Any", after: "dict[str, Any]", but: "Iterable[str]" = ()) -> "str | None":
    """The name of a stream that is not where it was, or None; `but` for these. NumPy's, imported meanwhile, has moved if it was drawn
    from."""
    for name in after.keys() - {*_COUNTERS, *but}:
        if before.get(name) != after[name] and (name in before or not _is_fresh(after[name])):
            return name
    return None


def _is_fresh(position: "tuple[object, ...]") -> bool:
    """Whether it is NumPy's, as it comes out of its seed."""
    return len(position) > 2 and position[0] == "MT19937" and position[2] == _FRESH_AT


def take_back(before: "dict[str, Any]", beside_others: bool) -> None:
    """Puts Python's, NumPy's and TensorFlow's streams and the counters back to `before`.

    beside_others: whether other threads may have drawn or counted meanwhile. What is theirs as well is left alone then, all but Keras's
    counters, of which each thread has its own: what is undone draws from no stream, or it would not have been kept.
    """
    names_by_prefix = counters()
    if names_by_prefix is not None:
        names_by_prefix.clear()
        names_by_prefix.update(before[_NAMES])
    if beside_others:
        return
    if "Python's random" in before:
        pythons().setstate(before["Python's random"])
    if NUMPYS in before:
        put_numpys(before[NUMPYS])
    if "TensorFlow's eager seeds" in before:
        tensorflows().setstate(before["TensorFlow's eager seeds"])
    counted.restore(before[_TENSORFLOWS])


def put_numpys(position: "tuple[Any, ...]") -> None:
    """Puts NumPy's stream there."""
    name, keys, *rest = position
    numpy = sys.modules["numpy"]
    numpys().set_state((name, numpy.frombuffer(keys, dtype=numpy.uint32), *rest))


def told(position: "tuple[Any, ...]") -> "list[Any]":
    """A position of NumPy's stream as JSON-able data; `untold` gives it again."""
    name, keys, *rest = position
    return [name, keys.hex(), *rest]


def untold(data: "list[Any]") -> "tuple[Any, ...]":
    """What `told` was given."""
    name, keys, *rest = data
    return (name, bytes.fromhex(keys), *rest)


def numpys_position() -> "tuple[Any, ...] | None":
    """Where NumPy's stream stands, None where there is none."""
    mtrand = numpys()
    return None if mtrand is None else _numpy_state(mtrand)


def stands_elsewhere(drawn: "Any") -> bool:
    """Whether NumPy's stream, from which a trace drew, is not where it was before that. drawn: where it stood before and after, each as
    `told`; None where it was not drawn from."""
    return bool(drawn) and numpys_position() != untold(drawn[0])


def draw(drawn: "list[list[Any]] | None") -> None:
    """Moves NumPy's stream as the trace did."""
    if drawn:
        put_numpys(untold(drawn[1]))


def draw_back(drawn: "list[list[Any]] | None") -> None:
    """Undoes `draw`."""
    if drawn:
        put_numpys(untold(drawn[0]))


def names() -> "dict[str, int]":
    """Keras 3's counters of automatic names in this thread, copied: {prefix: count}."""
    return dict(counters() or {})


def counters() -> "Any":
    """The counters themselves, or None where there are none yet."""
    module = sys.modules.get("keras.src.backend.common.global_state")
    return module and module.get_global_attribute("object_name_uids")


def moved(before: "Any", after: "dict[str, int]") -> "dict[str, int]":
    """How far the counters went from one `names` to another: {prefix: count}."""
    return {prefix: count - before.get(prefix, 0) for prefix, count in after.items() if count != before.get(prefix, 0)}


def add(counts: "dict[str, int]", more: "dict[str, int]") -> None:
    """Adds {prefix: count} to another."""
    for prefix, count in more.items():
        counts[prefix] = counts.get(prefix, 0) + count


def move_names(moved: "dict[str, int]") -> None:
    """Moves Keras's counters of automatic names: {prefix: by how much}."""
    if not moved:
        return
    import collections

    from keras.src.backend.common import global_state

    counters = global_state.get_global_attribute("object_name_uids", default=collections.defaultdict(int),
                                                 set_to_default=True)
    for prefix, count in moved.items():
        counters[prefix] += count


def move_names_back(moved: "dict[str, int]") -> None:
    """Undoes `move_names`."""
    move_names({prefix: -count for prefix, count in moved.items()})


def _numpy_state(mtrand: "Any") -> "tuple[Any, ...]":
    name, keys, *rest = mtrand.get_state()
    return (name, keys.tobytes(), *rest)
