"""Facts, from traces made by hand."""

from dataclasses import replace

from firststep.analyse.activity import activity
from firststep.analyse.agent_cost import agent_cost
from firststep.analyse.collections import collections
from firststep.analyse.data import data
from firststep.analyse.devices import devices
from firststep.analyse.executions import executions
from firststep.analyse.facts import Facts
from firststep.analyse.graph_work import graph_work
from firststep.analyse.import_tree import import_tree
from firststep.analyse.libraries import libraries
from firststep.analyse.loads import loads
from firststep.analyse.native_libraries import native_libraries
from firststep.analyse.network import network
from firststep.analyse.partition import partition
from firststep.analyse.phases import LIBRARIES, TRACING
from firststep.analyse.processes import processes, unwatched
from firststep.analyse.pth_files import pth_files
from firststep.analyse.sessions import sessions
from firststep.analyse.shares import shares
from firststep.analyse.source_lines import source_functions, source_lines
from firststep.analyse.stillness import stillness
from firststep.analyse.tracing import tracing
from firststep.analyse.variables import variables
from firststep.model.facts import SourceLine
from firststep.model.trace import Frame, Mark, Spawn

from .traces import KERAS, USER, USER_MODULE, process, sample, span, trace


def facts(*spans, samples=(), **rest):
    return Facts(trace(process(spans, samples, ready=900, **rest)))


def test_a_wait_that_lets_no_sample_be_taken_belongs_to_its_line():
    """It holds Python's lock, and the program was killed in it: only the mark knows the line, and where the wait began."""
    line = {"line": "/home/me/train.py:12", "members": []}
    waits = Mark(300, "waits-for", line), Mark(150, "waits-for", {"members": []})
    one = process(samples=[sample(100, USER), sample(200, USER, KERAS)], end=(260, "exit"), marks=waits)
    known = Facts(trace(one, ended=1000))
    assert [(row.line.line, row.function, row.self_ns, row.total_ns) for row in known(source_lines)] == [
        (12, "<module>", 700, 700), (7, "<module>", 170, 170)]
    assert [(row.function, row.total_ns) for row in known(source_functions)] == [("<module>", 870)]
    went_on = replace(one, samples=(*one.samples, sample(990, USER)))
    assert [row.line.line for row in Facts(trace(went_on, ended=1000))(source_lines)] == [7]
    elsewhere = replace(one, marks=(Mark(300, "waits-for", {"line": "/home/me/other.py:3"}),))
    known = Facts(trace(elsewhere, ended=1000))
    assert [(row.line.line, row.self_ns) for row in known(source_lines)] == [(3, 700), (7, 170)]
    assert [row.function for row in known(source_functions)] == ["<module>"]


def test_a_fact_is_computed_once():
    calls = []

    def fact(known):
        calls.append(known)
        return len(calls)

    known = Facts(trace())
    assert (known(fact), known(fact), len(calls)) == (1, 1, 1)


def test_facts_of_observers_that_were_not_there_are_not_measured():
    known = Facts(trace(observe=[]))
    assert (known(import_tree), known(native_libraries), known(collections), known(network)) == (None,) * 4


def test_imports_nest_and_what_is_not_theirs_is_taken_out():
    tree = facts(
        span("import", 100, 200, "pkg"), span("import", 110, 150, "pkg.inner"), span("compile-source", 115, 125),
        span("gc", 130, 135), span("native", 160, 180, "/lib/pkg.so", module="pkg"), span("gc", 170, 175),
    )(import_tree)
    outer, inner = tree.modules
    assert (outer.cumulative_ns, outer.self_ns, outer.native_ns, outer.parent) == (100, 40, 15, None)
    assert (inner.cumulative_ns, inner.self_ns, inner.compiled_ns, inner.gc_ns, inner.parent) == (40, 25, 10, 5, 0)
    assert outer.gc_ns == 5  # within the load of the library: told once, as the collector's
    assert (inner.compiled_from_source, outer.compiled_from_source, outer.native) == (True, False, True)
    assert tree.compiled_from_source == 1


def test_our_own_imports_are_no_imports_of_the_programs():
    known = facts(
        span("import", 100, 200, "pkg"), span("import", 120, 160, "firststep_agent.observe.x"),
        span("import", 130, 150, "gc"),
    )
    (module,) = known(import_tree).modules
    assert (module.name, module.self_ns) == ("pkg", 60)
    assert known(partition).phases["imports"] == 60
    assert known(partition).phases["firststep itself"] == 10 + 40


def test_pth_files_come_costliest_first():
    assert [one.ns for one in Facts(trace(pth=[["/a.pth", 1], ["/b.pth", 2]]))(pth_files)] == [2, 1]


