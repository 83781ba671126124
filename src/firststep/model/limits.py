"""How large a trace may be, and what its records hold: it is data, from wherever somebody got it.

A start of TensorFlow is a megabyte of text and a hundred thousand values; these bounds are fifty times that, and what a trace within
them takes to read fits into half a gigabyte of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

TEXT = 96 << 20  # characters, decompressed
RECORDS = 1_000_000
VALUES = 6_000_000
LINE = 16 << 20  # characters
STRING = 1 << 20
DEEPEST = 1000  # frames of a stack, of which the agent keeps 250
LATEST = 1 << 62  # of a moment, or any other number
STEP_KINDS = ("train", "predict")  # of ready: a first step
READY_KINDS = frozenset((*STEP_KINDS, "mark", "exit", "port", "http", "line"))


def values(text: str) -> int:
    """How many values a text may hold, at most."""
    return sum(map(text.count, ",[{"))


def number(value: Any) -> bool:
    """A whole number in bounds."""
    return type(value) is int and -LATEST < value < LATEST  # of JSON: nothing else is one


def real(value: Any) -> bool:
    """Any number in bounds, or none."""
    return value is None or number(value) or isinstance(value, float) and -1e18 < value < 1e18


def string(value: Any) -> bool:
    """A string in bounds."""
    return type(value) is str and len(value) <= STRING


def labels(value: Any) -> bool:
    """A mapping, whose numbers are in bounds."""
    return isinstance(value, dict) and all(_plain(item) for item in value.values())


def list_of(kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A list of such values."""
    return lambda value: isinstance(value, list) and all(map(kind, value))


def stack(value: Any) -> bool:
    """Frames by their numbers, as deep as one can be."""
    return list_of(number)(value) and len(value) <= DEEPEST


def row_of(*kinds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A list of exactly such values."""
    def fits(value: Any) -> bool:
        return isinstance(value, list) and len(value) == len(kinds) and all(kind(item) for kind, item in zip(kinds, value, strict=True))

    return fits


def _plain(value: Any) -> bool:
    if isinstance(value, dict):
        return labels(value)
    if isinstance(value, list):
        return all(map(_plain, value))
    return isinstance(value, bool) or real(value) or string(value)


def ready_kind(value: Any) -> bool:
    """What can make a program ready."""
    return isinstance(value, str) and value in READY_KINDS


def optional(kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Such a value or none."""
    return lambda value: value is None or kind(value)


def state(value: Any) -> bool:
    """Whether a hook point is there: true, or why not."""
    return isinstance(value, bool) or string(value)


def host(value: Any) -> bool:
    """The machine: every field of it a plain value, its load a list of numbers."""
    numbers = ("cpus", "usable_cpus", "cpu_quota", "kernels_compiled")
    listed = list_of(real)(value.get("load", [])) and optional(list_of(labels))(value.get("gpus")) if labels(value) else False
    return listed and all(real(value.get(key)) for key in numbers)


def counted(value: Any) -> bool:
    """What a counter holds: a number, the calls and nanoseconds of a hook point, or numbers by name."""
    if isinstance(value, dict):
        return all(map(real, value.values()))
    return row_of(number, number)(value) or value is not None and real(value)


def counters(found: Mapping[str, Any]) -> bool:
    """Each of the kind that its name stands for: `machine`, `KIND NAME` of calls, or one number's."""
    return all(isinstance(value, dict) is (name == "machine") and isinstance(value, list) is (" " in name) for name, value in found.items())


def gpu(value: Any) -> bool:
    """What a framework was built for, and settings as the environment has them."""
    build, environment = (value.get(name, {}) if isinstance(value, dict) else None for name in ("build", "environment"))
    return (isinstance(build, dict) and labels(build) and list_of(string)(build.get("cuda_compute_capabilities", []))
            and isinstance(environment, dict) and all(map(string, environment.values())))


def source(value: Any) -> bool:
    """{file: {line: text}}"""
    return isinstance(value, dict) and all(isinstance(lines, dict) and all(map(string, lines.values())) for lines in value.values())


Shape = tuple[Callable[[Any], bool], ...]
RECORD: Mapping[str, Shape] = {  # the items after the type; labels may be left out
    "s": (string, string, number, number, number, labels),
    "o": (number, number, list_of(row_of(string, string, number))),
    "f": (number, string, string, number, number),
    "k": (number, stack),
    "p": (number, number, string, number, number, number),
    "u": (number, number, number, number),
    "b": (number, number),
    "i": (number, number),
    "w": (number, list_of(row_of(number, string, number))),
    "y": (number, list_of(row_of(number, string, number, number))),
    "m": (number, string, labels),
    "t": (number, string, number, string),
    "ready": (number, ready_kind, string),
    "r": (number, string, string, labels),
    "x": (number, number, number, list_of(string)),
    "c": (string, counted),
    "l": (number, string),
    "libraries": (list_of(row_of(string, number)),),
    "result": (labels,),
    "missing": (string, string),
    "code": (list_of(string),),
    "cell": (string, number, list_of(string)),
    "packages": (labels,),
    "gpu": (gpu,),
    "point": (string, string, state),
    "agent": (number, number),
    "e": (number, string, string),
    "uncaught": (string,),
    "end": (number, string),
}
HEADER: Mapping[str, Callable[[Any], bool]] = {  # of the tool, and of a part; only what is there is looked at
    "command": list_of(string), "until": list_of(_plain), "observe": list_of(string), "boost": list_of(string), "host": host,
    "spawned": row_of(number, number), "clock": row_of(number, number), "pid": number,
    "ready": optional(row_of(number, ready_kind, string)), "ended": number,
    "log": list_of(row_of(number, string)), "native_log": state, "given_up": state,
    "pth": list_of(row_of(string, number)), "lost": string, "exit_code": optional(number), "records": number, "version": string,
    "ppid": number, "thread": number, "origin": string, "entered_ns": number, "python": string, "executable": optional(string),
    "tag": string,
    "prefix": string, "base_prefix": string, "argv": list_of(string), "path": list_of(_plain), "cwd": optional(string),
    "preloaded": list_of(string), "source": source, "installed": list_of(string), "flags": string,
    "framework_named": optional(string), "unnamed": optional(list_of(string)),
}

NEEDED = ("pid", "ppid", "thread", "entered_ns", "python", "executable", "prefix", "argv", "path", "cwd")  # in the header of a part


def known(kind: Any, items: list[Any]) -> bool:
    """Whether a record is of a type that this version knows. Raises ValueError where it is not as those are."""
    shape = RECORD.get(kind)
    if shape is None:
        return False  # of a later version
    if len(items) > len(shape) or not all(fits(item) for fits, item in zip(shape, items, strict=False)):
        raise ValueError(f"of type {kind}")
    return True
