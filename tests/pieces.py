"""What a long run of tests came to, file by file: kept in a small file between commands, and added up to one row."""

import json
import re
from collections import Counter
from dataclasses import asdict, dataclass, replace

CLOSING = re.compile(r"^=*\s*(\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected).*) in [\d.]+s", re.M)
COUNT = re.compile(r"(\d+) (passed|failed|skipped|error|xfailed|xpassed)")


@dataclass(frozen=True)
class Outcome:
    """Of the tests of one file: with which commit, how many ended how, which did not pass."""

    commit: str
    counts: dict
    failed: list
    seconds: float
    again: str = ""  # the commit with which it was run a second time, alone


def of(said, status, file, commit, seconds):
    """The outcome of a file, from what pytest said of it and its exit status."""
    closing = CLOSING.findall(said)
    counts = {name: int(number) for number, name in COUNT.findall(closing[-1] if closing else "")}
    summary = said.rpartition("short test summary info")[2]
    failed = [line.split(" - ")[0].split(" ", 1)[1] for line in summary.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if not counts or status and not failed:
        failed = [*failed, f"{file} did not run to its end"]
    return Outcome(commit, counts, failed, seconds)


def read(path):
    """file -> Outcome, as it was kept."""
    return {file: Outcome(**fields) for file, fields in json.loads(path.read_text()).items()} if path.exists() else {}


def keep(path, file, outcome):
    kept = {**read(path), file: outcome}
    path.write_text(json.dumps({name: asdict(one) for name, one in kept.items()}, indent=1))


def run_again(outcome, first):
    """A file's outcome in the row of its first one's commit."""
    return replace(outcome, commit=first.commit, again=outcome.commit) if first else outcome


def parts(tests, number):
    """The files in `number` parts of about as many tests each (file -> how many); always the same for the same tests."""
    dealt = [[] for _ in range(number)]
    for file in sorted(tests, key=lambda file: (-tests[file], file)):
        min(dealt, key=lambda part: sum(tests[one] for one in part)).append(file)
    return dealt


def added_up(kept, files):
    """All the files' outcomes as one, None where one is missing or they are not of one commit."""
    if not files or any(file not in kept for file in files) or len({kept[file].commit for file in files}) > 1:
        return None
    outcomes = [kept[file] for file in files]
    again = "; ".join(f"{file} again at {kept[file].again}" for file in files if kept[file].again)
    counts = sum((Counter(one.counts) for one in outcomes), Counter())
    return Outcome(outcomes[0].commit, dict(counts), [name for one in outcomes for name in one.failed],
                   sum(one.seconds for one in outcomes), again)
