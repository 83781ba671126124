"""Student's t distribution, as far as intervals need it: the standard library has the normal one alone.

scipy would bring it, and 190 MB with it. tests/prove/test_student_t.py compares the two.
"""

from __future__ import annotations

import math
from functools import lru_cache

TINY = 1e-300
CLOSE = 1e-15
MOST_TERMS = 10_000


@lru_cache(maxsize=4096)
def upper_quantile(tail: float, df: float) -> float:
    """The t with P(T > t) = `tail` (0 < tail <= 0.5) at `df` > 0 degrees of freedom, by bisection to the last bits."""
    low, high = 0.0, 1.0
    while both_tails(high, df) > 2 * tail:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if not low < middle < high or high - low < CLOSE * high:
            return middle
        low, high = (middle, high) if both_tails(middle, df) > 2 * tail else (low, middle)


def both_tails(t: float, df: float) -> float:
    """P(|T| > t): the regularised incomplete beta function I of x = df / (df + t²), at df / 2 and 1 / 2."""
    return _regularised_beta(df / (df + t * t), t * t / (df + t * t), df / 2, 0.5)


def _regularised_beta(x: float, rest: float, a: float, b: float) -> float:
    """I_x(a, b), rest = 1 - x, by the continued fraction of DLMF 8.17.22, which converges fast on that side of the mean."""
    if x <= 0.0:
        return 0.0
    if rest <= 0.0:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _regularised_beta(rest, x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)) / a
    return front * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """1 / (1 + d1 / (1 + d2 / (1 + ...))) by the algorithm of Lentz (1976)."""
    value, upper, lower = 1.0, 1.0, 0.0
    for term in range(MOST_TERMS):
        m, odd = divmod(term, 2)
        if odd:
            part = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            part = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) if term else 1.0
        lower = 1 / _not_zero(1 + part * lower)
        upper = _not_zero(1 + part / upper)
        value *= upper * lower
        if abs(upper * lower - 1) < CLOSE and term:
            break
    return value - 1


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY
