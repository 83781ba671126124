"""Keras 3: what is read, and never replaced."""

from firststep_agent.frameworks.points import READ, Point

CACHE, RESULTS = "cache-functions", "results"
READS = (  # module, attribute, why, who reads it
    ("backend.common.global_state", "get_global_attribute", "counters of automatic names, and the generator of seeds", (CACHE,)),
    ("backend.common.global_state", "GLOBAL_STATE_TRACKER", "where Keras's seeds stand, and a build that does not hold is undone",
     (CACHE, RESULTS)),
    ("backend.common.name_scope", "current_path", "the name scopes around a build", (CACHE,)),
    ("backend.common.variables", "Variable", "whether an argument of a build is a variable", (CACHE,)),
    ("random.seed_generator", "global_state", "whether Keras's stream of seeds is there", (CACHE,)),
    ("random.seed_generator", "GLOBAL_SEED_GENERATOR", "whether Keras's stream of seeds is there", (CACHE,)),
    ("layers.layer", "Layer._open_name_scope", "a layer that is built apart is named as it would be", (CACHE,)),
    ("saving.object_registration", "GLOBAL_CUSTOM_OBJECTS", "what the program has registered by name", (CACHE,)),
    ("backend", "name_scope", "a build happens in the scope that its step has open", (CACHE,)),
)

POINTS = tuple(Point(f"keras.src.{module}", attribute, why, package="keras", since=(3, 0), how=READ, by=by)
               for module, attribute, why, by in READS)
