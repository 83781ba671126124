"""What a run has of the door: the ways into the frameworks and into Python's own library, for observers and remedies."""

from firststep_agent.beside import Beside
from firststep_agent.clock import now
from firststep_agent.frameworks.replacements import EXIT, READY, WATCHED, Replacements, put_back_copies
from firststep_agent.recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from firststep_agent.frameworks.door import Door, While
    from firststep_agent.frameworks.listening import Listener
    from firststep_agent.frameworks.points import Point
    from firststep_agent.frameworks.standing import Listening

__all__ = ["EXIT", "READY", "WATCHED", "Ways"]


class Ways:
    """Part of a run, which has a `plan`, a `recorder`, `after_import`, `on_fork`, `note` and `failed`."""

    plan: "dict[str, Any]"
    recorder: "Recorder"

    def __init__(self) -> None:
        self._door: Door | None = None
        self.beside = Beside(lambda error: self.failed("beside", error))  # type: ignore[attr-defined]
        # id of ours -> (ours, what it stood for), of what has left and may have been copied; None: each look for copies begins at once
        self._copied: dict[int, tuple[Any, Any]] | None = {}
        self.replacements = Replacements(self)
        self._wrapped_over: set[str] = set()
        # (remedy, package) -> (whether it may not rely on its internals, the versions that were told then)
        self._refused: dict[tuple[str, str], tuple[bool, Any]] = {}

    def replace(self, owner: "Any", name: str, value: "Any", always_until_ready: bool = False) -> None:
        """Sets an attribute until ready; put back then if nobody else has replaced it since, and else it calls straight on.

        Where the plan watches steps after ready it stays until the end, unless `always_until_ready`.
        """
        self.replacements.put(owner, name, value, READY if always_until_ready else WATCHED)

    def wrap(self, point: "Point", listener: "Listener", by: str, until: "str | While" = READY,
             installed: "Callable[[Any, Listening], object] | None" = None, overridden: bool = False) -> None:
        """`listener` at a point of the frameworks, from the import of its module on: frameworks/door.py."""
        self.door.wrap(point, listener, by, until, installed, overridden)

    def put(self, point: "Point", make: "Callable[[Any], Any]", by: str, until: "str | While" = READY) -> None:
        """make(plain) in the place of what stands at a point of the frameworks: frameworks/door.py."""
        self.door.put(point, make, by, until)

    def listen(self, owner: "Any", name: str, listener: "Listener", by: str, until: "str | While" = READY) -> None:
        """`listener` at an attribute of Python's own library."""
        self.door.listen(owner, name, listener, by, until)

    def refuses(self, by: str, *packages: str) -> bool:
        """Whether remedy `by` may not rely on internals of these packages here, for nobody has tried it; says so once.

        A package that tells more of its version than before is asked again; who was refused stays refused.
        """
        from firststep_agent.frameworks import versions

        for package in packages:
            refused, asked = self._refused.get((by, package), (False, None))
            told = versions.told(package)
            if not refused and told != asked:
                reason = None if self.plan.get("untested_versions") else versions.untried(package, told)
                self._refused[by, package] = reason is not None, told
                if reason is not None:
                    self.note(by, "refused", reason=f"{reason} {versions.ALLOWS}")  # type: ignore[attr-defined]
        return any(self._refused[by, package][0] for package in packages)

    @property
    def door(self) -> "Door":
        """The one way into the frameworks."""
        if self._door is None:
            from firststep_agent.frameworks.door import Door

            self._door = Door(self)
        return self._door

    def wrapped_over(self, name: str) -> None:
        """Somebody else has wrapped over what is ours at `name`: recorded once."""
        if name not in self._wrapped_over:
            self._wrapped_over.add(name)
            self.recorder.record("m", now(), "wrapped-over", {"at": name})

    def put_back(self, *ends: str) -> None:
        """Takes away what stands until one of `ends`. What others have copied of it calls straight on, and is put back later."""
        self.put_copies_back(self.replacements.leave(*ends))
        if self._door is not None:
            self._door.leave(*ends)

    def put_copies_back(self, gone: "Sequence[tuple[Any, Any]]", since: "int | None" = None) -> None:
        """Looks for copies in all modules: beside the program, once it is ready.

        gone: (ours, what it stood for) of each; since: how many modules there were before those that are looked through at once.
        """
        if since is not None:
            for _ in put_back_copies(gone, since):
                pass
        if self._copied is not None:
            self._copied.update((id(pair[0]), pair) for pair in gone)
        elif gone:
            self.beside.add(put_back_copies(gone))
            self.beside.begin()

    def look_for_copies(self) -> None:
        """From now on, beside the program: what has left until now is to be looked for once it begins."""
        if self._copied is not None:
            self.beside.add(put_back_copies(self._copied.values()))
            self._copied = None

    def gather_copies(self) -> None:
        """What leaves from now on waits for look_for_copies again."""
        self._copied = {} if self._copied is None else self._copied

    def stands_again(self, ours: "Any") -> None:
        """No copy of it is to be put back: where it is to stand the look for them would find it as well."""
        if self._copied is not None:
            self._copied.pop(id(ours), None)
        else:
            self.beside.complete()
