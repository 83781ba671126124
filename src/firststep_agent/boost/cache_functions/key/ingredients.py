"""Keys of functions: named ingredients, each with a digest of its own, so that two keys can be told apart in words.

Cheap to make; read at the moment of the trace. Equal keys may still differ in what `reads.verify` checks.
"""

import hashlib
import re

from firststep_agent.boost.cache_functions.key import callables, configuration, guards, outline
from firststep_agent.boost.objects import bytecode, roots
from firststep_agent.boost.program import environment, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FORMAT = 12  # of what is kept: another one finds nothing of this one
_ADDRESS = re.compile("0x[0-9a-f]+|id=[0-9]+")
_fixed: "dict" = {}  # what `_once` has found


class Key:
    """ingredients: {name: digest}; hex: the digest of all."""

    def __init__(self, words: "dict[str, str]") -> None:
        self.ingredients = {name: _digest(text) for name, text in words.items()}
        self.hex = _digest("\n".join(f"{name} {digest}" for name, digest in sorted(self.ingredients.items())), 16)


def of_trace(python_function: "Any", function_type: str) -> "Key":
    """The Key of what a trace of this callable, for arguments of this type, would give. function_type: a text (`signature.describe`)."""
    inner = roots.innermost(python_function)
    code = callables.code_of(inner)
    return Key({
        **_process(),
        "program": _once("program", program),
        "name": callables.name_of(inner),
        "code": bytecode.digest(code) if code is not None else "no code",
        "objects that it reaches": outline.sketch(roots.roots(python_function)),
        "compiled by XLA": str(roots.compiled_by_xla(python_function)),
        "signature": _ADDRESS.sub("", str(function_type)),
    })


def of_graph(digest: str, inputs: "list[str]") -> "Key":
    """The Key of what TensorFlow's optimiser makes of a graph, whichever program has it. inputs: a text for each."""
    return Key({**_process(), "graph": digest, "surroundings": guards.surroundings(), "inputs": "\n".join(inputs)})


def _process() -> "dict[str, str]":
    """What is the same for all functions of this moment: the agent and its format, the environment, all settings."""
    return {**_once("interpreter", _interpreter), **dict(configuration.configuration())}


def _interpreter() -> "dict[str, str]":
    here = environment()
    return {"format": str(FORMAT), "agent version": here.pop("agent"), "Python": str(sorted(here.items()))}


def _once(what: str, find: "Callable[[], Any]") -> "Any":
    """What cannot change while the process lives, asked for where it is first wanted: the program may change its folder."""
    if what not in _fixed:
        _fixed[what] = find()
    return _fixed[what]


def _digest(text: str, size: int = 8) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()
