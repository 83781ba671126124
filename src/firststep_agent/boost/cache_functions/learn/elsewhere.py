"""What a build has changed outside of what it builds, where the program's code runs in it.

A repeated build runs before all else of its trace, and may have to be undone: both hold only where it leaves alone whatever is not built.
"""

from firststep_agent import kinds, streams
from firststep_agent.boost.cache_functions.reads import snapshot, whole
from firststep_agent.boost.objects import roots, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CONTAINERS = (list, tuple, dict, set, frozenset)


class Elsewhere:
    """All of the program's own state before a build."""

    def __init__(self, python_function: "Any") -> None:
        modules = list(whole.of_modules())
        self._seen = snapshot.Snapshot([*roots.roots(python_function), *modules])
        self._globals = {name for name, _ in modules}

    def changed(self, built: "set[int]") -> "str | None":
        """In words, what is another now; None where nothing is. built: ids of what was built."""
        for number, step in self._seen.changes():
            if not self._is_of(number, built):
                return f"it changes {self._words(number, step)}"
        return None

    def _words(self, number: int, step: "str | None") -> str:
        walk = self._seen.walk
        steps = walk.path(number)
        if len(steps) == 1 and steps[0] in self._globals:
            return f"`{steps[0].removeprefix('__main__.')}`"
        owner, expression = words.holder(walk, number, None if step is None or step[0] in "#@&" else step)
        return f"`{expression}` of {owner}"

    def _is_of(self, number: int, built: "set[int]") -> bool:
        """Whether it is a part of what was built, or what such a part keeps its own in. Where the process's random streams stand is
        asked of every build."""
        walk = self._seen.walk
        if streams.keeps_one(walk.objects[number]):
            return True
        while number >= 0:
            value = walk.objects[number]
            if id(value) in built:
                return True
            if not kinds.is_a(value, _CONTAINERS):
                return False
            number, _ = walk.parents[number]
        return False
