"""Devices found, created and configured; clusters joined."""

from firststep_agent import kinds
from firststep_agent.as_found import os
from firststep_agent.observe.labels import said
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


LOCAL_RESOLVERS = ("TFConfigClusterResolver", "SimpleClusterResolver")  # others ask a service, or are the program's


def others_of_cluster() -> "list[str]":
    """["worker 1 at host:port", ...]: the members that TF_CONFIG names, but for this one; [] where it names none."""
    import json

    try:
        config = json.loads(os.environ["TF_CONFIG"])
        task = config.get("task", {})
        return [f"{job} {index} at {address}" for job, members in config["cluster"].items() for index, address in enumerate(members)
                if (job, index) != (task.get("type"), int(task.get("index", 0)))][:100]
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        if is_theirs(error):
            raise
        return []


def not_yet_discovered(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    return args[0]._physical_devices is None


def found(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return _counted(args[0]._physical_devices, lambda device: device.device_type)


def not_yet_initialised(args: "tuple[Any, ...]", kwargs: "dict[str, Any]") -> bool:
    return not args[0]._initialized


def created(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    return _counted(args[0]._logical_devices, lambda device: device.device_type)


def _counted(devices: "Any", kind: "Callable[[Any], str]") -> "dict[str, Any]":
    kinds: dict[str, int] = {}
    for device in devices or ():
        kinds[kind(device)] = kinds.get(kind(device), 0) + 1
    return {"devices": kinds}


def asked(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    """What the program asked for: set_visible_devices(devices, type), set_memory_growth(device, enable), ..."""
    return {"asked": [_short(one) for one in (*args[1:], *kwargs.values())]}


def _short(value: "Any") -> "Any":
    if value is None or kinds.is_a(value, int):
        return value
    if kinds.is_a(value, (list, tuple)):
        return [_short(one) for one in said.items(value)]
    return said.text(said.attribute(value, "name") or value)[:80]


def cluster(args: "tuple[Any, ...]", kwargs: "dict[str, Any]", result: "Any") -> "dict[str, Any]":
    """How many tasks there are of each job, wherever among the arguments the cluster is."""
    for value in (*args, *kwargs.values()):
        tells = said.attribute(value, "cluster_spec") if kinds.name(type(value)) in LOCAL_RESOLVERS else None
        as_dict = said.attribute(tells() if tells else value, "as_dict")
        if as_dict:
            return {"cluster": {job: len(tasks) for job, tasks in as_dict().items()}}
    return {}
