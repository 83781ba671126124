"""Values that are one word of the key: id of a type -> the function that says the word."""

import struct
import types

from firststep_agent import kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_LONG = 2048  # bits


def is_long(value: int) -> bool:
    """Whether a number may have more decimals than Python is allowed to write."""
    return value.bit_length() > _LONG


def _int(value: int) -> str:
    return f"i{value:#x}" if is_long(value) else f"i{value}"


def _float(value: float) -> str:
    """What is no number has a sign and more besides, which its text does not say."""
    return "f" + (repr(value) if value == value else "nan " + struct.pack("<d", value).hex())


def _complex(value: complex) -> str:
    return "j" + (repr(value) if value == value else _float(value.real) + _float(value.imag))


def _text(value: str) -> str:
    """Whole where it is short, and holds none of the signs by which words are kept apart."""
    if len(value) < 200 and value.isprintable():
        return "s" + value
    return f"S{value[:100]!r} {digest_of(value.encode('utf-8', 'surrogatepass'))}"


def _bytes(value: bytes) -> str:
    return "b" + value.hex() if len(value) < 64 else "b" + digest_of(value)


def digest_of(data: bytes) -> str:
    """Hex digest of bytes."""
    import hashlib

    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _builtin_function(value: "types.BuiltinFunctionType") -> "str | None":
    owner = value.__self__
    if owner is None or kinds.is_a(owner, types.ModuleType):
        return f"c {value.__module__}.{value.__qualname__}"
    return None


def _descriptor(value: "Any") -> str:
    return f"d {kinds.qualified(value.__objclass__)}.{value.__name__}"


LEAVES: "dict[int, Callable[[Any], Any]]" = kinds.by_number({
    type(None): lambda value: "None",
    bool: lambda value: "True" if value else "False",
    int: _int,
    float: _float,
    complex: _complex,
    str: _text,
    bytes: _bytes,
    type(Ellipsis): lambda value: "...",
    type(NotImplemented): lambda value: "NotImplemented",
    range: repr,
    types.BuiltinFunctionType: _builtin_function,
    types.MemberDescriptorType: _descriptor,
    types.GetSetDescriptorType: _descriptor,
    types.WrapperDescriptorType: _descriptor,
    types.MethodDescriptorType: _descriptor,
    types.ClassMethodDescriptorType: _descriptor,
})


def word(value: "Any") -> "str | None":
    """What is said of a leaf; None of all else."""
    leaf = LEAVES.get(id(type(value)))
    return leaf(value) if leaf is not None else None
