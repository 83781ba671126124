"""For `firststep doctor`: the frameworks' versions, and which hook points of these versions exist."""

import sys

from firststep_agent.observe.points import all_points

PACKAGES = ("tensorflow", "tensorflow-cpu", "keras", "tf_keras", "numpy", "h5py", "protobuf", "jax", "torch",
            "ddtrace", "opentelemetry-sdk", "coverage")


def start(run, settings):
    """Imports the frameworks before the program, which does nothing itself: at its exit it would be too late for threads."""
    own, sys.path = sys.path, run.path  # the agent loads from Python's own folders alone
    try:
        _look(run)
    finally:
        sys.path = own


def _look(run):
    packages = _versions()
    run.recorder.record("packages", packages)
    for point in all_points():
        version = packages.get(point.package) or packages.get(f"{point.package}-cpu")
        if version and point.exists_in(_numbers(version)):
            run.recorder.record("point", point.module, point.qualname, _exists(point.module, point.qualname))


def _numbers(version):
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _versions():
    from importlib import metadata

    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return found


def _exists(module, qualname):
    """True, or in words why not."""
    try:
        __import__(module)
        value = sys.modules[module]
        for name in qualname.split("."):
            value = getattr(value, name)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return True
