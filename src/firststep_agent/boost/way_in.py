# Run by the .pth file of an enabled environment, with PLAN in its globals: starts the agent under that plan.
# Quiet and never fatal: a program must not notice that its environment is boosted.
import os
import sys

KEPT_PARTS = 200


def _enter(plan, here):
    import _frozen_importlib
    import _frozen_importlib_external as external
    from time import monotonic_ns

    entered = monotonic_ns()
    folder = os.path.dirname(os.path.dirname(here))
    spec = external.spec_from_file_location(
        "firststep_agent", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    package = _frozen_importlib.module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules["firststep_agent"] = package
    theirs, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        spec.loader.exec_module(package)
        package.start(plan, entered)
    finally:
        sys.dont_write_bytecode = theirs
    _forget_old_parts(os.path.join(os.path.dirname(plan), "parts"))


def _forget_old_parts(folder):
    """Every run leaves a part of a trace there; the newest are kept. What others put there stays."""
    names = [name for name in os.listdir(folder) if name.endswith(".part") and name[:-5].replace("-", "").isdigit()]
    if len(names) > KEPT_PARTS:
        paths = sorted((os.path.join(folder, name) for name in names), key=lambda path: os.stat(path).st_mtime)
        for path in paths[: KEPT_PARTS // 2]:
            os.unlink(path)


def _wanted():
    """Not under `firststep` itself, which brings a plan of its own; nor where something traces or profiles already, and would see us."""
    monitoring = getattr(sys, "monitoring", None)
    return (os.environ.get("FIRSTSTEP", "").lower() not in ("off", "0", "no", "false") and "FIRSTSTEP_PLAN" not in os.environ
            and not (sys.gettrace() or sys.getprofile() or monitoring and any(map(monitoring.get_tool, range(6))))
            and "firststep_agent" not in sys.modules
            and sys.version_info >= (3, 9) and sys.implementation.name == "cpython")


try:
    if _wanted():
        _enter(globals()["PLAN"], _enter.__code__.co_filename)
except Exception:
    pass
