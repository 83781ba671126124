"""What a check says, in every form: text, Markdown, JSON and JUnit. Names are anybody's."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import IO, Any
from xml.etree import ElementTree

from firststep.check.judge import Judged
from firststep.check.verdict import Check, GateVerdict
from firststep.printable import code, one_line
from firststep.printable import console as printable_console
from firststep_agent import AGENT_VERSION

MAGIC = "firststep-check"
SCHEMA = 1
COLOURS = {GateVerdict.REGRESSED: "bold red", GateVerdict.INCOMPARABLE: "magenta", GateVerdict.INCONCLUSIVE: "yellow",
           GateVerdict.IMPROVED: "green", GateVerdict.NEUTRAL: ""}
VERDICT = 14  # columns
NO_XML = re.compile("[\ufffe\uffff]")


def print_judged(programs: Sequence[Judged], file: IO[str]) -> None:
    """A line for each check, what helps below it, and the notes of each program last."""
    console = printable_console(file, markup=False, soft_wrap=True)
    for program in programs:
        console.print(f"{one_line(program.name)}: {program.verdict.value}", style=COLOURS[program.verdict] or "bold")
        for one in program.checks:
            what = f"{one.kind} {one_line(one.name)}{': ' if _against(one) else ''}{one_line(_against(one))}"
            console.print(f"  {_verdict(one):<{VERDICT}}{what}", style=COLOURS[one.verdict])
            if one.words:
                console.print(" " * (VERDICT + 2) + one_line(one.words), style="dim")
        for note in program.notes:
            console.print("  " + one_line(note), style="dim")


def as_markdown(programs: Sequence[Judged]) -> str:
    """A table for each program, fit for a pull request."""
    lines: list[str] = []
    for program in programs:
        lines += [f"### firststep check {code(program.name)}: {program.verdict.value}", "",
                  "| | verdict | measured | may be | |", "|---|---|---|---|---|"]
        lines += [f"| {one.kind} {code(one.name, cell=True)} | {_verdict(one)} | {_cell(one.measured)} | {_cell(one.limit)} "
                  f"| {_cell(one.words)} |" for one in program.checks]
        lines += ["", *(f"- {code(note)}" for note in program.notes), ""]
    return "\n".join(lines)


def as_json(programs: Sequence[Judged], exit_code: int) -> str:
    """Schema: docs/check.md."""
    document = {"magic": MAGIC, "schema": SCHEMA, "version": AGENT_VERSION, "exit_code": exit_code,
                "programs": [_program(program) for program in programs]}
    return json.dumps(document, indent=1) + "\n"


def as_junit(programs: Sequence[Judged]) -> str:
    """A suite for each program and a case for each check: regressed fails, what is not known is skipped, a warning is printed."""
    suites = ElementTree.Element("testsuites", name="firststep check")
    for program in programs:
        suite = ElementTree.SubElement(suites, "testsuite", {"name": _xml(program.name), **_sums(program.checks)})
        for one in program.checks:
            case = ElementTree.SubElement(suite, "testcase", classname=f"firststep.{_xml(program.name)}",
                                          name=f"{one.kind} {_xml(one.name)}")
            said = _xml("; ".join(filter(None, (_against(one), one.words))))
            if one.verdict is GateVerdict.REGRESSED:
                ElementTree.SubElement(case, "failure", message=said)
            elif one.kind == "program":
                ElementTree.SubElement(case, "error", message=said)
            elif one.verdict in (GateVerdict.INCOMPARABLE, GateVerdict.INCONCLUSIVE):
                ElementTree.SubElement(case, "skipped", message=f"{one.verdict.value}: {said}")
            else:
                ElementTree.SubElement(case, "system-out").text = said
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _sums(checks: Sequence[Check]) -> dict[str, str]:
    errors = sum(one.kind == "program" for one in checks)
    skipped = sum(one.verdict in (GateVerdict.INCOMPARABLE, GateVerdict.INCONCLUSIVE) for one in checks) - errors
    failures = sum(one.verdict is GateVerdict.REGRESSED for one in checks)
    return {"tests": str(len(checks)), "failures": str(failures), "errors": str(errors), "skipped": str(skipped)}


def _program(program: Judged) -> dict[str, Any]:
    checks = [{"kind": one.kind, "name": one.name, "verdict": one.verdict.value, "warning": one.warning, "limit": one.limit,
               "measured": one.measured, "words": one.words} for one in program.checks]
    return {"name": program.name, "verdict": program.verdict.value, "runs": program.runs, "checks": checks, "notes": list(program.notes)}


def _verdict(one: Check) -> str:
    return "warning" if one.warning else one.verdict.value


def _against(one: Check) -> str:
    """`314 ms (289 ms to 341 ms; 40 runs), at most 2 s`"""
    link = {"time": ", at most ", "count": ", at most ", "change": " against "}.get(one.kind)
    return f"{one.measured}{link}{one.limit}" if link and one.measured else one.measured or one.limit


def _cell(text: str) -> str:
    return code(text, cell=True) if text else ""


def _xml(text: str) -> str:
    """Only characters that XML can hold."""
    return NO_XML.sub("", one_line(text))
