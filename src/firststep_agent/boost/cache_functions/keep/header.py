"""The header of a stored function: what is known of it besides its graph. The one place that writes and reads it."""

from dataclasses import dataclass, fields
from typing import Optional, get_args

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any

OPTIMISED, TRACED = "optimised", "traced"  # forms of a graph
VARY = ("trace_ns", "first_call_ns", "uids")  # another in each start that learns the same
_LEAST_BOUND_S = 30.0  # of a proof, and how much more than the trace it may take
_BOUND_FACTOR = 12
STARVED = 20  # how many times longer than its processor time a proof may last, at the lowest priority on processors that others use


class NotAHeader(ValueError):
    """What was read is no header of this format."""


@dataclass
class Header:
    """function: its name for people; name: the digest that its graph is called by; form: OPTIMISED or TRACED; results: how many flat
    results it has; exact: digest of the traced graph; training: whether a call is a step; model: whether it calls a model, and so may be
    a prediction; trace_ns: processor time of the trace; first_call_ns: what the call took.

    The others are there where it answers a call before any trace. signature: of the arguments; manifest: what the trace read; whole: the
    program's state before it, part by part; loggers: what they let through; said: what it prints, warns of and logs, the first said_first
    of it by builds; builds: their recipes; names, names_first: how far Keras's counters move in the trace, and in a first one before it;
    drawn: where NumPy's stream stands before the trace and after it, where it draws from that; asked: how TensorFlow's counters of
    messages move in it; twice: whether that first one is made again where it is traced for real; twice_inside: of which functions inside
    it, by their numbers; uids: how far it moves TensorFlow's counter of tensors and graphs; captures, output, nested: how they are found
    and rebuilt; nested are the functions that were traced with it.
    """

    function: str
    trace_ns: int = 0
    first_call_ns: int = 0
    training: bool = False
    model: bool = False
    name: str = ""
    form: str = ""
    results: int = 0
    exact: str = ""
    signature: str = ""
    manifest: Optional[dict] = None
    whole: Optional[dict] = None
    loggers: Optional[list] = None
    said: Optional[list] = None
    said_first: int = 0
    builds: Optional[list] = None
    names: Optional[dict] = None
    names_first: Optional[dict] = None
    drawn: Optional[list] = None
    asked: Optional[list] = None
    twice: Optional[bool] = None
    twice_inside: Optional[list] = None
    uids: Optional[int] = None
    captures: Optional[list] = None
    output: Optional[object] = None
    nested: Optional[list] = None

    @property
    def proof_bound_s(self) -> float:
        """How much processor time a proof of it may take, seconds."""
        return max(_LEAST_BOUND_S, _BOUND_FACTOR * self.trace_ns / 1e9)

    @property
    def proof_ended_s(self) -> float:
        """After how many seconds by the clock a proof of it has ended, whatever it does."""
        return STARVED * self.proof_bound_s

    @property
    def said_by_builds(self) -> "list[Any]":
        """What is said while the recipes are repeated."""
        return (self.said or [])[:self.said_first]

    @property
    def said_in_trace(self) -> "list[Any]":
        """What is said by a trace for which all is built."""
        return (self.said or [])[self.said_first:]

    @property
    def answers_unseen(self) -> bool:
        """Whether it stands for a trace that was not made, and not for what is made of a traced graph."""
        return self.manifest is not None

    def encoded(self, without: "Container[str]" = ()) -> bytes:
        """Its JSON text, in bytes."""
        import json

        return json.dumps({name: value for name, value in vars(self).items() if value is not None and name not in without},
                          separators=(",", ":")).encode()

    @classmethod
    def decoded(cls, data: "str | bytes") -> "Header":
        """The Header in a JSON text. Raises NotAHeader."""
        import json

        try:
            header = cls(**json.loads(data))
        except (ValueError, TypeError) as error:
            raise NotAHeader(str(error)) from None
        for name, kinds in _KINDS:
            if not isinstance(getattr(header, name), kinds):
                raise NotAHeader(f"its `{name}` is of another kind")
        if header.form not in (OPTIMISED, TRACED):
            raise NotAHeader(f"its graph has a form that is not known: {header.form!r}")
        return header


_KINDS: "list[tuple[str, Any]]" = [(field.name, get_args(field.type) or field.type) for field in fields(Header)]
