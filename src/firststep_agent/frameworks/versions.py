"""Which versions this was tried on, and which ones are here."""

import sys

from firststep_agent.as_found import os
from firststep_agent.clock import now
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firststep_agent.recorder import Recorder

TRIED = {  # package -> (oldest, newest), both included
    "python": ((3, 9), (3, 13)),
    "tensorflow": ((2, 15), (2, 21)),
    "keras": ((2, 15), (3, 15)),
    "tf_keras": ((2, 15), (2, 21)),
}
SHOWN = {"python": "Python", "tensorflow": "TensorFlow", "keras": "Keras", "tf_keras": "tf_keras"}
_NAMED_IN = {"tensorflow": "tensorflow.python.framework.versions", "keras": "keras.src.version", "numpy": "numpy.version"}
_VARIANTS = ("_cpu", "_gpu", "_intel", "_macos", "_rocm", "_cpu_aws")  # of a package, under names of their own
UNKNOWN = (999, 0)
ALLOWS = "(--untested-versions allows it)"  # ends the reason of a refusal for a version's sake

_installed: "dict[str, tuple[int, ...]]" = {}


def of(package: str) -> "tuple[int, ...]":
    """The version of an imported package as its installer wrote it down, (2, 21); UNKNOWN where it did not."""
    if package not in _installed:
        _installed[package] = numbers(_from_installer(package)) or UNKNOWN
    return _installed[package]


def in_words(package: str) -> str:
    """The version of an imported package as its installer wrote it down, "2.21.0"; "999.0" where it did not."""
    return (_from_installer(package) or "999.0").removesuffix(".dist-info")


def named_in(package: str) -> str:
    """The module in which a package tells its own version; its installer's record is there before."""
    return _NAMED_IN.get(package, package)


def told(package: str) -> "tuple[tuple[int, ...], ...]":
    """Every version that is told of a package, by its installer and by itself; none where neither tells."""
    if package == "python":
        return (sys.version_info[:2],)
    return tuple(version for version in (of(package), _own(package)) if version not in (UNKNOWN, None))


def _own(package: str) -> "tuple[int, ...] | None":
    """What an imported package says of itself; None where it does not."""
    try:
        return numbers(getattr(sys.modules.get(named_in(package), sys.modules.get(package)), "__version__", None))
    except Exception as error:
        if is_theirs(error):
            raise
        return None


def untried(package: str, versions: "tuple[tuple[int, ...], ...] | None" = None) -> "str | None":
    """Why nothing that rests on internals of `package` may be relied upon here, in words; None where it was tried.

    versions: to ask of, instead of those that are told here. A package that no table names is no matter of versions.
    """
    if package not in TRIED:
        return None
    oldest, newest = TRIED[package]
    versions = told(package) if versions is None else versions
    if not versions:
        return f"the version of {SHOWN[package]} cannot be told"
    for version in versions:
        if not oldest <= version <= newest:
            return f"{SHOWN[package]} {_text(version)} is not known: it was tried on {_text(oldest)} to {_text(newest)}"
    return None


def record_untried(recorder: "Recorder") -> None:
    """A mark for each package that is imported here and was not tried, with the reason."""
    for package in TRIED:
        reason = untried(package) if package == "python" or package in sys.modules else None
        if reason is not None:
            recorder.record("m", now(), "untried", {"reason": reason})


def _text(version: "tuple[int, ...]") -> str:
    return ".".join(map(str, version))


def numbers(version: object) -> "tuple[int, ...] | None":
    """(2, 21) of "2.21.0rc1"; None where it does not begin with two numbers."""
    parts = str(version or "").split(".")[:2]
    return tuple(map(int, parts)) if len(parts) == 2 and all(part.isdigit() for part in parts) else None


def _from_installer(package: str) -> "str | None":
    """From the name of the folder that its installer left; importlib.metadata would cost 20 ms of the start."""
    try:
        entries = os.listdir(os.path.dirname(os.path.dirname(sys.modules[package].__file__)))  # type: ignore[type-var]
    except (KeyError, OSError, TypeError, AttributeError) as error:
        if is_theirs(error):
            raise
        return None
    for entry in entries:
        name, _, version = entry.partition("-")
        if version.endswith(".dist-info") and name in (package, *(package + variant for variant in _VARIANTS)):
            return version
    return None
