"""Error messages of stored steps, as the plain run words them: original names of nodes, and where each was made.

The stored graph has no debug information. Beside it stand, compressed and read only when a step fails, the original names of its
nodes; the names of functions and the lines that made the nodes are those of a function that is traced in this process, or would be.
"""

from firststep_agent.boost.cache_functions.keep import origins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def explain(error: "Any", data: bytes, name: str, traced: "origins.Traced | origins.Answered") -> None:
    """Rewrites the message of a TensorFlow error that came out of the stored function, which is called `name` here. data: what the entry
    keeps of its origins (origins.of_content); traced: the function that it stands for."""
    from tensorflow.python.framework import error_interpolation

    message = _restored(str(error.message), origins.Content(data, traced.names), name)
    parsed, function_tags, node_tags = error_interpolation.parse_message(message)
    deepest = _deepest([tag.name for tag in function_tags], traced)
    if deepest is not None:
        message = _interpolated(parsed, [tag.name for tag in node_tags], lambda node: traced.frames(deepest, node))
    error._message = message


def _restored(message: str, content: "origins.Content", name: str) -> str:
    """The message with the names that nodes and functions had when they were traced."""
    import re

    stem, _, last = name.rpartition("_")
    current = int(last)  # the function that was named last: nodes are named after theirs

    def restored(match):
        nonlocal current
        if match.group("function"):
            current = int(match.group("function"))
            return content.function(current)
        return content.tags(current, match.group("node")) or match.group()

    return re.sub(rf"{re.escape(stem)}_(?P<function>\d+)|\{{\{{node (?P<node>[^}}]+)\}}\}}", restored, message)


def _deepest(names: "list[str]", traced: "origins.Traced | origins.Answered") -> "str | None":
    """The innermost function among the message's, going down from the outermost; None where that is another."""
    deepest = None
    for name in names:
        if name == traced.names[0] or (deepest is not None and name in traced.children(deepest)):
            deepest = name
    return deepest


def _interpolated(message: str, names: "list[str]", frames_of: "Callable[[str], list[Any] | None]") -> str:
    import traceback

    lines = ["Graph execution error:", ""]
    for name in names:
        lines.append(f"Detected at node {name} defined at (most recent call last):")
        frames = frames_of(name)
        if frames is None:
            lines.append("<stack traces unavailable>")
        else:
            lines.extend(frame for frame in traceback.format_list(frames) if "<embedded" not in frame)
    lines.append(message.strip())
    return "\n".join(lines)
