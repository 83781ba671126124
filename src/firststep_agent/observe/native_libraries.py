"""Extension modules and ctypes libraries: a span around each load, and the sizes of all that is mapped at the end."""

from firststep_agent.as_found import open
from firststep_agent.dressing import leave_no_frame, stand_in_c
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start(run: "Any", settings: "dict[str, Any]") -> None:
    def begin(spec):
        return spec.name, run.recorder, run.recorder.begin("native", spec.origin or spec.name)

    def end(begun, failed):
        name, recorder, token = begun
        recorder.end(token, {"module": name, **({"failed": True} if failed else {})})

    run.imports.around_extensions(begin, end)
    run.after_import("ctypes", lambda module: _watch_ctypes(run, module))
    inherited: list[bool] = []
    run.on_fork(lambda: inherited.append(True))  # its parent tells
    run.on_ready(lambda: _record_mapped(run))
    run.on_exit(lambda: run.ready_ns is None and not inherited and _record_mapped(run))  # type: ignore[func-returns-value]


def _watch_ctypes(run: "Any", ctypes: "Any") -> None:
    from firststep_agent.observe.labels.said import text

    original = ctypes._dlopen

    def dlopen(name, *arguments):
        token = run.recorder.begin("native", text(name))
        failed = {"failed": True}
        try:
            handle = original(name, *arguments)
            failed = {}
            return handle
        except BaseException as error:
            leave_no_frame(error)
            raise
        finally:
            run.recorder.end(token, {"by": "ctypes", **failed})

    run.replace(ctypes, "_dlopen", stand_in_c(original, dlopen))


def _record_mapped(run: "Any") -> None:
    """Mapped files with code in them: [path, bytes mapped]."""
    sizes: dict[str, int] = {}
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            for line in maps:
                fields = line.split(None, 5)
                if len(fields) == 6 and ".so" in fields[5]:
                    low, _, high = fields[0].partition("-")
                    path = fields[5].rstrip("\n")
                    sizes[path] = sizes.get(path, 0) + int(high, 16) - int(low, 16)
    except OSError as error:
        if is_theirs(error):
            raise
        return
    run.recorder.record("libraries", sorted(sizes.items()))
