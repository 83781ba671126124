"""Simulated times of interleaved runs with the noise of a small shared machine.

Independent scatter of each run; slow drift of the whole machine and a random walk; bursts, in which several
runs in a row are slowed by 10 to 50%; single runs that are off by 30% either way; and the second run of a
pair 1% slower.
"""

from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from firststep.prove.order import orders


@dataclass(frozen=True)
class Noise:
    scatter: float = 0.025
    drift: float = 0.2  # over 30 runs, at most, either way
    walk: float = 0.01  # per run
    bursts: float = 0.02  # that begin per run; 4 runs long on average
    outliers: float = 0.05  # of the runs
    second: float = 0.01


USUAL = Noise()
QUIET = Noise(drift=0, walk=0, bursts=0, outliers=0)
ROUGH = replace(USUAL, outliers=0.1)
SCATTERED = replace(USUAL, scatter=0.05)


def experiments(seed, count, pairs, effect=1.0, noise=USUAL):
    """log(plain / treated), a row per experiment, a column per pair. effect: the true plain / treated."""
    rng = np.random.default_rng(seed)
    shape = (count, 2 * pairs)
    runs = noise.scatter * rng.standard_normal(shape)
    runs += rng.uniform(-noise.drift, noise.drift, (count, 1)) * np.arange(2 * pairs) / 30
    runs += np.cumsum(noise.walk * rng.standard_normal(shape), axis=1)
    runs += np.log1p(_bursts(rng, shape, noise.bursts))
    runs += np.log1p(np.where(rng.random(shape) < noise.outliers, rng.choice([-0.3, 0.3], shape), 0))
    runs[:, 1::2] += noise.second
    seeds = rng.integers(2**32, size=count).tolist()
    plain_first = np.array([list(islice(orders(number), pairs)) for number in seeds])
    first_minus_second = runs[:, 0::2] - runs[:, 1::2]
    return np.where(plain_first, first_minus_second, -first_minus_second) + np.log(effect)


def _bursts(rng, shape, rate):
    starts, lengths = rng.random(shape) < rate, rng.geometric(1 / 4, shape)
    slower = rng.uniform(0.1, 0.5, shape)
    slowed = np.zeros(shape)
    for later in range(min(12, shape[1])):
        active = np.where(starts & (lengths > later), slower, 0)
        slowed[:, later:] = np.maximum(slowed[:, later:], active[:, : shape[1] - later])
    return slowed
