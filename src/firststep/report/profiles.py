"""What other profilers saw of the run, in words: a sentence for the page, a table for the terminal."""

from __future__ import annotations

from firststep.model.profile import Profile, Track
from firststep.model.words import count, duration
from firststep.report.tree import Table


def profile_words(profile: Profile) -> str:
    """`Nsight Systems (run.sqlite): 1,234 spans on 5 tracks. Clocks aligned: the time of day of both.`"""
    spans = sum(len(track.spans) for track in profile.tracks)
    notes = "".join(f" {note[0].upper()}{note[1:]}." for note in profile.notes)
    return (f"{profile.profiler} ({profile.file}): {count(spans, 'span')} on {count(len(profile.tracks), 'track')}. "
            f"Clocks aligned: {profile.aligned}.{notes}")


def profile_table(profile: Profile, start: int) -> Table:
    """Its tracks; moments are counted from `start`, the program's spawn."""
    rows = tuple(_row(track, start) for track in profile.tracks)
    return Table(f"{profile.profiler}: {profile.file}", ("track", "spans", "busy", "from", "to"), (False, True, True, True, True), rows,
                 None, (f"clocks aligned: {profile.aligned}", *profile.notes,
                        "firststep report --html FILE --with PROFILE draws them in the timeline"))


def _row(track: Track, start: int) -> tuple[str, ...]:
    last = max(span.end for span in track.spans)
    return (track.name, f"{len(track.spans):,}", duration(_busy(track)), duration(track.spans[0].start - start), duration(last - start))


def _busy(track: Track) -> int:
    """Nanoseconds in which something stood on the track."""
    busy = reached = 0
    for span in track.spans:
        busy += max(0, span.end - max(span.start, reached))
        reached = max(reached, span.end)
    return busy
