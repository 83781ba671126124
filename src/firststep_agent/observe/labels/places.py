"""The line of the program's own files that is under way."""

import sys

from firststep_agent.observe import converted
from firststep_agent.ownership import is_programs_line

_own: "dict[str, bool]" = {}  # file -> whether it is the program's


def user_line() -> "dict[str, str]":
    """{"line": "file:number"} of the innermost frame in a file of the program's; {} where there is none."""
    frame = getattr(sys, "_getframe")(1)
    while frame is not None:
        file = frame.f_code.co_filename
        mine = _own.get(file)
        if mine is None:
            mine = _own[file] = is_programs_line(file) and converted.GENERATED not in file
        if mine:
            return {"line": f"{file}:{frame.f_lineno}"}
        if converted.GENERATED in file and (place := converted.stands_for(file, frame.f_lineno)) and is_programs_line(place[0]):
            return {"line": f"{place[0]}:{place[3]}"}
        frame = frame.f_back
    return {}
