"""All its own work and no framework: a table built in plain Python, then k-means in NumPy."""
import argparse
import hashlib
import random

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=60, help="rounds of k-means")
parser.add_argument("--words", type=int, default=6_000_000)
args = parser.parse_args()


def neighbour_counts(words, size):
    """How often each word follows each other word: the part that plain Python makes slow."""
    counts = [[0] * size for _ in range(size)]
    previous = 0
    for word in words:
        counts[previous][word] += 1
        previous = word
    return counts


def cluster(points, centres, rounds):
    spread = []
    for _ in range(rounds):
        distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        spread.append(float(distances.min(axis=1).sum()))
        for k in range(len(centres)):
            if (nearest == k).any():
                centres[k] = points[nearest == k].mean(axis=0)
    return centres, spread


random.seed(12)
words = [min(int(random.expovariate(0.01)), 299) for _ in range(args.words)]
points = np.log1p(np.array(neighbour_counts(words, 300), dtype=np.float64))
centres, spread = cluster(points, points[:12].copy(), args.steps)

print("spread", spread)
print("centres", hashlib.sha256(centres.tobytes()).hexdigest())
