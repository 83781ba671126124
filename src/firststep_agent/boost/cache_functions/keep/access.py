"""Access paths from a traced callable, in both directions, with None for what is not there."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

GLOBAL_SEED = ["the state of Keras's global seed generator"]  # it hangs on no object of the program


def finder(function: "Any") -> "Callable[[Any], list[str] | None]":
    """path_of(object) -> JSON-able path from the callable, or None."""
    from firststep_agent.boost.objects import paths

    found = paths.Finder(function)

    def path_of(target):
        return GLOBAL_SEED if _is_global_seed(target) else found.path(target)

    return path_of


def resolver(function: "Any") -> "Callable[[list[str]], Any]":
    """resolve(path) -> the object of this process, or None."""
    from firststep_agent.boost.objects import paths

    def resolve(path):
        if path == GLOBAL_SEED:
            generator = _global_generator()
            return None if generator is None else generator.state._value
        try:
            return paths.resolve(function, path)
        except LookupError:
            return None

    return resolve


def _global_generator() -> "Any":
    state = sys.modules.get("keras.src.backend.common.global_state")
    return None if state is None else state.get_global_attribute("global_seed_generator")


def _is_global_seed(target: "Any") -> bool:
    generator = _global_generator()
    return generator is not None and target is generator.state._value
