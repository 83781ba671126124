"""Every nanosecond belongs to exactly one phase, and to the right one."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firststep.analyse import phases
from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.analyse.tracing import tracing
from firststep.model.read_trace import parse_trace
from firststep.model.trace import Spawn

from .traces import AGENT, JSON, KERAS, NUMPY_TOP, SAMPLER, USER, USER_MODULE, process, sample, span, trace

RECORDED = sorted((Path(__file__).parent.parent / "traces").glob("*.trace.gz"))


def whole(*processes, **header):
    return Facts(trace(*processes, **header))(partition)


def times(*processes, **header):
    return {phase: ns for phase, ns in whole(*processes, **header).phases.items() if ns}


def check_exact(found):
    """The pieces follow each other from spawn to ready, and the phases are their sum."""
    at = found.start
    for piece in found.pieces:
        assert piece.start == at < piece.end
        at = piece.end
    assert at == found.end or not found.pieces
    assert sum(found.phases.values()) == found.wall_ns


kinds = st.sampled_from(sorted(phases.PHASE_OF) + ["fit", "file-read", "kind of tomorrow"])
moments = st.integers(0, 300)
stacks = st.lists(st.sampled_from([USER, USER_MODULE, KERAS, NUMPY_TOP, JSON, AGENT, SAMPLER]), max_size=4)


@st.composite
def spans(draw):
    start = draw(moments)
    return span(draw(kinds), start, start + draw(moments), draw(st.sampled_from(["mine", "numpy"])),
                draw(st.sampled_from([1, 1, 1, 2])))


@st.composite
def parts(draw):
    ats = sorted(draw(st.lists(moments, max_size=12)))
    return {
        "spans": draw(st.lists(spans(), max_size=12)),
        "samples": [sample(at, *draw(stacks)) for at in ats],
        "entered": draw(st.integers(0, 60)),
        "loaded": draw(st.integers(0, 90)),
        "ready": draw(st.one_of(st.none(), moments)),
        "end": draw(st.one_of(st.none(), st.tuples(moments, st.just("exit")))),
        "origin": draw(st.sampled_from(["start", "fork"])),
        "ppid": draw(st.sampled_from([1, 10, 11])),
        "spawns": tuple(Spawn(at, at + 5, pid, ("python",)) for at, pid in
                        draw(st.lists(st.tuples(moments, st.sampled_from([10, 11, 12])), max_size=3))),
    }


@settings(max_examples=400, deadline=None)
@given(st.lists(parts(), max_size=4), st.integers(0, 40), st.integers(40, 300))
def test_every_nanosecond_belongs_to_exactly_one_phase(found, executed, ended):
    made = [process(**part, pid=10 + number) for number, part in enumerate(found)]
    check_exact(whole(*made, spawned=(0, executed), ended=ended))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_every_recorded_trace_adds_up(path):
    recorded = parse_trace(gzip.decompress(path.read_bytes()).decode("ascii"))
    found = Facts(recorded)(partition)
    check_exact(found)
    assert found.phases[phases.UNACCOUNTED] <= found.wall_ns * 0.01


def test_the_beginning_is_launch_interpreter_and_our_own_loading():
    found = times(process(samples=[sample(100, USER)], ready=100))
    assert found == {phases.LAUNCH: 10, phases.INTERPRETER: 10, phases.AGENT: 10, phases.USER: 70}


def test_from_our_loading_to_the_first_thing_seen_python_is_still_coming_up():
    spans = [span("import", 40, 50, "sitecustomize"), span("import", 60, 100)]
    found = times(process(spans, [sample(120, USER)], ready=120))
    assert (found[phases.INTERPRETER], found[phases.USER]) == (10 + 10 + 10, 20)


def test_the_innermost_span_wins_and_collections_are_cut_out():
    found = times(process(
        [span("trace", 30, 100), span("import", 40, 60), span("gc", 50, 55), span("gc", 70, 80)], ready=100))
    assert found[phases.IMPORTS] == 15
    assert found[phases.COLLECTION] == 15
    assert found[phases.TRACING] == 40


def test_of_spans_with_the_same_start_the_shorter_is_inside():
    found = times(process([span("initialiser", 30, 50), span("trace", 30, 100)], ready=100))
    assert (found[phases.VARIABLES], found[phases.TRACING]) == (20, 50)


def test_spans_of_other_threads_take_nothing():
    assert phases.TRACING not in times(process([span("trace", 30, 100, thread=2)], ready=100))


def test_time_between_samples_goes_to_the_sample_that_ends_it():
    found = times(process(samples=[sample(50, USER), sample(90, USER, KERAS), sample(100, USER)], ready=100))
    assert (found[phases.USER], found[phases.LIBRARIES]) == (30, 40)


def test_a_container_gives_way_to_the_samples_inside_it():
    found = times(process([span("fit", 40, 100), span("trace", 60, 80)],
                          [sample(35, USER), sample(50, USER, KERAS), sample(90, USER)], ready=100))
    assert found[phases.TRACING] == 20
    assert found[phases.LIBRARIES] == 10
    assert found[phases.USER] == 10 + 10 + 20


def test_a_container_inside_a_phase_belongs_to_the_phase():
    found = times(process([span("trace", 40, 100), span("fit", 50, 90)], [sample(70, USER, KERAS)], ready=100))
    assert found[phases.TRACING] == 60


def test_the_top_level_of_the_users_module_is_the_users_code():
    found = times(process([span("import", 30, 100, "mine")],
                          [sample(40, USER), sample(60, USER, USER_MODULE), sample(100, USER, USER_MODULE, JSON)],
                          ready=100))
    assert found[phases.IMPORTS] == 10  # while the module was looked for
    assert found[phases.USER] == 20
    assert found[phases.LIBRARIES] == 40


def test_the_top_level_of_a_library_is_import_time():
    found = times(process([span("import", 30, 100, "numpy")],
                          [sample(40, USER), sample(60, USER, NUMPY_TOP, JSON), sample(101, USER)], ready=100))
    assert found[phases.IMPORTS] == 70


def test_library_time_knows_its_function_and_the_users_line():
    pieces = whole(process(samples=[sample(100, USER, AGENT, KERAS, JSON)], ready=100)).pieces
    verdict = pieces[-1].verdict
    assert (verdict.package, verdict.function, verdict.called) == ("json", "decode", "Model.fit")
    assert verdict.line == (USER.file, USER.line)


def test_our_own_frames_are_our_own_cost():
    assert times(process(samples=[sample(100, USER, AGENT)], ready=100))[phases.AGENT] == 80


def test_the_sampler_that_samples_its_own_thread_is_not_seen():
    assert times(process(samples=[sample(101, USER, AGENT, SAMPLER)], ready=100))[phases.USER] == 70


def test_without_samples_nothing_is_guessed():
    assert times(process(ready=100))[phases.UNACCOUNTED] == 70


def test_after_a_kill_the_dark_is_unaccounted():
    second = 1_000_000_000
    found = times(process(samples=[sample(40, USER)]), ended=second)
    assert found[phases.UNACCOUNTED] == second - (40 + 100_000_000)


def test_what_comes_after_the_programs_end_is_the_interpreters():
    assert times(process(samples=[sample(60, USER)], end=(60, "exit")), ended=200)[phases.INTERPRETER] == 150


def test_what_a_shell_script_does_before_python_is_launch():
    found = times(process(samples=[sample(100, USER)], ready=100), command=["./run.sh"])
    assert (found[phases.LAUNCH], phases.INTERPRETER in found) == (20, False)


def test_a_script_with_an_interpreter_of_its_own_is_no_shell_script():
    assert times(process(ready=100), command=["/home/me/bin/train.py"])[phases.INTERPRETER] == 10


def test_of_workers_that_are_ready_together_the_report_is_of_the_first_one_started():
    def told(first, second):
        return trace(process(ready=first), process(pid=11, ppid=10, entered=300, ready=second)).ready.at

    assert (told(905, 900), told(900, 905)) == (905, 900)
    assert told(950, 900) == 900  # not together


def test_a_child_takes_over_where_it_was_spawned():
    parent = process(samples=[sample(100, USER)], spawns=(Spawn(100, 110, 11, ("python", "w.py")),))
    child = process([span("trace", 150, 200)], [sample(150, USER)], pid=11, ppid=10, entered=120, loaded=130, ready=200)
    assert times(parent, child) == {
        phases.LAUNCH: 20, phases.INTERPRETER: 20, phases.AGENT: 20, phases.USER: 90, phases.TRACING: 50}


def test_a_child_of_a_shell_is_found_through_it():
    parent = process(samples=[sample(100, USER)], spawns=(Spawn(100, 110, 50, ("sh", "-c", "python w.py")),))
    child = process([span("trace", 130, 200)], pid=11, ppid=50, entered=120, loaded=130, ready=200)
    assert times(parent, child)[phases.INTERPRETER] == 10 + 10


def test_a_forked_child_takes_over_at_the_fork():
    parent = process(samples=[sample(100, USER)])
    child = process([span("trace", 150, 200)], [sample(150, USER)], pid=11, ppid=10, entered=100, ready=200,
                    origin="fork")
    assert times(parent, child)[phases.USER] == 70 + 50


def test_a_process_that_replaced_itself_goes_on():
    before = process(samples=[sample(60, USER)], spawns=(Spawn(60, 60, 10, ("python", "real.py")),))
    after = process([span("trace", 90, 200)], entered=80, loaded=90, ready=200)
    assert times(before, after) == {
        phases.LAUNCH: 10, phases.INTERPRETER: 30, phases.AGENT: 20, phases.USER: 30, phases.TRACING: 110}


def test_a_program_that_no_agent_watched_is_launch_and_the_unknown():
    assert times(ended=50) == {phases.LAUNCH: 10, phases.UNACCOUNTED: 40}




@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_traces_agree_with_what_the_framework_counted_itself(path):
    known = Facts(parse_trace(gzip.decompress(path.read_bytes()).decode("ascii")))(tracing)
    if known:
        assert known.ns == pytest.approx(known.framework_ns, rel=0.05)
