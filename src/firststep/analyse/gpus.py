"""GPUs of the machine, what the framework was built for, and what the environment says of them."""

from __future__ import annotations

import re

from firststep.analyse.facts import Facts
from firststep.analyse.path import path
from firststep.model.facts_frameworks import Gpu, Gpus

BINARY = re.compile(r"(?:sm_)?(\d+)\.?(\d)a?")  # "sm_89", or "8.9" in builds of older versions


def gpus(facts: Facts) -> Gpus | None:
    """None where no framework that uses them was loaded before the end, or its trace is of an older version."""
    known = next((leg.process.gpu for leg in reversed(facts(path)) if leg.process.gpu), None)
    if not known:
        return None
    build, environment = known.get("build", {}), known.get("environment", {})
    host = facts.trace.header.get("host", {})
    listed = host.get("gpus")
    there = None if listed is None else tuple(Gpu(str(one.get("name", "GPU")), str(one.get("capability", "")), one.get("persistent"))
                                              for one in listed)
    kinds = [build[name] for name in ("is_cuda_build", "is_rocm_build") if name in build]
    return Gpus(there, any(kinds) if kinds else None, tuple(build.get("cuda_compute_capabilities", ())), environment,
                host.get("kernels_compiled"))


def has_kernels(capability: str, built_for: tuple[str, ...]) -> bool | None:
    """Whether machine code for one of these capabilities runs on a GPU of that one; None where that cannot be told.

    Code runs on the same generation, of the same or a later minor number; what is only for `compute_…` is PTX.
    """
    wanted = re.fullmatch(r"(\d+)\.(\d)", capability)
    binaries = [match for one in built_for if (match := BINARY.fullmatch(one))]
    if not wanted or not binaries:
        return None
    return any(one[1] == wanted[1] and int(one[2]) <= int(wanted[2]) for one in binaries)
