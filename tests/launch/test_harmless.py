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
FRAMES = "before Python 3.11 a bare `raise` puts our frame back into the traceback"
ANY = (99,)
# (area, name, on versions before this one, why it stays)
STAY = [
    ("dispositions", r"signal 17 ", ANY, "`sh`, which starts the tool's Python, always takes SIGCHLD's ignoring back"),
    ("limits", r"^10 open files", ANY, "`sh`, which starts the tool's Python, cannot open any script with so few"),
    ("variables", r"PYTHON(HOME|PLATLIBDIR)=", ANY, "what Python says where it does not find its library lists PYTHONPATH"),
    ("odd programs", r"faulthandler", ANY, "a dump of all threads has the recorder's thread"),
    ("odd programs", r"the collector's settings", ANY, "`gc.callbacks` holds ours until ready"),
    ("odd programs", r"settings of sys", ANY, "the switch interval may be short while the recorder waits for Python's lock"),
    ("odd programs", r"tracemalloc", ANY, "memory that the agent takes is traced with the program's"),
    ("odd programs", r"errors of (starts|imports)", (3, 11), FRAMES),
    ("odd starts", r"a sitecustomize that ends it", (3, 11), FRAMES),
    ("places", r"that is gone", ANY, "`sh` says on stderr that it has no working folder"),
]


def why(case, version):
    return next((reason for area, name, before, reason in STAY
                 if area == case.area and version < before and re.search(name, case.name)), None)


@pytest.mark.parametrize("area", AREAS)
def test_no_difference(area, tmp_path):
    pythons = {**supported_interpreters(), sys.version_info[:2]: TARGET}
    cases = [case for case in comparisons.cases() if case.area == area]
    jobs = [(case, version) for version in pythons for case in cases]

    def differences(number):
        case, version = jobs[number]
        try:
            return comparisons.differences(case, pythons[version], tmp_path / f"{number}")
        except Exception as error:
            return [("it did not run", error)]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(zip(jobs, pool.map(differences, range(len(jobs))), strict=True))
    unexplained = [f"{case}, Python {version}: {one}" for (case, version), all_of_it in found for one in all_of_it if not why(case, version)]
    explained = sorted({f"{case.name}: {why(case, version)}" for (case, version), all_of_it in found if all_of_it and why(case, version)})
    versions = ", ".join(".".join(map(str, version)) for version in sorted(pythons))
    cells = [area, str(len(jobs) * len(comparisons.PREFIXES)), str(len(unexplained)), "<br>".join(explained) or "–", f"{rows.today()}, Python {versions}"]
    rows.write(PAGE, "Harmless", WORDS, HEAD, {area: "| " + " | ".join(cells) + " |"}, AREAS)
    assert not unexplained, "\n".join(unexplained)
