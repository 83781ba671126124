"""Error messages of replayed steps, as the plain run words them: original names of nodes, and where each was made.

The optimised graph is stored without debug information; beside it stand, compressed and read only when a step fails,
the original names of its nodes and, for each traced function, the stacks of Python lines that made its nodes.
"""

import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.boost.cache_functions.keep.entries import FunctionEntry


def explain(error: "Any", entry: "FunctionEntry", name: str) -> None:
    """Rewrites the message of a TensorFlow error that came out of the stored function, which is called `name` here."""
    from tensorflow.python.framework import error_interpolation

    origins = _Origins(entry, name)
    message = origins.restored(str(error.message))
    parsed, function_tags, node_tags = error_interpolation.parse_message(message)
    deepest = origins.deepest([tag.name for tag in function_tags])
    if deepest is not None:
        message = _interpolated(parsed, [tag.name for tag in node_tags], origins.stacks(deepest))
    error._message = message


class _Origins:
    """What an entry knows of the graph that it was made from."""

    def __init__(self, entry: "FunctionEntry", name: str) -> None:
        import json

        data = zlib.decompress(entry.blobs["origins"])
        size = int.from_bytes(data[:8], "little")
        described = json.loads(data[8:8 + size])
        self._stored = name
        self._nodes = described["nodes"]
        self._function = described["function"]
        self._children = {}
        self._stacks = {}
        position = 8 + size
        for name, children, length in described["functions"]:
            self._children[name] = children
            self._stacks[name] = data[position:position + length]
            position += length

    def restored(self, message: str) -> str:
        """The message with the names that nodes and functions had when they were traced."""
        import re

        def node(match):
            functions, originals = self._nodes.get(match.group(1), ([], [match.group(1)]))
            tags = "".join(f"{{{{function_node {f}}}}}" for f in functions[:1])
            return tags + f"{{{{node {originals[0]}}}}}"

        message = message.replace(self._stored, self._function)
        return re.sub(r"\{\{node ([^}]+)\}\}", node, message)

    def deepest(self, names: "list[str]") -> "str | None":
        """The innermost function among the message's, going down from the outermost; None where that is another."""
        deepest = None
        for name in names:
            if name == self._function or (deepest is not None and name in self._children[deepest]):
                deepest = name
        return deepest

    def stacks(self, function: str) -> "Any":
        """The GraphDebugInfo of one function."""
        from tensorflow.core.framework import graph_debug_info_pb2

        return graph_debug_info_pb2.GraphDebugInfo.FromString(self._stacks[function])


def _interpolated(message: str, names: "list[str]", debug_info: "Any") -> str:
    import traceback

    from tensorflow.python.util import tf_stack

    lines = ["Graph execution error:", ""]
    stacks = tf_stack.LoadTracesFromDebugInfo(debug_info)
    for name in names:
        lines.append(f"Detected at node {name} defined at (most recent call last):")
        if name in stacks:
            lines.extend(f for f in traceback.format_list(stacks[name]) if "<embedded" not in f)
        else:
            lines.append("<stack traces unavailable>")
    lines.append(message.strip())
    return "\n".join(lines)
