"""Random streams: whether the trace draws from TensorFlow's eager one, and the seed that it puts into random operations."""

from firststep_agent import streams
from firststep_agent.boost.objects.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Streams:
    """Positions before and after."""

    def __init__(self) -> None:
        self._before: Any = None
        self._drawn = False
        self._seed: str | None = None

    def start(self) -> None:
        self._seed = _seed()
        self._before = streams.seeds_position()

    def stop(self) -> None:
        self._drawn = streams.seeds_position() != self._before

    def check(self, computed: bool) -> None:
        """Raises Refused where TensorFlow's eager stream moved and tensors `computed` by the trace were read."""
        if computed and self._drawn:
            raise Refused("a random tensor is drawn outside the graph while it is traced")

    def record(self) -> "dict[str, Any]":
        """`seed`: TensorFlow's global seed, which random operations carry."""
        return {"seed": self._seed}


def recheck(recorded: "dict[str, Any]") -> "str | None":
    """None where TensorFlow's global seed is the recorded one."""
    if _seed() != recorded["seed"]:
        return "tf.random.set_seed was called with another seed"
    return None


def _seed() -> "str | None":
    context = streams.tensorflow_context()
    return None if context is None else repr(context._seed)
