"""One process's use of the image: serves modules from it, watches those it lacks, and keeps those at ready.
"""

import _frozen_importlib as importlib
import _frozen_importlib_external as external

from firststep_agent.as_found import os
from firststep_agent.boost.image import index as indexes
from firststep_agent.boost.image import loading
from firststep_agent.boost.image.learning import Learner
from firststep_agent.boost.image.serving import Server, home
from firststep_agent.boost.store import Store
from firststep_agent.imports import in_the_place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def session(run: "Any") -> "ImageSession":
    """The process's session, begun at the first call. Raises store.Unsafe."""
    found = getattr(run, "image_session", None)
    if found is None:
        found = run.image_session = ImageSession(run)
    return found


class ImageSession:
    """serves: which kinds of modules are served, by remedy id: those with Python's own bytecode and those without."""

    def __init__(self, run: "Any") -> None:
        self._run = run
        self._store = Store(run.cache, indexes.FOLDER)
        self._index, self._entry = indexes.load(self._store)
        self.server = Server(self._index, self._entry)
        self.learner = Learner(self._store, self._index, self._entry)
        self._pid = os.getpid()
        self._ended = False
        self._install()
        run.on_ready(self._end)
        run.on_exit(self._end)

    def serve(self, remedy: str) -> None:
        """Lets the modules of `remedy` be served, and learned where the image lacks them."""
        self.server.remedies.add(remedy)
        self.learner.remedies.add(remedy)

    def _install(self) -> None:
        """The server's way, where there is an image, in front of the learner's, and that in front of Python's own."""
        loader, finder = external.SourceFileLoader, external.FileFinder
        self.learner.watch(self._run, loader)
        for owner, name in ((loader, "get_code"), (finder, "find_spec")):
            plain = getattr(owner, name)
            replacement = in_the_place_of(plain, getattr(self.learner, name)(plain))
            if self.server.active:
                replacement = in_the_place_of(plain, getattr(self.server, name)(replacement))
            self._run.replace(home(owner, name), name, replacement)
        if not self.server.active:
            return
        if loading.is_known():
            self._run.replace(importlib, "_find_spec", self.server.search(importlib._find_spec))  # type: ignore[attr-defined]
            plain_wait = importlib._lock_unlock_module  # type: ignore[attr-defined]
            self._run.replace(importlib, "_lock_unlock_module", loading.lock_unlock_module(plain_wait))
            self._run.replace(importlib, "_find_and_load_unlocked", loading.find_and_load_unlocked(self.server))

    def _end(self) -> None:
        if self._ended or os.getpid() != self._pid:
            return
        self._ended = True
        self.server.forget()
        for remedy in sorted(self.server.remedies):
            served = self.server.served[remedy]
            if served:
                self._run.note(remedy, "live", modules=served, saved_ns=self.server.saved_ns(remedy))
        kept, reason = self.learner.keep()
        for remedy in sorted(self.learner.remedies):
            if reason:
                self._run.note(remedy, "refused", reason=reason)
            elif kept.get(remedy):
                self._run.note(remedy, "learned", modules=kept[remedy])
        if self._entry is not None:
            self._entry.close()
