"""What AutoGraph converts: a framework's own function, and not what stands in its place, which has no source."""

from firststep_agent.frameworks.listening import Call
from firststep_agent.frameworks.resolve import below_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

PACKAGE, MODULE, TRANSFORMS = "tensorflow", "tensorflow.python.autograph.pyct.transpiler", "GenericTranspiler.transform"


def own(transpiler: "Any", entity: "Any", *rest: "Any", **named: "Any") -> "Generator[Any, Any, None]":
    """A program asks for that where it has a `tf.function` made of a partial of another one, or of an optimizer's method."""
    function = getattr(entity, "__func__", entity) if type(entity) is _METHOD else entity
    plain = below_ours(function) if type(function) is _FUNCTION else function
    if plain is function or type(plain) is not _FUNCTION:
        return
    entity = plain if function is entity else _METHOD(plain, entity.__self__)
    yield Call((transpiler, entity, *rest), named)


_FUNCTION, _METHOD = type(own), type(own.__get__(0))  # without the module `types`: this is imported before the program's first line
