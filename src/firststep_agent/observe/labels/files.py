"""Models, weights, checkpoints and data files: where they are and how big."""

from firststep_agent import kinds
from firststep_agent.as_found import os
from firststep_agent.observe.labels import argument, said
from firststep_agent.observe.labels.places import user_line
from firststep_agent.observe.labels.values import measured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _path(value: "Any") -> str:
    """A path in words; of an open file its name."""
    named = said.text(value)
    found = said.attribute(value, "name") if named == kinds.name(type(value)) else None
    return said.text(found) if kinds.is_a(found, str) else named


def size_of(path: str) -> "dict[str, Any]":
    """{"path", "bytes"}: of a file, of all files in a folder, or of the files that begin with a checkpoint's prefix."""
    labels: dict[str, Any] = {"path": path}
    total = 0
    if os.path.isdir(path):
        for folder, _, names in os.walk(path):
            total += sum(os.path.getsize(os.path.join(folder, name)) for name in names)
    elif os.path.exists(path):
        total = os.path.getsize(path)
    elif path:
        folder, prefix = os.path.split(path)
        if os.path.isdir(folder or "."):
            total = sum(one.stat().st_size for one in os.scandir(folder or ".") if one.name.startswith(prefix + "."))
    return {**labels, "bytes": total} if total else labels


def first_argument(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return _path(args[0] if args else next(iter(kwargs.values()), ""))


def second_argument(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return _path(args[1] if len(args) > 1 else next(iter(kwargs.values()), ""))


def _loaded(path: str) -> "dict[str, Any]":
    """{"path", "bytes", "line"}: read in too short a time for samples to say where from, it can still decide what other time was for."""
    return {**size_of(path), **user_line()}


def model(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    path = first_argument(args, kwargs)
    return {**_loaded(path), "format": os.path.splitext(path)[1] or "folder"}


def saved_model(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {**_loaded(first_argument(args, kwargs)), "format": "saved_model"}


def weights(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return _loaded(second_argument(args, kwargs))


def checkpoint(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return _loaded(second_argument(args, kwargs))


def restored(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return _loaded(_path(argument(args, kwargs, 2, "save_path")))


def loader_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return _path(argument(args, kwargs, 3, "export_dir"))


def opened(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return size_of(second_argument(args, kwargs))


def dataset_name(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> str:
    return str(args[0].name)


def dataset(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return {"file": args[0].file.filename, **measured(args[0].shape, args[0].dtype)}
