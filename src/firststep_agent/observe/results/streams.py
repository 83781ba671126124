"""Where the random streams of Python, NumPy, TensorFlow and Keras stand.

`position` is what can be compared of a stream that was never seeded: how far it has gone, not from where.
"""

import sys

from firststep_agent import streams
from firststep_agent.observe.results import digests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def records() -> "Iterator[dict[str, Any]]":
    for name, read in _STREAMS.items():
        found = read()
        if found is not None:
            state, position = found
            yield {"what": "stream", "name": name, "digest": digests.of_text(state), "position": position}


def _python() -> "tuple[str, Any] | None":
    random = streams.pythons()
    return _generator(random) if random else None


def _generator(generator: "Any") -> "tuple[str, Any]":
    """State and place of a Mersenne Twister of Python's."""
    state = generator.getstate()
    return repr(state), state[1][-1]


def _numpy() -> "tuple[str, Any] | None":
    mtrand = streams.numpys() or sys.modules.get("numpy.random")
    if mtrand is None or not hasattr(mtrand, "get_state"):
        return None
    kind, keys, position, *normal = mtrand.get_state()
    return repr((kind, keys.tolist(), position, normal)), position


def _tensorflow_seeds() -> "tuple[str, Any] | None":
    generator = streams.tensorflows()
    return _generator(generator) if generator else None


def _tensorflow_generator() -> "tuple[str, Any] | None":
    module = sys.modules.get("tensorflow.python.ops.stateful_random_ops")
    return _variable(getattr(module, "global_generator", None))


def _keras() -> "tuple[str, Any] | None":
    module = sys.modules.get("keras.src.backend.common.global_state")
    tracker = getattr(module, "GLOBAL_STATE_TRACKER", None)
    return _variable(getattr(tracker, "global_seed_generator", None))


def _variable(generator: "Any") -> "tuple[str, Any] | None":
    if generator is None:
        return None
    state = digests.as_array(generator.state).tolist()
    return repr(state), repr(state)


_STREAMS = {
    "Python": _python,
    "NumPy": _numpy,
    "TensorFlow's seeds": _tensorflow_seeds,
    "TensorFlow's generator": _tensorflow_generator,
    "Keras' seeds": _keras,
}
