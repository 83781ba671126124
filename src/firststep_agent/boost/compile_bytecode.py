"""Bytecode of modules whose own is missing, stale, or cannot be written, kept in the image."""

from firststep_agent.boost.import_image import begin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID = "compile-bytecode"


def start(run: "Any", settings: "dict[str, Any]") -> None:
    begin(run, ID)
