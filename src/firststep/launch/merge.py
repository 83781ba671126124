"""One trace file out of the parts that the processes wrote: the tool's header, then part after part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from firststep.launch import gpus, host, kernel_cache
from firststep.launch.framework_names import framework_named, unnamed
from firststep.launch.installed import installed
from firststep.launch.parts import texts
from firststep.launch.source_text import source_text
from firststep.model.plan import Plan
from firststep.model.read_trace import NotATrace, check_header
from firststep.model.trace import MAGIC, SCHEMA
from firststep_agent import AGENT_VERSION


def merge_parts(folder: Path, command: list[str], plan: Plan, facts: dict[str, Any]) -> str:
    """The text of a trace file. facts: what only the tool knows (spawned, pid, ended, exit_code, ready)."""
    written, whole = texts(folder)
    parts = [part.rstrip("\n") for part in written if part]
    header = {
        "magic": MAGIC,
        "schema": SCHEMA,
        "version": AGENT_VERSION,
        "command": command,
        "until": [plan.until.kind, plan.until.value],
        "observe": plan.observe,
        "boost": sorted(plan.boost),
        "host": {**host.describe(), **_beside_frameworks(written, facts)},
        "source": source_text(written),
        "framework_named": framework_named(written),
        "unnamed": unnamed(written),
        "installed": installed(written) if "samples" in plan.observe else [],
        "records": sum(part.count("\n") + 1 for part in parts),
        **facts,
        **({} if whole else {"lost": "it is larger than any start could make it"}),
    }
    return "\n".join([json.dumps(header), *parts]) + "\n"


def _beside_frameworks(written: list[str], facts: dict[str, Any]) -> dict[str, Any]:
    """What is asked of the machine only where a framework was loaded that may use its GPUs."""
    if not any("\n" + kernel_cache.ROW in part for part in written):
        return {}
    there, (moment, time_of_day) = gpus.gpus(), facts["clock"]
    since_ns = time_of_day - moment + facts["spawned"][0]
    return {"gpus": there, "kernels_compiled": kernel_cache.kept_since(written, since_ns) if there else None}


def first_part(text: str) -> dict[str, Any] | None:
    """The header of the process that entered first, in a merged trace."""
    headers: list[tuple[int, int, dict[str, Any]]] = []
    for line in text.splitlines()[1:]:
        if line.startswith('{"magic"'):
            try:
                header = json.loads(line)
                check_header(header)
                headers.append((int(header["entered_ns"]), len(headers), header))
            except (ValueError, LookupError, RecursionError, NotATrace):
                continue  # its process was killed, or the disk was full, in the middle of it; or the program wrote it
    return min(headers)[2] if headers else None
