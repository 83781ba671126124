"""The one line of a boosted run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firststep.boost import say
from firststep.boost.outcome import BoostedRun
from firststep.cache.savings import Savings
from firststep.model.trace import Note

REPLAYED = BoostedRun(ttfs_ns=1_500_000_000, ready=True, live=("import-image", "cache-functions"), learned=(),
                       notes=(Note(1, "cache-functions", "live", {"function": "step", "saved_ns": 2_000_000_000}),
                              Note(1, "import-image", "live", {"saved_ns": 600_000_000})), program="p", python="3.11", prefix="/",
                      command="c", code={})


def test_a_start_says_what_was_live():
    assert say.line(REPLAYED, None) == "firststep: ready in 1.50 s: kept functions, modules from one file"


def known(plain_ns, runs=1, saved_ns=0):
    return Savings("p", "3.11", "/", "c", plain_ns, runs, saved_ns)


def test_a_start_is_compared_with_what_is_known():
    assert "1.50 s, 2.7 times as fast as when it learned (4.00 s):" in say.line(REPLAYED, known(4_000_000_000))
    assert "(4.00 s, 5.0 s saved so far)" in say.line(REPLAYED, known(4_000_000_000, 2, 5_000_000_000))


@pytest.mark.parametrize(("plain_ns", "saved_ns"), [(1_560_000_000, 5_000_000_000), (4_000_000_000, 40_000_000)])
def test_nothing_is_said_in_numbers_that_say_nothing(plain_ns, saved_ns):
    said = say.line(REPLAYED, known(plain_ns, 2, saved_ns))
    assert "1.0 times" not in said and "0.0 s" not in said


def test_what_is_said_is_never_negative():
    said = say.line(REPLAYED, known(1_000_000_000, 3, -1_500_000_000))
    assert "not faster than when it learned (1.00 s)" in said
    assert "-" not in said and "saved" not in said


def test_a_run_that_was_stopped_is_compared_with_nothing():
    said = say.line(replace(REPLAYED, ready=False, stopped=True), known(4_000_000_000))
    assert said == "firststep: ended after 1.50 s; it was stopped: what it has computed is not to be used"


def test_a_run_that_was_killed_is_compared_with_nothing():
    said = say.line(replace(REPLAYED, ready=False, killed=True), None)
    begin = "firststep: ended after 1.50 s: kept functions, modules from one file; "
    assert said == begin + "it was gone before it could tell all that it had of boost"


def test_a_run_that_failed_is_compared_with_nothing():
    said = say.line(replace(REPLAYED, ready=False, uncaught="KeyError"), known(4_000_000_000))
    assert said == "firststep: ended after 1.50 s: kept functions, modules from one file; it was ended by KeyError"


def test_more_than_a_few_remedies_are_counted():
    live = ("import-image", "cache-functions", "overlap", "keep-compiled", "prefetch-pages")
    assert say.line(replace(REPLAYED, live=live), None).endswith("kept functions, modules from one file, pages read ahead and 2 more")


def test_functions_whose_answers_no_proof_covered_are_named():
    def note(what, **labels):
        return Note(1, "cache-functions", what, {"function": "step", **labels})

    said = say.unproved([note("unproved", answered=True), note("unproved", answered=True), note("unproved", function="other")])
    assert said.startswith("firststep: no proof came to its end for step: not used again")
    assert say.unproved([note("unproved", answered=False), note("checked", answered=True)]) is None


def test_that_something_is_so_is_said_by_its_name():
    labels = {"function": "step", "reason": "it took longer than the trace itself", "answered": True}
    told = say.explanation(replace(REPLAYED, notes=[Note(1, "cache-functions", "unproved", labels)]), ("cache-functions",))
    assert "unproved: it took longer than the trace itself (function step, answered)\n" in told + "\n"


def test_why_a_function_is_refused_is_said_once():
    """Each of its traces notes it."""
    def note(what, **labels):
        return Note(1, "cache-functions", what, {"function": "step", **labels})

    why, other = note("refused", reason="it draws"), note("refused", reason="it prints")
    outcome = replace(REPLAYED, notes=(why, other, why, note("live"), note("live")))
    assert say.explanation(outcome, ("cache-functions",)).count("it draws") == 1
    assert say.explanation(outcome, ("cache-functions",)).count("live (function step)") == 2
    assert say.afterwards((why, why, other, note("live")), 1).splitlines()[1:] == [
        "  cache-functions: refused: it prints (function step)", "  cache-functions: live (function step)"]


def test_what_could_not_be_kept_is_told():
    def note(what, reason):
        return Note(1, "cache-functions", what, {"function": "step", "reason": reason})

    full = note("error", "OSError: No space left on device")
    assert say.not_kept([full, full]) == (
        "firststep: what was learned could not be kept: No space left on device; the next start learns it again "
        "(`firststep cache list` says where it is kept)")
    assert say.not_kept([note("error", "KeyError: 'x'"), note("refused", "OSError: it says")]) is None


def test_what_came_after_the_first_step_is_told_too():
    said = say.afterwards([Note(1, "cache-functions", "confirmed", {"function": "step"})])
    assert said.splitlines() == ["  after the first step", "  cache-functions: confirmed (function step)"]
    assert say.afterwards([]) == ""


def test_a_start_without_remedies_points_to_the_explanation():
    assert say.line(replace(REPLAYED, live=()), None).endswith("no remedy was live (`--explain` says why)")


def test_a_program_that_traces_itself_is_told_that_it_ran_plainly():
    said = say.line(replace(REPLAYED, ready=False, live=("import-image",), aside=True), known(4_000_000_000))
    assert said == ("firststep: ended after 1.50 s: modules from one file; from where the program traces itself (coverage, a debugger, "
                    "a profiler, an audit hook) it ran plainly")


def test_a_command_that_is_no_python_is_told_what_to_do():
    assert "sh ran plainly: it is no Python that the agent can get into; put `firststep boost --` before" in say.unheard(["sh", "train.sh"])
    assert "nothing was heard of the program" in say.unheard(["python", "train.py"])


@pytest.mark.parametrize("command, option", [
    (["/usr/bin/python3", "-I", "-c", "0"], "-I"), (["python", "-uE", "train.py"], "-E"),
    (["python3.11", "-W", "error", "-Sm", "train"], "-S")])
def test_a_python_that_does_not_look_for_the_agent_is_told_why(command, option):
    assert f"{command[0]} ran plainly: under {option} it does not look" in say.unheard(command)


def test_only_starts_with_the_learning_runs_arguments_are_booked(tmp_path):
    learning = replace(REPLAYED, live=(), learned=("import-image",), ttfs_ns=4_000_000_000)
    assert say.account_for(tmp_path, learning) is None
    booked = say.account_for(tmp_path, REPLAYED)
    assert booked is not None and booked.saved_ns == 2_500_000_000  # of 2,600 that are told
    assert say.account_for(tmp_path, replace(REPLAYED, command="with other arguments")) is None
    again = say.account_for(tmp_path, REPLAYED)
    assert again is not None and again.runs == 2


def test_after_an_edit_the_first_start_is_what_is_compared_with_though_it_learned_nothing_by_then(tmp_path):
    say.account_for(tmp_path, replace(REPLAYED, live=(), learned=("import-image",), ttfs_ns=9_000_000_000, code={"/of/it.py": [1, 1]}))
    edited = replace(REPLAYED, code={"/of/it.py": None}, learned=())
    assert say.account_for(tmp_path, replace(edited, ttfs_ns=3_000_000_000)) is None
    account = say.account_for(tmp_path, edited)
    assert ", 2.0 times as fast as at the first start of this code (3.00 s" in say.line(edited, account)
    slower = replace(edited, ttfs_ns=3_100_000_000)
    assert "fast" not in say.line(slower, say.account_for(tmp_path, slower))


def test_a_cold_learning_start_books_no_more_than_remedies_tell(tmp_path):
    say.account_for(tmp_path, replace(REPLAYED, live=(), learned=("import-image",), ttfs_ns=41_000_000_000))
    booked = say.account_for(tmp_path, REPLAYED)
    assert booked is not None and booked.saved_ns == 2_600_000_000


def test_a_start_that_failed_is_no_measure(tmp_path):
    failed = replace(REPLAYED, live=(), learned=("import-image",), ready=False, ttfs_ns=1_000_000_000)
    assert say.account_for(tmp_path, failed) is None
    mended = replace(REPLAYED, learned=("cache-functions",), ttfs_ns=4_000_000_000)
    assert say.account_for(tmp_path, mended) is None  # and not: slower than when it learned
    assert say.account_for(tmp_path, replace(failed, live=REPLAYED.live)) is None
    booked = say.account_for(tmp_path, REPLAYED)
    assert booked is not None and (booked.runs, booked.saved_ns) == (1, 2_500_000_000)


def test_versions_that_were_not_tried_are_one_line():
    reason = "TensorFlow 2.99 is not known: it was tried on 2.15 to 2.21 (--untested-versions allows it)"
    notes = [Note(1, remedy, "refused", {"reason": why}) for remedy, why in (
        ("cache-functions", reason), ("overlap", "there is one processor"), ("presize-data-stack", reason))]
    notes.append(Note(1, "presize-data-stack", "live", {"imports": 3}))
    assert list(say.untested(notes)) == [
        "firststep: TensorFlow 2.99 is not known: it was tried on 2.15 to 2.21; 2 remedies are off "
        "(cache-functions, presize-data-stack in part; `--untested-versions` allows them)"]
    assert list(say.untested(notes[1:2])) == []


def test_a_remedy_says_what_it_saved_and_not_how_long_it_was_at_work():
    paused = Note(1, "pause-garbage-collection", "live", {"ended": "ready", "paused_ns": 6_575_800_000, "saved_ns": 1_598_000_000})
    said = say.explanation(replace(REPLAYED, notes=(paused,)), ("pause-garbage-collection", "overlap"))
    assert "live (ended ready, saved about 1.6 s)" in said and "paused" not in said
    assert "nothing to do up to here" in said  # the other: it may have after the first step


def test_a_time_is_told_as_people_say_it():
    note = Note(1, "pause-garbage-collection", "live", {"paused_ns": 6_575_800_000})
    assert "paused 6.6 s" in say.explanation(replace(REPLAYED, notes=(note,)), ("pause-garbage-collection",))
