"""Note where operations register their gradients without reading the source lines.

TensorFlow's registries keep the place of each registration for an error message. Python's `traceback` reads the text
of its line at once, and with it the source files of all gradient functions.

Exact because the place is the same, and its text is read when somebody asks for it.
"""

SHORT = "source lines read when asked for"
ORDER = 42
NEEDS_CACHE = False
SETTINGS: dict[str, object] = {}
