"""How often the function cache answers: over the zoo, and over generated programs that nothing was tuned for.

Each program learns and confirms, beginning with an empty cache; its third, unchanged start is counted. What that prints is compared
with what a plain start prints. Times play no part: this may run beside other work.
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from harness import BENCHMARKS, PYTHON, ROOT, ZOO, Row, Table, program, table
from proving import own_cache

from firststep.boost.compose import boost_plan
from firststep.launch.session import Session
from firststep.model.plan import OBSERVE_READY, Plan
from firststep.model.read_trace import parse_trace

sys.path.insert(0, str(ROOT / "tests" / "function_cache"))
from corpus import program as generated  # noqa: E402

ID = "cache-functions"
EVERYTHING = ("cache-functions.replay_over_ms=0", "cache-functions.proof=wait")  # small functions are replayed as well
LEARNED_ANEW = "it is learned anew: "
TIMEOUT_S = 900.0
SHORT = {"resnet152": ("--steps", 2)}
SIGNS = re.compile(r"\x1b\[[0-9;]*m|\x08+")  # a progress bar's
TIMES = re.compile(r"\d+[mnu]?s/step|\b\d+s\b| +$", re.MULTILINE)  # and what is left of a longer one
HEADING = ["asked for", "asked", "answered", "share", "of what can be kept", "refused", "what was printed"]
ABOUT = ("Functions that TensorFlow wanted traced at top level in the second start, and those that were answered from the cache. "
         "*Of what can be kept*: without those that are refused with a reason.")


@dataclass
class Counted:
    """Functions of one start. missed: could be kept, but nothing that was stored held; why: (kind, reason) of the rest."""

    answered: int = 0
    refused: int = 0
    missed: int = 0
    why: list = field(default_factory=list)

    @property
    def asked(self):
        return self.answered + self.refused + self.missed


def run(command, plan):
    """(standard output, the function cache's notes) of one start that must succeed."""
    with tempfile.TemporaryFile() as printed:
        ended = Session(command, plan, stdout=printed.fileno(), stderr=subprocess.DEVNULL, timeout_s=TIMEOUT_S).run()
        printed.seek(0)
        text = printed.read().decode("utf-8", "replace")
    if ended.exit_code:
        raise RuntimeError(f"{' '.join(command)} ended with exit code {ended.exit_code}")
    processes = parse_trace(ended.trace).processes
    return TIMES.sub("", SIGNS.sub("", text)), [note for process in processes for note in process.notes if note.remedy == ID]


def counted(notes):
    found, anew = Counted(), Counter()
    for note in notes:
        name, reason = note.labels.get("function", ""), note.labels.get("reason", "")
        if note.what in ("proved", "confirmed"):
            continue
        if note.what == "live":
            found.answered += 1
        elif note.what == "reused":  # traced, and refused where it is no SavedModel's: counted there
            found.why.append(("reused", name, "its optimised graph alone"))
        elif note.what == "learned":
            found.missed += 1
            anew[name] -= 1
        elif reason.startswith(LEARNED_ANEW):
            anew[name] += 1
            found.why.append(("missed", name, reason.removeprefix(LEARNED_ANEW)))
        else:
            found.refused += 1
            found.why.append((note.what, name, reason))
    found.why += [("missed", name, "it was asked for the first time") for name, count in anew.items() for _ in range(-count)]
    return found


def examine(command):
    """(Counted, in words whether the counted run printed what a plain one prints) of one program."""
    plain = Plan(observe=OBSERVE_READY)
    expected, _ = run(command, plain)
    with own_cache():
        boost = boost_plan(settings=EVERYTHING)
        for _ in ("learned", "confirmed"):
            run(command, boost)
        printed, notes = run(command, boost)
    return counted(notes), _verdict(command, plain, expected, printed)


def _verdict(command, plain, expected, printed):
    if printed == expected:
        return "equal"
    return "not equal to itself" if run(command, plain)[0] != expected else "DIFFERENT"


def group(name, commands, goal):
    """measure() of a row; commands: program -> its command line."""

    def measure(programs):
        found, verdicts = {}, Counter()
        for title, command in list(commands.items())[:programs]:
            try:
                found[title], verdict = examine(command)
            except RuntimeError as error:
                print(f"  {title}: {error}", file=sys.stderr, flush=True)
                verdicts["FAILED"] += 1
                continue
            verdicts[verdict] += 1
            print(f"  {title}: {found[title].answered} of {found[title].asked}; {verdict}", *found[title].why,
                  sep="\n    ", file=sys.stderr, flush=True)
        _write_reasons(name, found)
        return _cells(goal, found.values(), verdicts)

    return measure


def _cells(goal, found, verdicts):
    asked, answered, refused = (sum(getattr(each, what) for each in found) for what in ("asked", "answered", "refused"))
    keepable = asked - refused
    return [goal, asked, answered, f"{answered / asked:.0%}" if asked else "–", f"{answered / keepable:.0%}" if keepable else "–",
            refused, ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())]


def _write_reasons(name, found):
    """What was not answered, by reason."""
    groups = defaultdict(list)
    for title, each in found.items():
        for kind, function, reason in each.why:
            groups[kind, reason].append(f"{title} `{function}`")
    rows = [[kind, reason, len(members), "<br>".join(f"{one} × {count}" if count > 1 else one
                                                     for one, count in Counter(members).items())]
            for (kind, reason), members in sorted(groups.items(), key=lambda item: -len(item[1]))]
    lines = table(["", "because", "functions", "of"], rows) if rows else ["Everything was answered."]
    BENCHMARKS.write_section(f"hits {name}", f"Not answered from the cache: {name}", list(lines))


def zoo(folder, pattern):
    names = sorted(str(path.relative_to(ZOO).with_suffix("")) for path in (ZOO / folder).glob(pattern)
                   if not path.name.startswith("_") and path.name != "make_models.py")
    return {name: program(name, *SHORT.get(name, ())) for name in names}


def corpus(folder, seeds):
    """Writes the generated programs; their command lines."""
    commands = {}
    for seed in range(seeds):
        path = Path(folder) / f"generated_{seed}.py"
        path.write_text(generated(seed))
        commands[f"seed {seed}"] = [PYTHON, str(path)]
    return commands


def generated_programs(programs):
    with tempfile.TemporaryDirectory() as folder:
        return group("generated programs", corpus(folder, programs), "≥ 80% of what can be kept")(programs)


def row(name, commands):
    return Row(group(name, commands, "≥ 80% of what can be kept"), len(commands), 0, 15)


TABLE = Table("hits", "How often the function cache answers", HEADING, {
    "zoo": row("zoo", zoo(".", "*.py")),
    "zoo, programs that nothing was tuned for": row("user style", zoo("user_style", "*.py")),
    "zoo, snippets of documents": row("snippets", zoo("seeds", "*/*.py")),
    "generated programs": Row(generated_programs, 30, 0, 10),
}, ABOUT, of="programs")


if __name__ == "__main__":
    TABLE.main()
