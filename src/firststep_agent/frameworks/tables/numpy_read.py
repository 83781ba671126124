"""NumPy: what is read, and never replaced."""

from firststep_agent.frameworks.points import BY_NAME_ALONE, READ, Point

POINTS = (
    *(Point("numpy", f"iinfo.{name}", "limits of integers, looked up again by type", package="numpy", how=READ,
            by=("cache-functions",), untried=BY_NAME_ALONE)
      for name in ("_max_vals", "_min_vals")),
    Point("numpy", "finfo._finfo_cache", "limits of floats, looked up again by type", package="numpy", how=READ, by=("cache-functions",),
          untried=BY_NAME_ALONE),
    Point("numpy.random.mtrand", "_rand", "whether a trace draws from NumPy's stream", package="numpy", how=READ, by=("cache-functions",)),
    Point("numpy.random.mtrand", "get_state", "where NumPy's stream stands", package="numpy", how=READ, by=("cache-functions", "results")),
)
