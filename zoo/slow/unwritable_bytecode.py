"""NumPy, for a few numbers: where its bytecode may not be kept, it is compiled at every start."""

import numpy as np

print(np.linalg.norm(np.ones(10)))
