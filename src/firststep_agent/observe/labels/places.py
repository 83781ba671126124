"""The line of the program's own files that is under way."""

import sys

from firststep_agent.ownership import is_programs_line

GENERATED = "__autograph_generated_file"
_own: "dict[str, bool]" = {}  # file -> whether it is the program's


def user_line() -> "dict[str, str]":
    """{"line": "file:number"} of the innermost frame in a file of the program's; {} where there is none."""
    frame = getattr(sys, "_getframe")(1)
    while frame is not None:
        file = frame.f_code.co_filename
        mine = _own.get(file)
        if mine is None:
            mine = _own[file] = is_programs_line(file) and GENERATED not in file
        if mine:
            return {"line": f"{file}:{frame.f_lineno}"}
        frame = frame.f_back
    return {}
