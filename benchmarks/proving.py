"""One comparison by the machinery of `firststep prove`, with what its command line does not offer: remedies left out, an
environment, and a cache of its own, kept or emptied before each treated run.
"""

import contextlib
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from firststep.boost.compose import boost_plan
from firststep.launch.until import parse_until
from firststep.model.plan import Plan
from firststep.prove import page_cache
from firststep.prove.effects import savings
from firststep.prove.experiment import Design, experiment
from firststep.prove.judge import Question, judge
from firststep.prove.measure import run_once
from firststep.prove.plans import PROBE
from firststep.prove.run import LATER_STEP, Purpose, Side

TIMEOUT_S = 900.0


@contextlib.contextmanager
def own_cache():
    """A cache that nothing else uses, named to all that is started meanwhile; yields its folder."""
    before = os.environ.get("FIRSTSTEP_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FIRSTSTEP_CACHE"] = cache = os.path.join(folder, "cache")
        try:
            yield Path(cache)
        finally:
            if before is None:
                del os.environ["FIRSTSTEP_CACHE"]
            else:
                os.environ["FIRSTSTEP_CACHE"] = before


@dataclass(frozen=True)
class Case:
    """What is compared, plain against boosted.

    without: remedies left out; settings: as boost's `--set` has them; cold: the page cache is dropped before each counted run;
    learning: the cache is emptied before each boosted run, so that every one of them learns.
    """

    command: list
    until: str = "first-step"
    without: tuple = ()
    settings: tuple = ()
    environment: dict = field(default_factory=dict)
    cold: bool = False
    compare_output: bool = False
    learning: bool = False

    def plans(self):
        """Both carry the same probe; only the remedies differ."""
        until = parse_until(self.until)
        probe = {"until": until, "observe": PROBE, "watch_steps": LATER_STEP}
        boosted = boost_plan(until, self.without, settings=self.settings)
        return {Side.PLAIN: Plan().but(**probe), Side.TREATED: boosted.but(**probe)}


class Compared:
    """What a comparison gave, and its cells."""

    def __init__(self, evidence, question):
        self.evidence = evidence
        self.judgement = judge(evidence, question)
        self.savings = {saving.at: saving for saving in savings(evidence.pairs, evidence.design.alpha)}
        self._effects = {effect.metric.name: effect for effect in self.judgement.effects}

    def effect(self, name):
        """The effect on a metric of `prove`, None where no pair has it."""
        return self._effects.get(name)

    def median(self, name, side):
        """Seconds, of one side."""
        effect = self._effects[name]
        return effect.plain if side is Side.PLAIN else effect.treated

    @property
    def learning(self):
        """Seconds to ready of the run that found the cache empty."""
        return next(run.ready for run in self.evidence.apart if run.purpose is Purpose.LEARNING)

    @property
    def live(self):
        """Remedies that were live in all treated runs."""
        runs = [pair.treated for pair in self.evidence.pairs]
        return tuple(name for name in runs[0].live if all(name in run.live for run in runs)) if runs else ()

    def kept(self, at):
        """The share of the saving at ready that is still there."""
        saving = self.savings.get(at)
        if saving is None or not saving.ready:
            return "–"
        doubt = {"kept": "", "unclear": " (open)", "deferred": " (deferred)"}[saving.state]
        return f"{saving.later / saving.ready:.0%}{doubt}"

    def results(self):
        """In words, whether both sides computed the same."""
        comparison, careful = self.evidence.comparison, self.evidence.careful
        if comparison.different:
            return "DIFFERENT: " + "; ".join(comparison.different)
        if not comparison.found:
            return "none to compare"
        renamed = f", {len(comparison.renamed)} of another name" if comparison.renamed else ""
        if comparison.reproducible:
            return f"equal{renamed}"
        if careful is None or careful.comparison.different or not careful.comparison.reproducible:
            return "not equal to itself: " + "; ".join(comparison.unstable)
        return f"equal {careful.how}{renamed}"


def compare(case, pairs, cache):
    """Raises RuntimeError where no comparison took place."""
    plans = case.plans()
    folders = ()

    def run(side, purpose, how):
        nonlocal folders
        if case.learning and side is Side.TREATED:
            shutil.rmtree(cache, ignore_errors=True)
            cache.mkdir(mode=0o700)
        if case.cold and purpose is Purpose.COUNTED:
            page_cache.empty(folders)
        made = run_once(case.command, plans[side], side, purpose, timeout=TIMEOUT_S, compare_output=case.compare_output,
                        environment=case.environment)
        folders = made.folders or folders
        return made

    question = Question(("plain", "boost"), remedies=not case.learning, compare_output=case.compare_output)
    evidence = experiment(run, Design(pairs, learns=not case.learning), _told)
    if evidence.problem:
        last = "\n".join(run.printed_last for run in evidence.problem.runs)
        raise RuntimeError(f"{evidence.problem.kind}: {' '.join(case.command)}\n{last}")
    return Compared(evidence, question)


def _told(_, run):
    refused = "".join(f"; {name} refused: {why}" for name, why in run.refused.items())
    print(f"  {run.purpose.value} {run.side.value}: ready {run.ready or 0:.2f} s, exit {run.exit or 0:.2f} s{refused}",
          file=sys.stderr, flush=True)
