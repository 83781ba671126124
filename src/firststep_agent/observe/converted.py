"""The program's own line for which a line of code stands that AutoGraph has made of it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType
    from typing import Any

GENERATED = "__autograph_generated_file"
_LAST = (chr(0x10FFFF), "", 0, 0)  # behind every place of a line
_functions: "dict[tuple[str, str], CodeType]" = {}  # (file, name) -> what was read last
_lines: "dict[str, list[tuple[int, tuple[str, str, int, int]]]]" = {}  # generated file -> [(its line, place)], in order


def was_converted(code: "CodeType") -> None:
    """A function of that code was read, and is about to be written anew."""
    _functions[code.co_filename, code.co_name] = code


def was_written(source_map: "Mapping[Any, Any]") -> None:
    """source_map: TensorFlow's, {(file, line) of what it has written: OriginInfo}."""
    first: dict[tuple[str, str], int] = {}
    for origin in source_map.values():
        key = origin.loc.filename, origin.function_name or ""
        first[key] = min(first.get(key, origin.loc.lineno), origin.loc.lineno)
    found: dict[str, list[tuple[int, tuple[str, str, int, int]]]] = {}
    for (file, line), origin in sorted(source_map.items(), key=lambda item: item[0][:2]):
        key = origin.loc.filename, origin.function_name or ""
        code = _functions.get(key)
        name, first_line = (key[1], first[key]) if code is None else (getattr(code, "co_qualname", code.co_name), code.co_firstlineno)
        found.setdefault(file, []).append((line, (key[0], name, first_line, origin.loc.lineno)))
    _lines.update(found)
    _functions.clear()


def stands_for(file: str, line: int) -> "tuple[str, str, int, int] | None":
    """(file, function, its first line, line) of the program's; None where none is known. What TensorFlow has added stands for the line
    that it follows."""
    lines = _lines.get(file)
    if not lines:
        return None
    from bisect import bisect_right  # TensorFlow has it; a program without that is to import it itself

    return lines[max(0, bisect_right(lines, (line, _LAST)) - 1)][1]