def test_an_import_in_another_thread_has_no_parent_on_the_main_one():
    tree = facts(span("import", 100, 200, "a"), span("import", 120, 180, "b", thread=2))(import_tree)
    assert [(module.name, module.parent, module.main_thread) for module in tree.modules] == [
        ("a", None, True), ("b", None, False)]


def test_what_lies_after_ready_is_not_counted():
    spans = span("import", 100, 200, "a"), span("import", 950, 980, "late"), span("import", 890, 990, "b")
    tree = facts(*spans)(import_tree)
    assert [(module.name, module.cumulative_ns) for module in tree.modules] == [("a", 100), ("b", 10)]


def test_libraries_know_their_size_and_loader():
    known = facts(span("native", 100, 150, "/lib/x.so", by="ctypes"), libraries=(("/lib/x.so", 4096),))
    found = known(native_libraries)
    assert [(one.path, one.ns, one.by, one.bytes) for one in found] == [("/lib/x.so", 50, "ctypes", 4096)]


def test_collections_say_what_they_interrupted():
    found = facts(span("trace", 100, 200), span("gc", 150, 160, "generation 2", collected=7))(collections)
    assert (found.count, found.ns, found.collected) == (1, 10, 7)
    assert (found.by_generation, found.during) == ({2: (1, 10)}, {TRACING: 10})


def test_a_collection_may_stand_for_several():
    found = facts(span("trace", 100, 200), span("gc", 150, 160, "generation 0", collected=7, further=[3, 24]))(collections)
    assert (found.count, found.ns, found.collected, found.by_generation) == (3, 24, 7, {0: (3, 24)})


def test_a_function_traced_again_says_why():
    known = facts(
        span("trace", 100, 400, "step", trace=1, why="first trace", source="/home/me/train.py:3", ops=10),
        span("trace", 150, 250, "inner", trace=1, why="first trace", source="/x.py:1", ops=4),
        span("trace", 500, 600, "step", trace=2, why="x: shape (2,) -> (3,)", source="/home/me/train.py:3", ops=12),
        counters={"tensorflow-graph-building-us": 2},
    )(tracing)
    step, inner = known.functions
    assert (step.name, step.traces, step.ns, step.self_ns, step.ops) == ("step", 2, 400, 300, 12)
    assert [reason.why for reason in step.reasons] == ["first trace", "x: shape (2,) -> (3,)"]
    assert (inner.self_ns, known.ns, known.traces, known.framework_ns) == (100, 400, 3, 2000)


def test_a_share_of_a_phase_is_never_more_than_the_phase():
    known = facts(span("trace", 100, 400, "step"), span("variable", 200, 300), span("trace", 320, 350, "inner"))
    assert shares(known, TRACING, "trace") == {"step": 170, "inner": 30}
    assert shares(known, TRACING, "trace", outer=True) == {"step": 200}
    assert shares(known, TRACING, "trace", but=["step"]) == {"inner": 30}


def test_a_variable_inside_another_is_one_variable():
    known = facts(
        span("variable", 100, 200, "dense/kernel", bytes=40, shape=[2, 5], dtype="float32", initialiser="Glorot"),
        span("initialiser", 120, 140), span("variable", 150, 190, "kernel", bytes=40, lifted=True),
    )(variables)
    (variable,) = known.variables
    assert (variable.name, variable.shape, variable.bytes, variable.lifted) == ("dense/kernel", (2, 5), 40, True)
    assert (known.bytes, known.ns, known.initialisers_ns) == (40, 100, 20)


def test_what_is_built_into_a_graph_fills_no_variable():
    known = facts(span("trace", 100, 300), span("variable", 110, 150, "w", bytes=40, lifted=True),
                  span("initialiser", 120, 140, symbolic=True), span("initialiser", 310, 340, lifted=True, variables=1))(variables)
    assert known.initialisers_ns == 30


def test_a_variable_whose_initialiser_is_not_told_has_the_one_that_runs_within_it():
    known = facts(span("initialiser", 10, 20, initialiser="Symbolic", symbolic=True),
                  span("variable", 100, 200, "kernel"), span("initialiser", 120, 140, initialiser="Orthogonal"),
                  span("initialiser", 150, 160, initialiser="Zeros"), span("variable", 300, 400, "bias"),
                  span("variable", 500, 600, "scale", initialiser="Told"), span("initialiser", 510, 520, initialiser="Ones"),
                  span("variable", 700, 800, "other"), span("initialiser", 710, 720, initialiser="Elsewhere", thread=99))(variables)
    assert [one.initialiser for one in known.variables] == ["Orthogonal", "", "Told", ""]


def test_a_load_knows_its_speed_and_contains_its_parts():
    found = facts(span("model-load", 100, 300, "m", path="/m.keras", bytes=4000, format=".keras"),
                  span("weights-load", 150, 250, path="/m.keras"))(loads)
    assert [(one.path, one.bytes, one.ns, one.read_ns, one.megabytes_per_second) for one in found] == [
        ("/m.keras", 4000, 200, 200, 20_000.0)]


