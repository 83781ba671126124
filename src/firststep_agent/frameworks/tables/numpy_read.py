"""NumPy: where its random stream stands."""

from firststep_agent.frameworks.points import READ, Point

POINTS = (
    Point("numpy.random.mtrand", "_rand", "whether a trace draws from NumPy's stream", package="numpy", how=READ, by=("cache-functions",)),
    Point("numpy.random.mtrand", "get_state", "where NumPy's stream stands", package="numpy", how=READ, by=("cache-functions", "results")),
)
