# Way in for the agent: found through PYTHONPATH by the program's own interpreter.
# Any Python from 2.7 on may meet this file; one that the agent does not support gets through in silence.
import os
import sys


def _leave_no_trace(here):
    """Takes this folder out of sys.path and PYTHONPATH, as the program and its children see them. First of all: nothing that
    comes later can keep it there."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    getattr(sys, "path_importer_cache", {}).pop(here, None)
    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    kept = [entry for entry in entries if entry != here]
    if kept == entries:
        return
    if kept or len(entries) > 1:  # twice ours alone: PYTHONPATH was there, and empty
        os.environ["PYTHONPATH"] = os.pathsep.join(kept)
    else:
        del os.environ["PYTHONPATH"]


def _is_traced():
    """Whether something traces, profiles or monitors this process from its start, as coverage does by a .pth file: it would see
    all of the agent, and not the program alone."""
    monitoring = getattr(sys, "monitoring", None)
    return bool(sys.gettrace() or sys.getprofile() or monitoring and any(map(monitoring.get_tool, range(6))))


def _start_agent(here, plan, entered):
    """Loads the package `firststep_agent` from the folder above, which need not be on sys.path."""
    import _frozen_importlib
    import _frozen_importlib_external as external

    folder = os.path.dirname(here)
    spec = external.spec_from_file_location(
        "firststep_agent", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    package = _frozen_importlib.module_from_spec(spec)
    sys.modules["firststep_agent"] = package
    spec.loader.exec_module(package)
    package.start(plan, entered)


def _enter():
    here = os.path.dirname(os.path.abspath(__file__))
    plan = os.environ.pop("FIRSTSTEP_PLAN", None)
    try:
        _leave_no_trace(here)
        is_off = os.environ.get("FIRSTSTEP", "").lower() in ("off", "0", "no", "false")
        wanted = plan is not None and not is_off and not _is_traced()
        if wanted and sys.version_info >= (3, 9) and sys.implementation.name == "cpython":
            import time

            _start_agent(here, plan, time.monotonic_ns())
    except Exception:
        pass  # a program must never fail, or print, because it is watched


_enter()

# The sitecustomize that the program would have had takes this one's place. Where there is none, the import fails, as `site` expects
# of most interpreters, and as it would in the program; what one raises is its own, and `site` says it as it would have.
if sys.version_info < (3,):
    kept = sys.modules["sitecustomize"]  # Python 2 empties a module that nobody holds
del sys.modules["sitecustomize"]
try:
    import sitecustomize  # noqa: F401
except BaseException as error:
    if sys.version_info >= (3, 11):  # earlier ones put this frame back
        error.__traceback__ = error.__traceback__.tb_next
    raise
