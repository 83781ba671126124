"""Errors that a trace raises in the child alone: its files are closed, its memory is bounded, and the kernel refuses it most calls."""

from errno import EACCES, EAGAIN, EBADF, ENOMEM, ENOTTY, EPERM

from firststep_agent import kinds

_REFUSED = frozenset((EACCES, EAGAIN, EBADF, ENOMEM, ENOTTY, EPERM))
_NO_THREAD = "can't start new thread"
# TensorFlow's, by name: it has run short of something, or met one of these
_SHORT = frozenset(("AbortedError", "CancelledError", "DeadlineExceededError", "InternalError", "PermissionDeniedError",
                    "ResourceExhaustedError", "UnavailableError", "UnknownError"))


def may_be_of_child(error: "BaseException | None") -> bool:
    """Whether it, or one that it came of, may be one of those: it shows nothing of what the program's own trace would do."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if _may_be(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _may_be(error: BaseException) -> bool:
    if kinds.is_a(error, OSError):
        return getattr(error, "errno", None) in _REFUSED
    named = set(map(kinds.name, kinds.mro(type(error))))
    return kinds.is_a(error, (MemoryError, RecursionError)) or not named.isdisjoint(_SHORT) or _NO_THREAD in error.args
