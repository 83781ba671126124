"""Files of other profilers, laid on a trace's timeline: ONE FILE = ONE FORMAT, known by how it begins.

Each module of `FORMATS` has HEAD, the bytes that such a file begins with (or several); ENDING, how it is called; and
`opened(path)`, a context manager of a `Source`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from firststep import exit_codes
from firststep.errors import FirststepError, reason_of
from firststep.model.profile import Profile
from firststep.model.trace import Trace
from firststep.model.words import count, duration
from firststep.profiles import nsight, trace_events, xplane
from firststep.profiles.clocks import lay
from firststep.profiles.file import beginning
from firststep.profiles.gather import Gather
from firststep.profiles.source import Source, UnreadableProfile

FORMATS = (nsight, trace_events, xplane)
RUNS = ("plugins/profile/*/*.xplane.pb", "train/plugins/profile/*/*.xplane.pb")  # below TensorBoard's LOGDIR
HOW = "nsys export --type sqlite REPORT.nsys-rep, or name the .xplane.pb or .trace.json.gz below LOGDIR/plugins/profile"


def read_profile(path: Path, trace: Trace, end: int) -> Profile:
    """What the profiler's file says of the trace's run, from its spawn to `end`, a moment of its clock. Of a folder, TensorBoard's
    LOGDIR, it is the newest profile in it.

    Raises FirststepError where it cannot be read, cannot be laid on the trace's clock, or holds nothing of that time.
    """
    try:
        path = _newest(path) if path.is_dir() else path
        with _opened(path) as source:
            laid = lay(trace, source.zero, str(path))
            start = trace.spawned[0]
            gather = Gather(laid.at, start, end)
            source.read(gather)
            tracks, notes = gather.tracks()
            if not tracks:
                raise _elsewhere(path, laid.how, gather, end - start, int(trace.header["ended"]) - start)
            return Profile(source.profiler, path.name, laid.how, tracks, (*notes, *_strangers(source, trace)))
    except UnreadableProfile as error:
        raise FirststepError(f"cannot read {path}", error.reason, error.act, exit_codes.CANNOT_READ) from error
    except OSError as error:
        raise FirststepError(f"cannot read {path}", reason_of(error), "check the name and that you may read it",
                             exit_codes.CANNOT_READ) from error


def _newest(folder: Path) -> Path:
    found = [path for pattern in RUNS for path in folder.glob(pattern)]
    if not found:
        raise UnreadableProfile("none of TensorFlow's profiles is in this folder", HOW)
    return max(found, key=lambda path: (path.stat().st_mtime_ns, path))


def _opened(path: Path) -> AbstractContextManager[Source]:
    head = beginning(path, 16)
    for one in FORMATS:
        if head.startswith(one.HEAD):
            opened: AbstractContextManager[Source] = one.opened(path)
            return opened
    raise UnreadableProfile("it is no file of a profiler that is known here", HOW)


def _elsewhere(path: Path, how: str, gather: Gather, length: int, run: int) -> FirststepError:
    """Nothing in the file lies where it is wanted. length, run: nanoseconds from the spawn to the wanted end, and to the program's."""
    title, act = f"{path} has nothing of this start", "profile the run that firststep records"
    if gather.first is None or gather.last is None:
        return FirststepError(title, "no event is in it", act, exit_codes.CANNOT_READ)
    began, ended = gather.first - gather.start, gather.last - gather.start  # since the spawn
    if ended <= 0:
        reason = f"it ends {duration(-ended)} before the program began"
    else:
        reason = f"it begins {duration(began - length)} after the start had ended"
        act = "--format chrome shows the whole run" if began < run else act
    return FirststepError(title, f"{reason} (clocks aligned: {how})", act, exit_codes.CANNOT_READ)


def _strangers(source: Source, trace: Trace) -> tuple[str, ...]:
    known = {process.pid for process in trace.processes} | {int(trace.header.get("pid") or 0)}
    known |= {spawn.pid for process in trace.processes for spawn in process.spawns}
    if not source.pids or source.pids & known:
        return ()
    return (f"{count(len(source.pids), 'process', 'processes')} of it, none of them the trace's: is it of this run?",)
