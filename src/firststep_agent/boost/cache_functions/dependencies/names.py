"""Which attributes count: an attribute that no code which ran while tracing can name was not read.

Names are those in the bytecode (and string constants, for `getattr`) of every code object that ran. Where user code
looks attributes up by names it makes itself (`getattr(self, f"dense_{i}")`, `vars(self)`), every attribute of the
user's objects counts.
"""

from . import bytecode

# Built-ins and attributes through which code reaches attributes by names that stand in no constant.
DYNAMIC = frozenset(("getattr", "setattr", "delattr", "hasattr", "vars", "dir", "globals", "locals", "eval", "exec", "__dict__",
                     "__getattribute__", "attrgetter", "methodcaller", "getmembers", "asdict", "astuple", "fields", "replace"))


class Names:
    """The names that ran: `library` for the frameworks' objects, `user` for the user's (None: every name counts)."""

    def __init__(self, library, user):
        self.library = library
        self.user = user

    @classmethod
    def of(cls, codes, user_codes):
        """`codes`: everything that ran; `user_codes`: the user's own among them."""
        names = set()
        for code in codes:
            names.update(bytecode.attribute_names(code))
        dynamic = any(_is_dynamic(code) for code in user_codes)
        return cls(frozenset(names), None if dynamic else frozenset(names))

    def to_json(self):
        return {"names": "\n".join(sorted(n for n in self.library if n.isidentifier())), "all": self.user is None}

    @classmethod
    def from_json(cls, data):
        names = frozenset(data["names"].split("\n"))
        return cls(names, None if data["all"] else names)


def _is_dynamic(code):
    return not DYNAMIC.isdisjoint(code.co_names)
