"""Hook points: where the frameworks do what a start waits for. Data, importable without any framework.

A point is one function or method of a framework; while the program starts, each call of it is a span.
"""

FILES = ("tensorflow", "tf1", "keras", "keras2", "h5py")


class Point:
    """One hook point.

    kind: of its spans. name(args, kwargs): the span's name. labels(args, kwargs, result): its labels, a dict.
    when(args, kwargs): whether this call is a span, or of which other kind it is. counted: calls that are no spans are
    counted, and their time added up. outermost: no span inside another of this point's on the same thread.
    splits: a span is followed by others, inside it, that say what the thread was busy with (observe/first_calls.py).
    once: only the first span, after which the framework's own function is put back.
    presized: what is called from it has a chunk of Python's data stack of its own (firststep_agent/data_stack.py): our
    frames, of which each trace has many, would otherwise move the end of a chunk into its loops, or out of them.
    late: it stays after ready (observe/afterwards.py), for no step of a training passes it.
    versions: where it exists, as people write it; `since` and `before` say the same as tuples, of `package`.
    """

    __slots__ = ("module", "qualname", "kind", "name", "labels", "when", "outermost", "once", "counted", "splits",
                 "presized", "late", "package", "since", "before")

    def __init__(self, module, qualname, kind, name=None, labels=None, when=None, outermost=False, once=False,
                 counted=False, splits=False, presized=False, late=False, package="tensorflow", since=None, before=None):
        self.module, self.qualname, self.kind = module, qualname, kind
        self.name, self.labels, self.when = name, labels, when
        self.outermost, self.once, self.counted, self.splits = outermost, once, counted, splits
        self.presized, self.late = presized, late
        self.package, self.since, self.before = package, since, before

    @property
    def versions(self):
        """As people write it: "tensorflow >= 2.14, < 2.16"."""
        bounds = [sign + " " + ".".join(map(str, bound))
                  for sign, bound in ((">=", self.since), ("<", self.before)) if bound]
        return " ".join([self.package, ", ".join(bounds)]).strip()

    def exists_in(self, version):
        """Whether it should be there in `version`, a tuple of numbers."""
        return (self.since is None or version >= self.since) and (self.before is None or version < self.before)


def all_points():
    """Every hook point, in a tuple."""
    points = []
    for file in FILES:
        points += __import__(f"{__name__}.{file}", fromlist=["POINTS"]).POINTS
    return tuple(points)
