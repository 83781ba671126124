"""A small command. In some environments Python has much to do before it comes to the first line."""

import numpy as np

print(np.linalg.norm(np.ones(10)))
