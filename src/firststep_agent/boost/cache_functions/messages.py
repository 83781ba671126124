"""Error messages of replayed steps, as the plain run words them: original names of nodes, and where each was made.

The optimised graph is stored without debug information; beside it stand, compressed and read only when a step fails,
the original names of its nodes and the stack of Python lines that made each of them.
"""

import zlib


def explain(error, entry):
    """Rewrites the message of a TensorFlow error that came out of the stored function."""
    from tensorflow.python.framework import error_interpolation

    nodes, function, stacks = _origins(entry)
    message = _with_original_names(str(error.message), entry.header["name"], nodes, function)
    parsed, function_tags, node_tags = error_interpolation.parse_message(message)
    if any(tag.name == function for tag in function_tags):
        message = _interpolated(parsed, [tag.name for tag in node_tags], stacks)
    error._message = message


def _origins(entry):
    import json

    from tensorflow.core.framework import graph_debug_info_pb2

    data = zlib.decompress(entry.blobs["origins"])
    size = int.from_bytes(data[:8], "little")
    described = json.loads(data[8:8 + size])
    stacks = graph_debug_info_pb2.GraphDebugInfo.FromString(data[8 + size:])
    return described["nodes"], described["function"], stacks


def _with_original_names(message, stored, nodes, function):
    import re

    def node(match):
        functions, originals = nodes.get(match.group(1), ([], [match.group(1)]))
        tags = "".join(f"{{{{function_node {f}}}}}" for f in functions[:1])
        return tags + f"{{{{node {originals[0]}}}}}"

    message = message.replace(stored, function)
    return re.sub(r"\{\{node ([^}]+)\}\}", node, message)


def _interpolated(message, names, debug_info):
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
