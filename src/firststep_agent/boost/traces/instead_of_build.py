"""Another function in the place of an optimizer's `build`, for the one call of it that the optimizer makes within its own scopes."""

from firststep_agent.dressing import leave_no_frame
from firststep_agent.frameworks.listening import CALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


def instead_of_build(optimizer: "Any", build: "Callable[..., Any]") -> "Iterator[Any]":
    """For a listener where the optimizer builds, which yields from it. build(*variables): meanwhile in its place, and gone once called."""
    def stands(*variables):
        del vars(optimizer)["build"]
        try:
            return build(*variables)
        except BaseException as error:
            leave_no_frame(error)
            raise

    vars(optimizer)["build"] = stands
    try:
        yield CALL
    finally:
        vars(optimizer).pop("build", None)
