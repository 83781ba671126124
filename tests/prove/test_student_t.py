"""Our own few lines of statistics against scipy's."""

import random

import pytest
from scipy import stats
from scipy.stats import mstats

from firststep.prove.statistics import ALPHA, TRIMMED, difference, interval
from firststep.prove.student_t import both_tails, upper_quantile


@pytest.mark.parametrize("df", [1, 2, 3.7, 9, 24, 1000, 1e5])
@pytest.mark.parametrize("tail", [0.4, 0.1, 0.015, 0.0042, 1e-5, 1e-8])
def test_quantiles_are_scipys(df, tail):
    expected = stats.t.isf(tail, df)
    assert upper_quantile(tail, df) == pytest.approx(expected, rel=1e-9)
    assert both_tails(expected, df) == pytest.approx(2 * tail, rel=1e-8)


def drawn(seed, count):
    choose = random.Random(seed)
    return [choose.gauss(3, 1) * (10 if choose.random() < 0.1 else 1) for _ in range(count)]


@pytest.mark.parametrize("count", [3, 4, 5, 6, 9, 10, 15, 40])
def test_the_paired_interval_is_scipys(count):
    values = drawn(count, count)
    low, high = mstats.trimmed_mean_ci(values, (TRIMMED, TRIMMED), (True, True), ALPHA)
    found = interval(values)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    assert found.mid == pytest.approx(float(mstats.trimmed_mean(values, (TRIMMED, TRIMMED))))


@pytest.mark.parametrize(("first", "second"), [(3, 3), (5, 9), (12, 40)])
def test_the_unpaired_interval_is_yuens_as_scipy_has_it(first, second):
    before, after = drawn(first, first), drawn(second + 1, second)
    test = stats.ttest_ind(after, before, equal_var=False, trim=TRIMMED)
    found = difference(before, after, alpha=0.05)
    expected = test.confidence_interval(0.95)
    # degrees of freedom are rounded down: never narrower, hardly wider
    assert found.low <= expected.low + 1e-9 and found.high >= expected.high - 1e-9
    assert found.half_width == pytest.approx((expected.high - expected.low) / 2, rel=0.2)


def test_one_new_run_is_judged_by_the_scatter_of_the_known_ones():
    known = [1.0, 1.02, 0.98, 1.01, 0.99]
    assert not difference(known, [1.02]).shows_more
    assert difference(known, [1.5]).shows_more
    assert difference([1.5], known).shows_less


def test_equal_values_have_no_scatter_and_few_values_no_interval():
    assert difference([2.0] * 3, [2.0] * 3).half_width == 0
    assert difference([2.0] * 3, [3.0] * 3).shows_more
    assert difference([1.0, 1.0], [9.0]).half_width == float("inf")
