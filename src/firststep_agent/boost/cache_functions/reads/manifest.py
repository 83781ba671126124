"""The manifest of one trace: what it read, as data that another process can check. Plain JSON, with a schema number."""

import base64
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SCHEMA = 9


def pack(lines: "Iterable[str]") -> str:
    """Long text kept small: only read again when something differs and has to be put into words."""
    return base64.b64encode(zlib.compress("\x1e".join(lines).encode("utf-8", "surrogatepass"), 6)).decode()


def unpack(text: str) -> "list[str]":
    """The lines that `pack` was given."""
    return zlib.decompress(base64.b64decode(text)).decode("utf-8", "surrogatepass").split("\x1e")
