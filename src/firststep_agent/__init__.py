"""The part of firststep that runs inside the program being started: standard library only, quiet, never fatal."""

AGENT_VERSION = "0.1.0"


def start(plan_path: str, entered_ns: int) -> None:
    """Reads the plan and carries it out in this process.

    plan_path: the plan's file; entered_ns: CLOCK_MONOTONIC nanoseconds at which the bootstrap began.
    Errors propagate to the bootstrap, which swallows them: the program then runs plainly.
    """
    import sys

    from firststep_agent.as_found import os

    modules, path = set(sys.modules), sys.path
    library = os.path.dirname(os.__file__)
    # Python's own modules, not what the program has under such names: it, and only it, decides when those run
    sys.path = [folder for folder in path if folder == library or folder.endswith("lib-dynload")]
    try:
        from firststep_agent import run

        run.start(plan_path, entered_ns, modules, path)
    finally:
        sys.path = path
