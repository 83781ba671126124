"""For `firststep doctor`: at exit, which hook points exist in the frameworks installed, and the versions of these."""

import sys

from firststep_agent.observe.points import all_points

PACKAGES = ("tensorflow", "tensorflow-cpu", "keras", "tf_keras", "numpy", "h5py", "protobuf", "jax", "torch",
            "ddtrace", "opentelemetry-sdk", "coverage")


def start(run, settings):
    run.on_exit(lambda: _record(run))


def _record(run):
    run.recorder.record("packages", _versions())
    for point in all_points():
        run.recorder.record("point", point.module, point.qualname, _exists(point.module, point.qualname))


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
