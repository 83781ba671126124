"""How far TensorFlow's counter of tensors and graphs moves while a function is traced, and that an answer moves it as far.

The names of functions end in its numbers (`__inference_step_718`), and stand in the texts of errors and in saved models. It cannot
be read without being moved. A graph's key has its number, which TensorFlow draws right before a trace, and the name of the function
has the last one of it.
"""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST = 1 << 22  # drawn in a fifth of a second


def moved(func_graph: "Any", traced: "Any") -> "int | None":
    """How far the trace that begins with this FuncGraph has moved it; None where that cannot be told."""
    begun, ended = _number(func_graph._graph_key), _number(traced._inference_function.name.decode())
    return None if begun is None or ended is None or not 0 < ended - begun < _MOST else ended - begun


def move(func_graph: "Any", by: "int | None") -> None:
    """Moves it on to where such a trace leaves it, unless it is there or beyond."""
    from tensorflow.python.framework import ops

    begun = _number(func_graph._graph_key)
    if begun is not None and by is not None:
        while ops.uid() < begun + by:
            pass


def renumbered(names: "list[str]", main: str, begun: str, by: "int | None") -> "list[str]":
    """The names of functions that a trace has made, as one would make them that begins with the FuncGraph of the key `begun`. main: the
    one that was named last; by: how far that trace moved the counter. What was made before the trace keeps its name."""
    ended, here = _number(main), _number(begun)
    if ended is None or here is None or by is None:
        return names
    return [_renumbered(name, range(ended - by, ended + 1), here + by - ended) for name in names]


def _renumbered(name: str, made: range, further: int) -> str:
    number = _number(name)
    if number is None or number not in made:
        return name
    return f"{name[:-len(str(number))]}{number + further}"


def _number(name: str) -> "int | None":
    found = re.search(r"(\d+)/?$", name)
    return None if found is None else int(found[1])
