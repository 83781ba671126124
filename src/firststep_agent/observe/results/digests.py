"""Digests of values: equal digests mean equal type, shape and bits."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import _Hash
    from typing import Any

_LARGEST = 1 << 20  # bytes of one output that are looked at; a larger one counts by shape and dtype alone


def new() -> "_Hash":
    from hashlib import sha256

    return sha256()


def of_text(text: str) -> str:
    digest = new()
    digest.update(text.encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def of_array(array: "Any") -> str:
    """Hex digest of a NumPy array or scalar; arrays of objects count by what they print."""
    digest = new()
    feed_array(digest, array)
    return digest.hexdigest()


def feed_array(digest: "_Hash", array: "Any") -> None:
    digest.update(f"{array.dtype}{array.shape}".encode())
    if array.dtype == object:
        digest.update(repr(array.tolist()).encode("utf-8", "backslashreplace"))
    else:
        digest.update(array.tobytes())


def feed(digest: "_Hash", value: "Any") -> None:
    """Adds any value that a program may call its result. Raises TypeError for one whose bits nobody can see."""
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            digest.update(f"{{{key}}}".encode("utf-8", "backslashreplace"))
            feed(digest, value[key])
    elif isinstance(value, (list, tuple)):
        digest.update(f"[{len(value)}]".encode())
        for item in value:
            feed(digest, item)
    elif isinstance(value, (bytes, bytearray)):
        digest.update(b"b" + bytes(value))
    elif value is None or isinstance(value, (str, bool, int, float, complex)):
        digest.update(repr(value).encode("utf-8", "backslashreplace"))
    else:
        feed_array(digest, as_array(value))


def as_array(value: "Any") -> "Any":
    """A tensor, variable or array as a NumPy array. Raises TypeError."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return value
    if hasattr(value, "numpy"):
        return as_array(value.numpy())
    if hasattr(value, "__array__"):
        return value.__array__()
    raise TypeError(f"a {type(value).__name__} has no digest")


def feed_tensor(digest: "_Hash", tensor: "Any") -> None:
    """Adds an eager tensor, or only its shape and dtype if it is large."""
    shape = tensor.shape
    if tensor.dtype.size * (shape.num_elements() or 0) > _LARGEST:
        digest.update(f"{tensor.dtype.name}{shape}".encode())
    else:
        feed_array(digest, as_array(tensor))
