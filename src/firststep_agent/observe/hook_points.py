"""For `firststep doctor`: the frameworks' versions, which of the places that the agent touches exist in them, and what remedies would
refuse for a version's sake.
"""

import sys

from firststep_agent.frameworks import resolve, versions
from firststep_agent.frameworks.points import READ, all_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from firststep_agent.frameworks.points import Point

PACKAGES = ("tensorflow", "tensorflow-cpu", "keras", "tf_keras", "numpy", "h5py", "protobuf", "jax", "torch",
            "ddtrace", "opentelemetry-sdk", "coverage")
OTHER_BACKENDS = ("jax", "torch")  # whose trainers nobody can import where they are not installed


def start(run: "Any", settings: "dict[str, Any]") -> None:
    """Imports the frameworks before the program, which does nothing itself: at its exit it would be too late for threads."""
    own, sys.path = sys.path, run.path  # the agent loads from Python's own folders alone
    try:
        _look(run)
    finally:
        sys.path = own


def _look(run: "Any") -> None:
    packages = _versions()
    run.recorder.record("packages", packages)
    for point in all_points():
        version = packages.get(point.package) or packages.get(f"{point.package}-cpu")
        if version and point.exists_in(_numbers(version)):
            state = _exists(point)
            if state is not None:
                run.recorder.record("point", point.module, point.attribute, state)
    versions.record_untried(run.recorder)


def _numbers(version: str) -> "tuple[int, ...]":
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _versions() -> "dict[str, str]":
    from importlib import metadata

    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return found


def _exists(point: "Point") -> "bool | str | None":
    """True, or in words why not; None where nobody can tell."""
    try:
        __import__(point.module)
        module = sys.modules[point.module]
        if point.how == READ:
            return resolve.is_read(point, module)
        resolve.found(point, module)
    except ModuleNotFoundError as error:
        return None if error.name in OTHER_BACKENDS else str(error)
    except resolve.Absent as absent:
        return str(absent)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return True
