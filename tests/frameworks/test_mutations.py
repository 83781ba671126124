"""The border's own mutation test: each place of the tables, in processes of their own, is gone, has another signature, or raises.

A program that passes through it (mutation_programs.py; that it does is counted) then runs plainly, recorded and boosted: exit code,
output and the last line of its error are as plainly. Where the framework itself cannot do without the name, it fails in the same
words. `moved` and `fails` are the agent's alone to meet: the framework goes on, so that what is tried is the agent.

What the agent can notice it says: by its name a place that is not found where it wraps or replaces (`moved`, `deleted`); and that a
remedy did not do its work where a name fails that it reads (`moved`, `fails`), less UNSAID. It cannot notice another signature, for it
hands on what it is given, nor a place that raises: that is the program's error, and would be without it. An observer leaves out of a
span's labels what it cannot read, and that is all that is lost.

All ways at all places take a processor's evening: `make suite` tries one way at each place, another in each week, so that five
weeks try them all (weekly.py). The places of Keras 2 are there with TensorFlow 2.15 alone,
which `make suite` installs beside.
"""

import json
import os
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path

import pytest
import weekly
from mutation_programs import KERAS, LOOP, PROGRAMS, SAVED, SESSIONS
from programs import TARGET

from firststep.model.plan import OBSERVE_ALL, Plan
from firststep_agent.frameworks.points import READ, all_points

pytestmark = pytest.mark.tensorflow

ROOT = Path(__file__).parents[2]
OBSERVERS = {"frameworks", "steps", "afterwards", "network", "results"}
UNCHANGED = 99  # exit status of a fork in which there was nothing to change in this way
WAYS = ("moved", "fails", "signature", "deleted", "raises")
_FILES = "tensorflow.python.lib.io._pywrap_file_io."
_WITHOUT = "without what was kept XLA compiles as it does anyway"
UNSAID = {  # places that a remedy reads -> why it goes on as well without
    "tensorflow.python.eager.polymorphic_function.polymorphic_function.Function._name": "the function tells its name otherwise, too",
    "tensorflow.python.framework.versions.__version__": "the installer's record tells the version, too",
    **dict.fromkeys((_FILES + name for name in ("GetChildren", "RecursivelyCreateDir")), _WITHOUT),
}

@dataclass(frozen=True)
class Ran:
    """What a program's run showed: exit status, output, the last line of its error; and what the agent wrote down."""

    status: int
    out: str
    last: str
    trace: str
    seen: frozenset = frozenset()
    met: bool = False

    def shown(self):
        return self.status, self.out, self.last


class Server:
    """Runs programs in forks of one process that has loaded the frameworks (mutating.py)."""

    def __init__(self, folder):
        self._folder = folder
        self._runs = 0
        self._errors = (folder / "server.err").open("w")
        quiet = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}  # its lines have the time in them
        self._process = subprocess.Popen([TARGET, "-X", "faulthandler", str(Path(__file__).with_name("mutating.py")), str(ROOT / "src")],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, env=quiet)
        self.versions = json.loads(self._process.stdout.readline())  # package -> [2, 21]

    def run(self, text, point=None, how=None, plan=None, places=()):
        """One run of a program, with this point changed; `how` is "seen": it is told which of `places` the agent has looked for; or
        "passed": which of them the program has passed.

        Skips the test where there is nothing to change in this way.
        """
        self._runs += 1
        folder = self._folder / str(self._runs)
        folder.mkdir(mode=0o700)
        program = self._folder / "program.py"  # of one name, for it is part of what the cache goes by
        program.write_text(text)
        job = {"folder": str(folder), "program": str(program), "how": how, "plan": None,
               "places": [(one.module, one.attribute) for one in places]}
        if point is not None:
            job.update(module=point.module, attribute=point.attribute, read=point.how == READ)
        if plan is not None:
            (folder / "parts").mkdir()
            job["plan"] = str(folder / "plan.json")
            Path(job["plan"]).write_text(json.dumps(plan.document(str(folder))))
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        status = json.loads(self._process.stdout.readline())
        if status == UNCHANGED:
            pytest.skip("there is nothing to change in this way")
        lines = (folder / "err").read_text().splitlines()
        seen = folder / "seen"
        return Ran(status, (folder / "out").read_text(), lines[-1] if status and lines else "",
                   "".join(part.read_text() for part in folder.glob("parts/*.part")),
                   frozenset(json.loads(seen.read_text())) if seen.exists() else frozenset(), (folder / "met").exists())

    def close(self):
        self._process.stdin.close()
        self._process.wait(60)
        self._errors.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("forks"))
    yield server
    server.close()


PLAIN: dict = {}


def plainly(server, text):
    """What the program does where nothing is changed."""
    if text not in PLAIN:
        PLAIN[text] = server.run(text)
        assert PLAIN[text].status == 0, PLAIN[text]
    return PLAIN[text]


def points():
    """Each place in each way; those whose turn it is not this week, marked. A new place changes nothing about the turn of the others."""
    for point in all_points():
        if point.untried is None:
            ways = [how for how in WAYS if how != "fails" or point.how == READ]
            of_keras_2 = (pytest.mark.keras_2,) if point.package == "keras" and point.before == (3, 0) else ()
            for number, how in enumerate(ways, -zlib.crc32(point.name.encode())):
                yield pytest.param(point, how, id=f"{point.name}-{how}", marks=(*of_keras_2, *weekly.marks(number, len(ways))))


