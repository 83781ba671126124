"""Work out each function's signature, and compile each annotation, once.

TensorFlow's decorators ask Python for the signature of each of 3,000 functions about three times while it is
imported, and make those of 1,400 raw operations twice; its generated modules have `typing` compile the same few dozen strings 18,000 times.

Exact because signatures and code objects cannot be changed, so that one can stand for its equal. A function is asked
anew when its code, its defaults or an annotation was replaced. What is remembered is forgotten at ready.

It leaves alone: functions with keyword-only defaults, which can be changed in place, and subclasses of
`inspect.Signature`.
"""

SHORT = "signatures worked out once"
ORDER = 40
NEEDS_CACHE = False
SETTINGS: dict[str, object] = {}
