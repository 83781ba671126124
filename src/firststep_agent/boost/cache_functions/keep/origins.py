"""What an entry keeps for the texts of errors: of its content, and of the process that traced it.

Of the content is which function and which nodes of the traced graph each stored node comes from; the traced functions have numbers
there, in the order of their use, and are called otherwise in each program. Of a process are those names, and the stacks of Python
lines that made the nodes: an answer that stands for a trace needs them, beside a traced function they can be asked for.
"""

import re
import zlib

from firststep_agent.boost.objects import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Nodes = dict[str, list[list[str]]]  # name of a stored node -> (names of functions, names of nodes) that messages speak of

MAIN = "<0>"  # the function itself, in texts that hold numbers in place of names
_NUMBER = re.compile(r"<(\d+)>")  # no name of a function holds such signs


def of_content(former: "list[str]", nodes: "dict[str, Nodes]", traced: "list[str]") -> bytes:
    """former: what the stored functions were called, the main one last; nodes: of those names; traced: the traced functions' names."""
    import json

    numbered = _numbered(traced)
    functions = [*map(numbered, former[:-1]), MAIN]
    described = [{node: [list(map(numbered, names)), originals] for node, (names, originals) in nodes.get(name, {}).items()}
                 for name in former]
    return zlib.compress(json.dumps([functions, described], separators=(",", ":")).encode(), 1)


def _numbered(traced: "list[str]") -> "Callable[[str], str]":
    """Puts numbers in place of the names of traced functions, also where the optimiser has made a longer name of one."""
    numbers = {name: f"<{number}>" for number, name in enumerate(traced)}
    longest_first = "|".join(re.escape(name) for name in sorted(traced, key=len, reverse=True))
    pattern = re.compile(rf"(?:{longest_first})(?!\d)")
    return lambda text: pattern.sub(lambda match: numbers[match.group()], text)


class Content:
    """What of_content has written, in the words of a process in which the traced functions are called `traced`."""

    def __init__(self, data: bytes, traced: "list[str]") -> None:
        import json

        self._traced = traced
        self._functions, self._nodes = json.loads(zlib.decompress(data))

    def function(self, number: int) -> str:
        """What a stored function was called."""
        return self._named(self._functions[number])

    def tags(self, number: int, node: str) -> "str | None":
        """How a message speaks of a node of a stored function; None where it is called as it was."""
        if node not in self._nodes[number]:
            return None
        functions, originals = self._nodes[number][node]
        tags = [f"{{{{node {name}}}}}" for name in originals]
        for place, function in enumerate(functions[:len(tags)]):
            tags[place] = f"{{{{function_node {self._named(function)}}}}}{tags[place]}"
        return ", ".join(tags)

    def _named(self, text: str) -> str:
        return _NUMBER.sub(lambda match: self._traced[int(match.group(1))], text)


class Traced:
    """A function that is traced in this process. names: of it and the functions that it uses, in their order."""

    def __init__(self, inference: "Any", names: "list[str]") -> None:
        self.names = names
        self._functions: dict[str, Any] = {}
        self._gather(inference)

    def _gather(self, function: "Any") -> None:
        name = canonical.name_of(function)
        if name not in self._functions:
            self._functions[name] = function
            for child in _children(function):
                self._gather(child)

    def children(self, name: str) -> "list[str]":
        """The functions that one of them calls."""
        return list(map(canonical.name_of, _children(self._functions[name])))

    def frames(self, function: str, node: str) -> "list[Any] | None":
        """The lines that made a node; None where that is not known."""
        return _stacks(self._functions[function].graph_debug_info).get(node)


def of_process(inference: "Any", names: "list[str]", called_from: "Any") -> bytes:
    """Of a traced function; called_from: the stack (`frames.called_from`) of the call that it was traced for."""
    import json

    functions: dict[str, tuple[list[str], bytes]] = {}
    _collect(inference, functions)
    described = {"names": names, "outer": [_place(frame) for frame in called_from.get_user_frames()],
                 "functions": [[name, children, len(stacks)] for name, (children, stacks) in functions.items()]}
    encoded = json.dumps(described, separators=(",", ":")).encode()
    stacks = b"".join(stacks for _, stacks in functions.values())
    return zlib.compress(len(encoded).to_bytes(8, "little") + encoded + stacks, 1)


def _collect(function: "Any", found: "dict[str, tuple[list[str], bytes]]") -> None:
    """{name: (names of its functions, serialised GraphDebugInfo)} of a function and all it calls."""
    name = canonical.name_of(function)
    if name in found:
        return
    children = _children(function)
    found[name] = (list(map(canonical.name_of, children)), function.graph_debug_info.SerializeToString())
    for child in children:
        _collect(child, found)


class Answered:
    """What of_process has written, for a call that is answered here. called_from: that call's stack, which stands where the other
    process's stood; moved(names, main): what the functions would be called, had they been traced here, of which one is the main one."""

    def __init__(self, data: bytes, called_from: "Any", moved: "Callable[[list[str], str], list[str]]") -> None:
        import json

        data = zlib.decompress(data)
        at = 8 + int.from_bytes(data[:8], "little")
        described = json.loads(data[8:at])
        names = described["names"]

        def moved_here(each):
            return moved(each, names[0])

        self.names = moved_here(names)
        self._outer = [tuple(place) for place in described["outer"]]
        self._called_from = called_from
        self._functions = {}
        for name, children, size in described["functions"]:
            self._functions[moved_here([name])[0]] = moved_here(children), data[at:at + size]
            at += size

    def children(self, name: str) -> "list[str]":
        """As of Traced."""
        children: list[str] = self._functions[name][0]
        return children

    def frames(self, function: str, node: str) -> "list[Any] | None":
        """As of Traced."""
        from tensorflow.core.framework import graph_debug_info_pb2

        frames = _stacks(graph_debug_info_pb2.GraphDebugInfo.FromString(self._functions[function][1])).get(node)
        if frames is None:
            return None
        outer = len(self._outer)
        if [_place(frame) for frame in frames[:outer]] != self._outer:
            return frames  # of an earlier call of another function
        return [*self._called_from.get_user_frames(), *frames[outer:]]


def _children(function: "Any") -> "list[Any]":
    return [child for child in getattr(function, "children", ()) if hasattr(child, "graph_debug_info")]


def _stacks(debug_info: "Any") -> "dict[str, list[Any]]":
    from tensorflow.python.util import tf_stack

    return {node: list(frames) for node, frames in tf_stack.LoadTracesFromDebugInfo(debug_info).items()}


def _place(frame: "Any") -> "tuple[str, int, str]":
    return frame.filename, frame.lineno, frame.name
