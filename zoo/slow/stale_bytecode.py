"""NumPy's polynomials: where a deployment has given all files a new time, the bytecode beside them is of no use."""

import numpy as np
import numpy.polynomial

print(numpy.polynomial.Polynomial([1, 2, 3])(2.0), np.linalg.norm(np.ones(10)))