def test_the_speed_of_a_load_is_that_of_the_reading():
    (one,) = facts(span("model-load", 100, 300, "m", path="/m.keras", bytes=4000), span("model-build", 100, 150),
                   span("variable", 150, 200, "kernel", bytes=4000))(loads)
    assert (one.ns, one.read_ns, one.megabytes_per_second) == (200, 100, 40_000.0)
    (beside,) = facts(span("weights-load", 100, 300, path="/m.h5", bytes=4000, thread=7))(loads)
    assert (beside.read_ns, beside.megabytes_per_second) == (200, 20_000.0)


def test_data_devices_executions_sessions_and_graphs():
    known = facts(
        span("data-pipeline", 100, 110, what="shuffle", buffer_size=5000),
        span("data-function", 110, 130, "parse", transformation="Dataset.map()"),
        span("data-first-element", 130, 190),
        span("device-discovery", 200, 210, devices={"CPU": 1}), span("runtime-init", 210, 230, devices={"CPU": 1}),
        span("first-call", 300, 400, "__inference_step_4"), span("graph-optimise", 310, 330, "__inference_step_4"),
        span("session-create", 500, 510, session=1, nodes=3), span("session-extend", 520, 530, session=1, nodes=9),
        span("session-run-first", 515, 550, session=1, nodes=9), span("session-run", 560, 565),
        counters={"later-call __inference_step_4": [2, 30]},
    )
    pipeline = known(data)
    assert (pipeline.shuffle_buffer, pipeline.first_element_ns, pipeline.functions[0].name) == (5000, 60, "parse")
    assert (known(devices).found, known(devices).discovery_ns, known(devices).runtime_ns) == ({"CPU": 1}, 10, 20)
    (one,) = known(executions)
    assert (one.first_ns, one.later, one.later_ns) == (100, 2, 30)
    assert [(work.name, work.optimise_ns) for work in known(graph_work)] == [("__inference_step_4", 20)]
    (session,) = known(sessions).sessions
    assert (known(sessions).later_runs, session.extensions, session.nodes) == (1, 1, 9)


def test_a_session_that_reuses_an_identity_is_another_session():
    known = facts(span("session-create", 100, 110, session=1), span("session-create", 200, 210, session=1))(sessions)
    assert len(known.sessions) == 2


def test_peers_are_told_apart_and_other_threads_too():
    found = facts(
        span("network", 100, 200, "receive", peer="db:1"), span("network", 300, 310, "look-up", peer="name"),
        span("network", 150, 190, "receive", thread=2, peer="db:1"),
    )(network)
    rows = [(peer.name, peer.times, peer.ns, peer.elsewhere_ns) for peer in found]
    assert rows == [("db:1", 2, 100, 40), ("name", 1, 10, 0)]


def test_lines_have_their_own_time_and_their_total():
    inner = Frame("/home/me/train.py", "helper", 30, 31)
    known = facts(samples=[sample(130, USER, KERAS), sample(230, USER, inner, KERAS), sample(900, USER)])
    lines = {row.line.line: row for row in known(source_lines)}
    assert (lines[7].self_ns, lines[7].total_ns) == (770, 870)
    assert (lines[31].self_ns, lines[31].total_ns) == (100, 100)
    assert [(row.function, row.total_ns) for row in known(source_functions)] == [("<module>", 870), ("helper", 100)]


CELL = Frame("/tmp/ipykernel_7/1.py", "<module>", 1, 2)


def test_lines_of_cells_are_within_what_waits_for_their_kernel():
    """A kernel that is waited for until the program ends: its idle time is that of who waits, and nothing is counted twice."""
    kernel = process(samples=[sample(200, KERAS), sample(500, KERAS, CELL), sample(700, KERAS), sample(950, CELL), sample(2000, CELL)],
                     pid=11, ppid=10, entered=100, loaded=110, cells={CELL.file: (1, ("x", "y"))})
    program = process(samples=[sample(130, USER, KERAS), sample(900, USER, KERAS)])
    lines = {row.line.file: (row.self_ns, row.total_ns) for row in Facts(trace(program, kernel))(source_lines)}
    assert lines == {USER.file: (370, 870), CELL.file: (500, 500)}


SECOND = 1_000_000_000


def test_thousands_of_processes_know_who_started_them():
    """In a row, and side by side; what asks each about all others would take minutes."""
    many = 4000
    row = [process(pid=10 + number, ppid=9 + number, entered=20 + 2 * number, spawns=(Spawn(21 + 2 * number, 22, 11 + number, ("x",)),))
           for number in range(many)]
    found = Facts(trace(*row, ended=many * 3))(processes)
    assert [one.began for one in found[1:]] == [21 + 2 * number for number in range(many - 1)]
    siblings = [process(pid=100 + number, ppid=10, entered=100 + number) for number in range(many)]
    parent = process(spawns=tuple(Spawn(50 + number, 51 + number, 100 + number, ("x",)) for number in range(many)))
    found = Facts(trace(parent, *siblings, ended=many * 2))(processes)
    assert [one.began for one in found[1:]] == [50 + number for number in range(many)]


