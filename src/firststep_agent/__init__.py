"""The part of firststep that runs inside the program being started: standard library only, quiet, never fatal."""

AGENT_VERSION = "0.1.0"


def start(plan_path, entered_ns):
    """Reads the plan and carries it out in this process.

    plan_path: the plan's file; entered_ns: CLOCK_MONOTONIC nanoseconds at which the bootstrap began.
    Errors propagate to the bootstrap, which swallows them: the program then runs plainly.
    """
    from firststep_agent import run

    run.start(plan_path, entered_ns)


def current():
    """The Run of this process, or None where no plan is being carried out."""
    import sys

    module = sys.modules.get("firststep_agent.run")
    return module.active() if module else None
