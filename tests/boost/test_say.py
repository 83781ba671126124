"""The one line of a boosted run."""

from __future__ import annotations

from dataclasses import replace

from firststep.boost import say
from firststep.boost.outcome import Outcome
from firststep.model.trace import Note

REPLAYED = Outcome(ttfs_ns=1_500_000_000, ready=True, live=("import-image", "cache-functions"), learned=(),
                   notes=(Note(1, "cache-functions", "live", {"function": "step"}),), program="p", python="3.11", prefix="/", command="c")


def test_a_start_says_what_was_live():
    assert say.line(REPLAYED, None) == "firststep: ready in 1.50 s; live: import-image, cache-functions"


def test_a_start_without_remedies_points_to_the_explanation():
    assert say.line(replace(REPLAYED, live=()), None).endswith("no remedy was live (`--explain` says why)")


def test_only_starts_with_the_learning_runs_arguments_are_booked(tmp_path):
    learning = replace(REPLAYED, live=(), learned=("import-image",), ttfs_ns=4_000_000_000)
    assert say.account_for(tmp_path, learning) is None
    booked = say.account_for(tmp_path, REPLAYED)
    assert booked is not None and booked.saved_ns == 2_500_000_000
    assert say.account_for(tmp_path, replace(REPLAYED, command="with other arguments")) is None
    again = say.account_for(tmp_path, REPLAYED)
    assert again is not None and again.runs == 2
