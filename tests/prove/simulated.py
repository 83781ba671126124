"""How often prove is wrong and how much it finds: the table of docs/prove.md, which `cd tests; python -m prove.simulated` writes."""

import functools
from pathlib import Path

import numpy as np
from scipy import stats

from firststep.prove.statistics import ALPHA, LOOK_ALPHA, LOOKS, interval
from prove.noise import QUIET, ROUGH, SCATTERED, USUAL, experiments

PAGE = Path(__file__).parents[2] / "docs" / "prove.md"
BEGIN, END = "<!-- simulated -->\n", "<!-- end simulated -->\n"
EXPERIMENTS, PAIRS, EFFECT = 1000, 15, 1.1
KINDS = {"none but scatter": QUIET, "usual": USUAL, "twice the outliers": ROUGH, "twice the scatter": SCATTERED}
HEADING = ("noise", "false alarms, A against A", "the same, `--until-resolved`", "a real 10% is found", "the same, `--until-resolved`")


def differs(logs):
    return logs.shows_more or logs.shows_less


def shown(rows, pairs, alpha):
    """Of each experiment whether a look after so many pairs shows a difference."""
    return np.array([differs(interval(row[:pairs], alpha)) for row in rows])


def shown_at_some_look(rows, last):
    """The same for all looks of --until-resolved up to that number of pairs."""
    found = np.zeros(len(rows), bool)
    for look in LOOKS:
        if look <= last:
            found[~found] = shown(rows[~found], look, LOOK_ALPHA)
    return found


@functools.cache
def alarms(kind):
    """(at a fixed number of pairs, at any look): how often a command is told from itself."""
    noise = KINDS[kind]
    return (shown(experiments(1, EXPERIMENTS, PAIRS, noise=noise), PAIRS, ALPHA).mean(),
            shown_at_some_look(experiments(2, EXPERIMENTS, LOOKS[-1], noise=noise), LOOKS[-1]).mean())


@functools.cache
def found(kind, effect=EFFECT):
    """(at a fixed number of pairs, at any look up to that): how often a real difference is found."""
    rows = experiments(3, EXPERIMENTS, PAIRS, effect, noise=KINDS[kind])
    return shown(rows, PAIRS, ALPHA).mean(), shown_at_some_look(rows, PAIRS).mean()


def by_wilcoxon(row):
    """Whether Wilcoxon's signed-rank test finds the row to differ from nothing."""
    return stats.wilcoxon(row).pvalue < ALPHA


def by_the_median(row):
    """The same by the median's exact interval, of the values that lie symmetrically in their order."""
    above = int((row > 0).sum())
    return stats.binomtest(above, len(row)).pvalue < ALPHA


def table():
    """What the page says, as text."""
    lines = ["| " + " | ".join(HEADING) + " |", "|---" * len(HEADING) + "|"]
    for kind in KINDS:
        cells = [f"{share:.1%}" for share in alarms(kind)] + [f"{share:.0%}" for share in found(kind)]
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    rows = experiments(3, EXPERIMENTS, PAIRS, EFFECT)
    others = [np.mean([test(row) for row in rows]) for test in (by_wilcoxon, by_the_median)]
    words = "Other methods under the usual noise, found of a real 10% in {} pairs at the same level: Wilcoxon's signed-rank test {:.0%}, " \
            "the median's exact interval {:.0%}."
    return "\n".join(lines) + "\n\n" + words.format(PAIRS, *others) + "\n"


def written(text):
    """The page with the table anew."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text()))
