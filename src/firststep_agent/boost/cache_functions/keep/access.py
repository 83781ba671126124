"""Access paths from a traced callable, in both directions, with None for what is not there."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

GLOBAL_SEED = ["the state of Keras's global seed generator"]  # it hangs on no object of the program, nor does the next
GENERATOR = "the state of TensorFlow's global generator"
WRITER, STEP = "the writer of summaries around the call", "the step of summaries around the call"


def finder(function: "Any") -> "Callable[[Any], list[str] | None]":
    """path_of(object) -> JSON-able path from the callable, or None."""
    from firststep_agent.boost.objects import paths

    found = paths.Finder(function)

    def path_of(target):
        if _is_global_seed(target):
            return GLOBAL_SEED
        generator = _tensorflows_generator()
        if generator is not None and target is generator.state:
            return [GENERATOR, str(generator.algorithm)]
        path = found.path(target)
        for place in (WRITER, STEP):
            if target is not None and target is _of_summaries(place):
                return [place, *(path or ())]
        return path

    return path_of


def resolver(function: "Any") -> "Callable[[list[str]], Any]":
    """resolve(path) -> the object of this process, or None."""
    from firststep_agent.boost.objects import paths

    def resolve(path):
        if path == GLOBAL_SEED:
            generator = _global_generator()
            return None if generator is None else generator.state._value
        if path[0] == GENERATOR:
            generator = _tensorflows_generator()
            return None if generator is None or str(generator.algorithm) != path[1] else generator.state
        if path[0] not in (WRITER, STEP):
            return named(path)
        around, name = _of_summaries(path[0]), path[1:]
        return around if not name or named(name) is around else None  # which of the two the function has meant nobody knows

    def named(path):
        try:
            return paths.resolve(function, path)
        except LookupError:
            return None

    return resolve


def _of_summaries(place: str) -> "Any":
    """The writer's resource, or the step, that `tf.summary` uses on this thread where a function names none."""
    module = sys.modules.get("tensorflow.python.ops.summary_ops_v2")
    if module is None:
        return None
    state = module._summary_state
    return getattr(state.writer, "_resource", None) if place == WRITER else state.step


def _global_generator() -> "Any":
    state = sys.modules.get("keras.src.backend.common.global_state")
    return None if state is None else state.get_global_attribute("global_seed_generator")


def _tensorflows_generator() -> "Any":
    """`tf.random.get_global_generator`'s, None where nobody has asked for it."""
    return getattr(sys.modules.get("tensorflow.python.ops.stateful_random_ops"), "global_generator", None)


def _is_global_seed(target: "Any") -> bool:
    generator = _global_generator()
    return generator is not None and target is generator.state._value
