"""What a span at a hook point is called and says: one module per subject, standard library only.

Functions named in points take (args, kwargs) of the call, and its result where they make labels. None of them may
start a framework's runtime, keep its objects alive or run code of the program's (`said`). One that fails costs its label, nothing else.
"""

UNTOLD = "untold"  # a call that is no span, and within which there is none of its kind either

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def argument(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", position: int, name: str) -> "Any":
    """The argument at `position` (0 is self) or called `name`; None where there is none."""
    return args[position] if len(args) > position else kwargs.get(name)
