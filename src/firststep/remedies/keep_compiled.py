"""Keep what Python compiles while modules are imported: regular expressions, named tuples, data classes.

The constructor of each named tuple, the methods of each data class and each regular expression are compiled from text
in every start: 640 of them while TensorFlow is imported. They are kept, as bytecode is, and found by that text.

Exact because what is compiled depends on the text, the flags and the version of Python alone. An expression whose
compilation may warn is compiled each time.
"""

SHORT = "kept patterns"
ORDER = 41
NEEDS_CACHE = True
SETTINGS: dict[str, object] = {}
