"""Random streams: which ones the trace moved, and the seed that it put into random operations."""

from firststep_agent import streams
from firststep_agent.boost.objects.leaves import digest_of
from firststep_agent.boost.objects.refusal import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Streams:
    """Positions before and after."""

    def __init__(self) -> None:
        self._before: dict[str, str | None] | None = None
        self._moved: list[str] = []
        self._seed: str | None = None

    def start(self) -> None:
        self._seed = _seed()
        self._before = _positions()

    def stop(self) -> None:
        after = _positions(self._before)
        self._moved = [name for name, position in self._before.items() if after[name] not in (position, _FRESH)]

    def check(self, computed: bool) -> None:
        """Raises Refused where TensorFlow's eager stream moved and tensors `computed` by the trace were read."""
        if computed and "tensorflow" in self._moved:
            raise Refused("a random tensor is drawn outside the graph while it is traced")

    def record(self) -> "dict[str, Any]":
        """`moved`: streams that stand elsewhere after the trace. `seed`: TensorFlow's global seed, which random operations carry."""
        return {"moved": self._moved, "seed": self._seed}


def recheck(recorded: "dict[str, Any]") -> "str | None":
    """None where TensorFlow's global seed is the recorded one."""
    if _seed() != recorded["seed"]:
        return "tf.random.set_seed was called with another seed"
    return None


_FRESH = "not drawn from"  # NumPy's generator, if it was imported during the trace


def _seed() -> "str | None":
    context = streams.tensorflow_context()
    return None if context is None else repr(context._seed)


def _positions(before: "dict[str, str | None] | None" = None) -> "dict[str, str | None]":
    found: dict[str, str | None] = {"python": None, "numpy": None, "tensorflow": None}
    random, mtrand, seeds = streams.pythons(), streams.numpys(), streams.tensorflows()
    if random is not None:
        found["python"] = digest_of(repr(random.getstate()).encode())
    if mtrand is not None:
        state = mtrand._rand.get_state(legacy=False)
        inner = state["state"]
        told = repr(inner["pos"]).encode() + inner["key"].tobytes() if "pos" in inner else repr(state).encode()
        found["numpy"] = digest_of(told)
        if before is not None and before["numpy"] is None and inner.get("pos") == streams.FRESH_AT:
            found["numpy"] = _FRESH
    if seeds is not None and hasattr(seeds, "getstate"):
        found["tensorflow"] = digest_of(repr(seeds.getstate()).encode())
    return found
