"""A digest of what was traced, the same in every process that traces the same thing.

Function names carry counters of the process, nodes carry debug information, gradients carry registry numbers: those are
renamed by the order of first use, or left out. Two traces with one digest make the same computation.
"""

import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_LEFT_OUT = frozenset(["_gradient_op_type", "_user_specified_name", "_construction_context", "_XlaHasReferenceVars",
                       "_input_shapes", "_output_shapes"])
_NUMBERED = frozenset(["_gradient_op_type", "_user_specified_name"])  # by counters of the process; no optimiser reads them


def digest_of(name: str, definitions: "dict[str, Any]") -> str:
    """Hex digest of the function `name` among `definitions` ({name: FunctionDef})."""
    return _digest_and_order(name, definitions, _LEFT_OUT)[0]


def exact_digest(function: "Any") -> str:
    """Hex digest of all that TensorFlow's optimiser sees of an AtomicFunction and of those that it calls, notes on shapes included."""
    return exactly(function)[0]


def exactly(function: "Any") -> "tuple[str, list[str]]":
    """(That digest, the names of the functions in the order of their use: where the digest is equal, one stands for another.)"""
    digest, order = _digest_and_order(name_of(function), definitions_of(function), _NUMBERED)
    return digest, list(order)


def name_of(function: "Any") -> str:
    """Of an AtomicFunction, or of one of those that TensorFlow still makes in its older way (`Defun`, for the loops of `ctc_loss`)."""
    return function.name if type(function.name) is str else function.name.decode()


def definitions_of(function: "Any") -> "dict[str, Any]":
    """{name: FunctionDef} of an AtomicFunction and of those that it calls."""
    found: dict[str, Any] = {}
    _gather(function, found)
    return found


def order_of_use(name: str, definitions: "dict[str, Any]") -> "list[str]":
    """The function `name` and those among `definitions` that it reaches, each where it is first met."""
    return list(_digest_and_order(name, definitions, _LEFT_OUT)[1])


def _digest_and_order(name: str, definitions: "dict[str, Any]", left_out: "frozenset[str]") -> "tuple[str, dict[str, str]]":
    order = {name: "f0"}
    waiting = [name]
    drawn: dict[bytes, bytes] = {}
    rename = _Renaming(definitions, left_out, order, waiting, drawn)
    hashed = hashlib.sha256()
    while waiting:
        current = waiting.pop(0)
        definition = definitions.get(current)
        if definition is None:
            hashed.update(current.encode())
            continue
        hashed.update(_canonical(definition, left_out, rename))
    return hashed.hexdigest(), order


def _gather(function: "Any", found: "dict[str, Any]") -> None:
    name = name_of(function)
    if name in found:
        return
    found[name] = function.cached_definition
    for child in getattr(function, "children", ()):
        _gather(child, found)


def _canonical(definition: "Any", left_out: "frozenset[str]", rename: "_Renaming") -> "Any":
    from tensorflow.core.framework import function_pb2

    copy = function_pb2.FunctionDef()
    copy.CopyFrom(definition)
    copy.signature.name = rename.name(definition.signature.name)
    if left_out is _LEFT_OUT:
        copy.ClearField("arg_attr")
        copy.ClearField("resource_arg_unique_id")
    _number_arguments(copy, rename)
    _number_results(copy, lambda: rename.is_an_operation(definition.signature.name))
    for argument in copy.arg_attr.values():
        rename.attributes(argument.attr)
    rename.attributes(copy.attr)
    for node in copy.node_def:
        node.ClearField("experimental_debug_info")
        node.op = rename.name(node.op)
        rename.attributes(node.attr)
    return copy.SerializeToString(deterministic=True)


def _number_arguments(definition: "Any", rename: "_Renaming") -> None:
    """Names arguments by their place: those of a loop's condition, and what stands for variables, carry a number of the process."""
    numbered, nodes = {}, {node.name for node in definition.node_def}
    for index, argument in enumerate(definition.signature.input_arg):
        place = f"argument_{index}"
        numbered[argument.name] = place
        argument.name = place
    for node in definition.node_def:
        for index, name in enumerate(node.input):
            if name in numbered:
                node.input[index] = numbered[name]
    for attributes in (*(node.attr for node in definition.node_def), *(argument.attr for argument in definition.arg_attr.values())):
        if "_class" in attributes:  # beside which others it is to run
            located = attributes["_class"].list.s
            for index, name in enumerate(located):
                beside = numbered.get(_as_argument(name))
                if beside is not None:
                    located[index] = _BESIDE + beside.encode()
                elif name[len(_BESIDE):].decode() not in nodes:
                    located[index] = rename.elsewhere(name)
    for result, name in list(definition.ret.items()):
        if name in numbered:
            definition.ret[result] = numbered[name]


def _number_results(definition: "Any", taken_by_name: "Callable[[], bool]") -> None:
    """Names results that are arguments by their place: those of a loop's body carry a number of the process. taken_by_name(): who calls a
    function takes its results by their place, unless the function's name is an operation's."""
    for index, result in enumerate(definition.signature.output_arg):
        value = definition.ret[result.name]
        if ":" not in value and not taken_by_name():  # a node's results have names with that
            del definition.ret[result.name]
            result.name = f"result_{index}"
            definition.ret[result.name] = value


_BESIDE = b"loc:@"


def _as_argument(location: bytes) -> "str | None":
    """The name that TensorFlow gives to the argument that a node of the graph becomes, of `loc:@` and that node's name."""
    name = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in location[len(_BESIDE):].decode().lower())
    return name.lstrip("_0123456789") if location.startswith(_BESIDE) else None


class _Renaming:
    """Gives each function a name by the order in which it is met."""

    def __init__(self, definitions: "dict[str, Any]", left_out: "frozenset[str]", order: "dict[str, str]", waiting: "list[str]",
                 drawn: "dict[bytes, bytes]") -> None:
        self._definitions = definitions
        self._left_out = left_out
        self._order = order
        self._waiting = waiting
        self._drawn = drawn
        self._operations: set[str] | None = None

    def is_an_operation(self, name: str) -> bool:
        """Whether a node of any of the functions is of that kind."""
        if self._operations is None:
            self._operations = {node.op for definition in self._definitions.values() for node in definition.node_def}
        return name in self._operations

    def name(self, name: str) -> str:
        if name not in self._definitions:
            return name
        known = self._order.get(name)
        if known is None:
            known = self._order[name] = f"f{len(self._order)}"
            self._waiting.append(name)
        return known

    def elsewhere(self, location: bytes) -> bytes:
        """Beside what is no node of the function itself: what a loop's body captures of a variable has a number of the process behind its
        name."""
        above, slash, number = location.rpartition(b"/")
        return above + slash + self._number(slash + number) if number.isdigit() else location

    def _number(self, drawn: bytes) -> bytes:
        return self._drawn.setdefault(drawn, b"%d" % len(self._drawn))

    def attributes(self, attributes: "Any") -> None:
        for key in sorted(attributes):
            value = attributes[key]
            if key in self._left_out:
                del attributes[key]
            elif key == "api_implements":  # Keras 2's recurrent layers draw a name; functions of one name are one layer's
                value.s = self._number(value.s)
            elif value.HasField("func"):
                self._function(value.func)
            elif value.HasField("list"):
                for function in value.list.func:
                    self._function(function)
            elif value.HasField("s"):
                value.s = self.name(value.s.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def _function(self, function: "Any") -> None:
        function.name = self.name(function.name)
        self.attributes(function.attr)
