"""Every case of `comparisons`, under every verb and on every Python of this machine; docs/harmless.md is its result."""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import comparisons
import pytest
import rows
from programs import TARGET, supported_interpreters

pytestmark = pytest.mark.suite
PAGE = Path(__file__).parents[2] / "docs/harmless.md"
WORDS = ("Small programs run plainly and under each verb, everything that they, their shell and their neighbours can see compared: "
         "`make suite` writes this table. Each row is one area; a difference that stays has its reason beside it, every other one is "
         "a failure.")
HEAD = "| area | comparisons | different, unexplained | different, and why | on |"
AREAS = ("signals", "dispositions", "endings", "descriptors", "variables", "commands", "limits", "places", "identity", "odd programs",
         "odd starts")
ON_EVERY_PYTHON = ("endings", "variables", "commands", "limits", "places", "identity", "odd programs")  # the others do not depend on the program's Python
# (area, name, why it stays)
STAY = [
    ("dispositions", r"signal 17 ", "`sh`, which starts the tool's Python, always takes SIGCHLD's ignoring back"),
    ("limits", r"^10 open files", "`sh`, which starts the tool's Python, cannot open any script with so few"),
    ("variables", r"PYTHONHOME=", "what Python says about a home that is none lists PYTHONPATH"),
    ("odd programs", r"faulthandler", "a dump of all threads has the recorder's thread"),
    ("odd programs", r"the collector's settings", "`gc.callbacks` holds ours until ready"),
    ("odd programs", r"tracemalloc", "memory that the agent takes is traced with the program's"),
    ("places", r"that is gone", "`sh` says on stderr that it has no working folder"),
]


def why(case):
    return next((reason for area, name, reason in STAY if area == case.area and re.search(name, case.name)), None)


@pytest.mark.parametrize("area", AREAS)
def test_no_difference(area, tmp_path):
    pythons = {sys.version_info[:2]: TARGET}
    if area in ON_EVERY_PYTHON:
        pythons = {**supported_interpreters(), **pythons}
    cases = [case for case in comparisons.cases() if case.area == area]
    jobs = [(number, case, python) for python in pythons.values() for number, case in enumerate(cases)]

    def differences(job):
        number, case, python = job
        try:
            return case, comparisons.differences(case, python, tmp_path / f"{jobs.index(job)}")
        except Exception as error:
            return case, [("it did not run", number, error)]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(differences, jobs))
    unexplained = [(str(case), *difference) for case, all_of_it in results for difference in all_of_it if not why(case)]
    explained = sorted({f"{case.name}: {why(case)}" for case, all_of_it in results if all_of_it and why(case)})
    versions = ", ".join(".".join(map(str, version)) for version in sorted(pythons))
    cells = [area, str(len(jobs) * len(comparisons.PREFIXES)), str(len(unexplained)), "<br>".join(explained) or "–", f"{rows.today()}, Python {versions}"]
    rows.write(PAGE, "Harmless", WORDS, HEAD, {area: "| " + " | ".join(cells) + " |"}, AREAS)
    assert unexplained == []