def still(*samples, threads=(), **rest):
    one = process(samples=samples, threads=threads, **rest)
    return Facts(trace(one, ended=30 * SECOND))(stillness)


def test_a_program_that_stood_still_says_where_and_since_when():
    other = Frame("/home/me/load.py", "load", 1, 5)
    stood = [sample(at * SECOND, USER, KERAS, ran=100 + at) for at in range(3, 30)]
    found = still(sample(SECOND, USER_MODULE), *stood, threads=((2, "early", (USER,)), (12 * SECOND, "loader", (other, KERAS)),
                                                                (12 * SECOND, "pool", (KERAS,))))
    assert (found.ns, found.line.line, found.threads) == (27 * SECOND, 7, (("loader", SourceLine(other.file, 5)),))


def test_a_program_that_works_or_moves_or_became_ready_did_not_stand_still():
    assert still(*[sample(at * SECOND, USER, ran=at * SECOND) for at in range(1, 30)]) is None
    assert still(*[sample(at * SECOND, USER if at % 2 else KERAS) for at in range(1, 30)]) is None
    assert still(*[sample(at * SECOND, USER) for at in range(1, 30)], ready=29 * SECOND) is None
    assert still() is None


def test_recursion_counts_a_line_once():
    known = facts(samples=[sample(900, USER, USER, USER)])
    assert known(source_lines)[0].total_ns == 870


def test_library_rows_add_up_to_their_phase():
    known = facts(samples=[sample(100, USER, KERAS), sample(300, KERAS), sample(900, USER)])
    rows = known(libraries)
    assert sum(row.ns for row in rows) == known(partition).phases[LIBRARIES] == 270
    assert {(row.package, row.function, row.line is None) for row in rows} == {
        ("keras", "Model.fit", False), ("keras", "Model.fit", True)}


def test_activity_says_what_the_thread_waited_for():
    known = facts(span("trace", 100, 200), samples=[
        sample(100, USER, ran=0), sample(200, USER, state="D", ran=50, waited=10),
        sample(300, USER, state="S", call=202, ran=60, waited=10), sample(900, USER, ran=660, waited=10)])
    doing = known(activity)
    assert (doing[TRACING].running_ns, doing[TRACING].runnable_ns, doing[TRACING].disk_ns) == (50, 10, 40)
    assert doing["your code"].lock_ns == 90
    for phase, ns in known(partition).phases.items():
        if ns:
            assert sum(vars(doing[phase]).values()) == ns


def test_numbers_of_system_calls_differ_by_machine():
    samples = [sample(100, USER), sample(900, USER, state="S", call=98)]
    arm = trace(process((), samples, ready=900), host={"machine": "aarch64"})
    assert Facts(arm)(activity)["your code"].lock_ns == 800


def test_what_the_agent_cost():
    cost = facts(samples=[sample(900, USER)], counters={"sampler_cpu_ns": 8})(agent_cost)
    assert (cost.load_ns, cost.thread_cpu_ns, cost.samples, cost.share) == (10, 8, 1, 18 / 900)


def test_processes_have_a_time_to_first_step_of_their_own():
    parent = process(samples=[sample(100, USER)], spawns=(Spawn(100, 110, 11, ("python", "w.py")),))
    child = process(pid=11, ppid=10, entered=120, loaded=130, ready=200)
    rows = [(row.pid, row.began, row.own_ready_ns, row.on_path) for row in Facts(trace(parent, child))(processes)]
    assert rows == [(10, 0, None, True), (11, 100, 100, True)]


def unwatched_of(*words):
    return Facts(trace(process(spawns=(Spawn(100, 110, 11, words),))))(unwatched)


def test_a_python_child_that_was_not_watched_is_named_with_the_reason():
    assert "-I" in unwatched_of("/usr/bin/python3.11", "-I", "x.py")[0].reason
    assert "-E" in unwatched_of("python", "-uE", "-m", "x")[0].reason
    assert "PYTHONPATH" in unwatched_of("python3", "-c", "import S", "-S")[0].reason


def test_the_program_itself_is_named_where_it_was_not_watched():
    (one,) = Facts(trace(command=["python3.11", "-E", "train.py"]))(unwatched)
    assert (one.pid, "-E" in one.reason) == (10, True)


def test_other_programs_are_nobodys_loss():
    assert unwatched_of("uname", "-p") == ()
    assert unwatched_of("python-config") == ()
