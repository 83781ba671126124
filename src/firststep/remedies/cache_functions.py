"""Keep traced and optimised functions on disk and call them in the next start.

A `tf.function`, Keras's training step first of all, is traced, differentiated and optimised anew in every process.
What TensorFlow's optimiser made of a function is kept by the digest of the traced graph: that holds for every function,
whatever its Python code does. A function whose trace takes long (0.3 s) is answered without it: the first start learns
it, the second traces it for real and compares, later ones go on with the stored graph at once.

Exact because every answer of the second kind is proved while the program runs: a forked child traces the function for
real, from the very same state, and compares graph, captures, results, what is said, random streams, and everything that the
program can see afterwards. Where anything differs the run ends with exit code 86 before its results can be taken for right
ones, and the stored function is never used again. See docs/function-cache.md.

It refuses functions whose tracing has effects outside of the function, that create variables while they are traced,
or that call back into Python.
"""

SHORT = "kept functions"
ORDER = 60
NEEDS_CACHE = True
SETTINGS: dict[str, object] = {"replay": True, "replay_over_ms": 300, "proof": "beside", "replay_on_one_cpu": False}
