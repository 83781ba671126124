"""What stands in the way of a proof: where no child can be forked that the program does not notice, or that could trace."""

import signal
import sys

from firststep_agent.as_found import os
from firststep_agent.boost.cache_functions.proof import fork, sandbox, waiters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BESIDE_A_DEVICE = "an accelerator is in use, whose driver a forked child cannot use"


def ever() -> "str | None":
    """Why no proof can be begun in this process any more, in words, or None: what would be learned could never be answered."""
    return BESIDE_A_DEVICE if _accelerators() else None


def now(registered: "Any", run: "Any", one_cpu: bool) -> "str | None":
    """Why none can be begun now, in words, or None. registered: the interpreter's list of what runs at forks; one_cpu: whether one
    processor is enough. Raises sandbox.Unavailable."""
    if registered is None:
        return "what runs at forks could not be found out"
    if len(os.sched_getaffinity(0)) < 2 and not one_cpu:
        return "there is one processor only"
    never = ever()
    if never is not None:
        return never
    if fork.foreign(registered, run) is not None:
        return "the program has functions that run when it forks"
    if signal.getsignal(signal.SIGCHLD) not in (signal.SIG_DFL, signal.SIG_IGN) or signal.SIGCHLD in signal.pthread_sigmask(
            signal.SIG_BLOCK, ()):
        return "the program looks after its children's signals"
    if waiters.wait_for_any():
        return "a thread of the program waits for any of its children"
    if os.getpid() == 1:
        return "it is the first process of its container"
    if fork.takes_orphans():
        return "the program is given the processes whose parents have ended"
    if fork.names_processes_anew():
        return "the program's next child is to be the first process of its namespace"
    sandbox.check()
    return None


def _accelerators() -> "set[str]":
    """Types of the devices that are no CPU, as far as TensorFlow has looked for them."""
    context = getattr(sys.modules.get("tensorflow.python.eager.context"), "_context", None)
    return {device.device_type for device in getattr(context, "_logical_devices", None) or ()} - {"CPU"}
