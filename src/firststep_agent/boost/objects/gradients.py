"""Gradients of the program's own that a trace has registered (`tf.custom_gradient`): Python functions, of which its graph holds a name."""

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ATTRIBUTE = "_gradient_op_type"
_MOST = 1000  # functions that are looked at on the way to the program's


def are_users(function: "Any") -> bool:
    """Whether the graph of an AtomicFunction, or of one that it calls, names such a gradient."""
    from tensorflow.python.framework import ops

    names = {node.attr[_ATTRIBUTE].s.decode() for definition in canonical.definitions_of(function).values()
             for node in definition.node_def if _ATTRIBUTE in node.attr}
    try:
        return any(_leads_to_users_code(ops._gradient_registry.lookup(name)) for name in names)
    except LookupError:
        return True


def _leads_to_users_code(found: "Any") -> bool:
    waiting, seen = [found], set()
    while waiting:
        function = kinds.plain_function(waiting.pop())
        if function is None or id(function) in seen:
            continue
        seen.add(id(function))
        if ownership.is_user(function) or len(seen) > _MOST:
            return True
        for cell in function.__closure__ or ():
            try:
                waiting.append(cell.cell_contents)
            except ValueError:  # it is empty
                continue
        waiting.append(kinds.own(function).get("__wrapped__"))
    return False
