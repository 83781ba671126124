"""Finds the peaks of a signal with a helper module that imports TensorFlow for a function never called."""
import numpy as np

from _measurements import peaks, smooth

time = np.linspace(0.0, 60.0, 60_000)
signal = np.sin(time * 5.0) + np.random.default_rng(1).normal(scale=0.3, size=time.size)
found = peaks(smooth(signal, width=400))

print("peaks", found.size)
print("mean distance", float(np.diff(time[found]).mean()))