@pytest.fixture(scope="module")
def looked_for(server, tmp_path_factory):
    """Names of the places that are looked for where LOOP is learned, confirmed and answered."""
    cache = tmp_path_factory.mktemp("seen")
    plan = boosting(("cache-functions",), cache)
    places = [point for point in all_points() if point.how == READ and point.package in server.versions]
    return frozenset().union(*(server.run(LOOP, how="seen", plan=plan, places=places).seen for _ in range(3)))


def boosting(remedies, cache):
    settings = {remedy: {"replay_over_ms": 0, "proof": "wait"} if remedy == "cache-functions" else {} for remedy in remedies}
    return Plan(observe=("processes", "steps"), boost=settings, cache=str(cache))


@pytest.fixture(scope="module")
def passed(server):
    """{program: names of the wrapped and replaced places that it passes}"""
    places = [point for point in all_points() if point.how != READ and point.package in server.versions]
    return {text: server.run(text, how="passed", places=places).seen for text in PROGRAMS}


def program_for(point, known):
    """The shortest that passes through it; of a place that is only read, the one that is likely to look for it. known: what the
    fixture `passed` or `looked_for` says."""
    if point.how != READ:
        first = (LOOP, KERAS, SAVED, SESSIONS) if set(point.users) - OBSERVERS else ()
        return next(text for text in (*first, *PROGRAMS) if point.name in known[text])
    if set(point.users) == {"cache-functions"} and point.name in known:
        return LOOP
    of_sessions = (".client.session", ".training.", ".ref_variable", ".importer", ".ops.variables")
    if set(point.users) != {"cache-functions"} and any(part in point.module for part in of_sessions):
        return SESSIONS
    return SAVED if any(part in point.module for part in ("sav", "checkpoint", "h5py", ".data.", "loader")) else KERAS


def is_here(server, point):
    installed = server.versions.get(point.package)
    return installed is not None and point.exists_in(tuple(installed))


@pytest.mark.suite
def test_every_place_is_passed_by_a_program_or_says_why_not(server, passed):
    """Those of this TensorFlow; a reason that is none any more is found, too."""
    found = frozenset().union(*passed.values())
    here = [point for point in all_points() if point.how != READ and is_here(server, point)]
    assert sorted(point.name for point in here if point.untried is None and point.name not in found) == []
    assert sorted(point.name for point in here if point.untried is not None and point.name in found) == []


@pytest.mark.suite
@pytest.mark.parametrize("point,how", list(points()))
def test_the_program_runs_as_it_would_plainly(server, request, tmp_path, point, how):
    if not is_here(server, point):
        pytest.skip(f"{point.package} is another one here, or there is none")
    text = program_for(point, request.getfixturevalue("looked_for" if point.how == READ else "passed"))
    plain = plainly(server, text)
    if how not in ("moved", "fails"):  # those meet the agent alone
        plain = server.run(text, point, how)
        assert plain.met or plain.status or how == "deleted" or point.how == READ, "the program does not meet it"
    users = set(point.users)
    if users & OBSERVERS:
        check_recorded(server, text, point, how, plain)
    if users - OBSERVERS:
        check_boosted(server, text, point, how, plain, tmp_path / "cache")


def told(ran):
    """What the agent wrote down, without the header."""
    return "\n".join(line[:600] for line in ran.trace.splitlines() if line.startswith("["))


def check_recorded(server, text, point, how, plain):
    recorded = server.run(text, point, how, Plan(observe=(*OBSERVE_ALL, "results")))
    assert recorded.shown() == plain.shown()
    if how in ("moved", "deleted") and point.how != READ:
        assert f'["missing","{point.module}","{point.attribute}"]' in recorded.trace


def check_said(ran, point):
    """A remedy that meets a name that it reads, and that fails there, says that it did not do its work."""
    if ran.met and point.name not in UNSAID:
        assert any(word in ran.trace for word in (',"refused",', ',"error",', '["e",')), f"nothing is said: {told(ran)}"


def check_boosted(server, text, point, how, plain, cache):
    """The start that learns, the one that confirms, and the one that is answered; one of them where the framework itself fails."""
    remedies = sorted(set(point.users) - OBSERVERS)
    cache.mkdir(mode=0o700)
    plan = boosting(remedies, cache)
    traces = []
    for _ in range(3 if plain.status == 0 and "cache-functions" in remedies else 1):
        boosted = server.run(text, point, how, plan)
        traces.append(boosted.trace)
        # What a remedy does in the place of a framework that fails may come to the end that the program has where nothing is changed.
        assert boosted.shown() == plain.shown() or plain.status and boosted.shown() == plainly(server, text).shown(), told(boosted)
        if how in ("moved", "fails"):
            check_said(boosted, point)
    if how in ("moved", "deleted") and point.how != READ and plain.status == 0:  # some places are for what learns alone
        missing = f'["missing","{point.module}","{point.attribute}"]'  # a place below another one, where the remedy listens
        assert f"there is no {point.name}" in "".join(traces) or missing in "".join(traces)
    # Others pass a place and leave the remedy nothing to do; so does LOOP, but for its functions.
    if plain.status == 0 and (text in (KERAS, SAVED, SESSIONS) or text == LOOP and "cache-functions" in remedies):
        said = [f',"{what}",' for what in ("live", "learned", "confirmed", "refused", "error")] + ['["e",']
        assert any(word in boosted.trace for word in said), f"nothing is said: {told(boosted)}"
