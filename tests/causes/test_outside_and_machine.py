"""Causes that lie outside of the program: servers, other workers, the machine."""

import dataclasses

import pytest
from analyse.traces import PREFIX, SITE, USER, process, trace

from firststep.analyse.facts import Facts
from firststep.analyse.partition import partition
from firststep.model.trace import Frame, Mark, Spawn

from . import lines
from .kit import LIBRARY, MS, S, check_found, check_silent, sample, span, start

FLOCK, FSYNC, FUTEX, WAIT4, POLL, NANOSLEEP = 73, 74, 202, 61, 7, 230  # of x86-64
READ, WRITE, SELECT, SIGTIMEDWAIT, EPOLL_WAIT, OPENAT = 0, 1, 23, 128, 232, 257


def wait(peer, seconds=2.0, what="receive", thread=1, **labels):
    return span("network", S, int((1 + seconds) * S), what, peer=peer, what=what, thread=thread, **labels)


def test_blocked_on_network():
    check_silent("blocked-on-network", start())
    check_silent("blocked-on-network", start(wait("10.0.0.5:8080", thread=2)))
    check_silent("blocked-on-network", start(wait("10.0.0.5:5432")))
    check_silent("blocked-on-network", start(wait("example.org", what="look-up")))
    check_found("blocked-on-network", start(wait("10.0.0.5:8080")), "10.0.0.5:8080 for 2.0 s", line=7, gain=(1000, 2000))


def test_a_program_that_serves_waits_for_no_server():
    check_silent("blocked-on-network", start(wait("127.0.0.1:8080", what="accept")))
    check_silent("blocked-on-network", start(wait("10.0.0.9:50112", served=True)))
    check_silent("blocked-on-network", start(wait("10.0.0.9:50112", what="handshake", served=True)))
    check_silent("blocked-on-database", start(wait("127.0.0.1:5432", what="accept")))  # where it stands in for one
    both = start(wait("127.0.0.1:8080", seconds=1, what="accept"), span("network", 3 * S, 4 * S, peer="10.0.0.5:80", what="receive"))
    check_found("blocked-on-network", both, "waited for 10.0.0.5:80 for 1.0 s", gain=(500, 1000))


def test_cloud_metadata_lookup():
    check_silent("cloud-metadata-lookup", start(wait("10.0.0.5:80")))
    check_found("cloud-metadata-lookup", start(wait("169.254.169.254:80", what="connect")), "169.254.169.254", "NO_GCE_CHECK")
    check_found("cloud-metadata-lookup", start(wait("metadata.google.internal", what="look-up")), "credentials")
    native = ((S, lines.NO_TOKEN),)
    check_silent("cloud-metadata-lookup", start(log=tuple((S, line) for line in lines.ORDINARY)))
    check_found("cloud-metadata-lookup", start(log=native), "no token for Google Cloud", "NO_GCE_CHECK")
    check_found("cloud-metadata-lookup", start(wait("169.254.169.254:80", what="connect"), log=native), "169.254.169.254", line=7)


def test_slow_name_lookup():
    check_silent("slow-name-lookup", start(wait("10.0.0.5:80")))
    check_found("slow-name-lookup", start(wait("models.example.org", what="look-up")), "looked up models.example.org for 2.0 s")


def test_blocked_on_database():
    check_silent("blocked-on-database", start(wait("10.0.0.5:80")))
    check_found("blocked-on-database", start(wait("db.internal:5432")), "db.internal:5432", line=7)


def child(call=-1, frame=None, below=(), spawned=("/usr/bin/git", "describe"), state="S", before=(), ran=0.0, **rest):
    """The user's line 7 waits from 2 to 5 seconds. ran: of the time, on a CPU."""
    inside = (USER, frame, *below) if frame else (USER,)
    samples = [sample(at * 100 * MS, *(inside if 20 < at <= 50 else (USER,)), call=call if 20 < at <= 50 else -1, state=state,
                      ran=int(at * 100 * MS * ran))
               for at in range(1, 101)]
    return start(samples=samples, spawns=(*before, Spawn(2 * S, 2 * S + MS, 99, spawned)), **rest)


def test_blocked_on_child_process():
    runs = Frame(f"{PREFIX}/lib/python3.11/subprocess.py", "_communicate", 1, 2)
    threads = Frame(f"{PREFIX}/lib/python3.11/threading.py", "wait", 1, 2)
    check_silent("blocked-on-child-process", start())
    check_silent("blocked-on-child-process", child())
    check_silent("blocked-on-child-process", child(frame=threads))
    check_silent("blocked-on-child-process", child(frame=runs, state="R"))  # it works on what the child wrote
    check_silent("blocked-on-child-process", child(call=FUTEX))
    check_found("blocked-on-child-process", child(call=WAIT4), "waited 3.0 s, the longest for git", line=7, gain=(1500, 3000))
    check_found("blocked-on-child-process", child(call=POLL, frame=runs), "waited 3.0 s, the longest for git", line=7)
    selects = Frame(f"{PREFIX}/lib/python3.11/selectors.py", "select", 1, 2)  # as `communicate` does for two pipes
    check_found("blocked-on-child-process", child(call=POLL, frame=runs, below=(selects,)), "waited 3.0 s, the longest for git", line=7)
    script = child(call=WAIT4, spawned=("/opt/python/bin/python3.11", "-u", "make.py", "x"))
    check_found("blocked-on-child-process", script, "the longest for make.py")
    code = child(call=WAIT4, spawned=("/opt/python/bin/python3.11", "-c", "print(1 / 3)"))
    check_found("blocked-on-child-process", code, "the longest for python -c")
    check_found("blocked-on-child-process", child(call=WAIT4, frame=runs, spawned=("python", "-")), "the longest for python")


def test_a_program_that_a_library_runs_is_the_librarys():
    """TensorFlow's import asks `uname` for the processor, by Python's `platform`: on a busy machine that takes its time."""
    platform = Frame(f"{PREFIX}/lib/python3.11/platform.py", "from_subprocess", 1, 2)
    runs = Frame(f"{PREFIX}/lib/python3.11/subprocess.py", "_communicate", 1, 2)
    uname = child(call=POLL, frame=LIBRARY, below=(platform, runs), spawned=("uname", "-p"))
    check_found("blocked-on-child-process", uname, "heavy runs another program", "waited 3.0 s, the longest for uname", "heavy's to change",
                gain=(0, 3000), confidence="low")
    own = child(call=POLL, frame=platform, below=(runs,))
    check_found("blocked-on-child-process", own, "another process is awaited", confidence="high")


def test_a_child_that_may_be_another_is_not_named():
    """One was started long ago, one in between and has ended: which of them is waited for, no sample tells."""
    def later(at):
        return Spawn(int(at * S), int(at * S) + MS, 98, ("/usr/bin/uname", "-p"))

    check_found("blocked-on-child-process", child(call=WAIT4, before=(later(1),)), "the longest for git")
    others = child(call=WAIT4, before=(later(0.5),))
    (process,) = others.trace.processes
    moved = dataclasses.replace(process, spawns=(later(0.5), Spawn(S, S + MS, 99, ("/usr/bin/git", "describe"))))
    check_found("blocked-on-child-process", Facts(dataclasses.replace(others.trace, processes=(moved,))),
                "the longest for one of 2 child processes")


def test_waiting_for_workers():
    check_silent("waiting-for-workers", start())
    members = Mark(S, "waits-for", {"members": ["worker 1 at 10.0.0.2:2222"]})
    waiting = start(span("cluster-wait", S, 9 * S), marks=(members,))
    check_found("waiting-for-workers", waiting, "waited 8.0 s for worker 1 at 10.0.0.2:2222", line=7)
    killed = dataclasses.replace(span("cluster-wait", S, S + MS), ended=False)
    one = process([killed], [sample(S, USER)])
    check_found("waiting-for-workers", Facts(trace(one, ended=9 * S, exit_code=137)), "waited 8.0 s, and was still waiting")


def test_a_wait_that_a_kill_ended_is_the_networks():
    killed = dataclasses.replace(span("cluster-wait", S, S + MS), ended=False)
    whole = Facts(trace(process([killed], [sample(S, USER)]), ended=9 * S, exit_code=137))(partition)
    assert whole.phases["network and external services"] == 8 * S
    assert whole.phases["unaccounted"] < S


def workers(*seconds):
    """A parent and its workers, each ready after so many seconds."""
    children = [process(samples=[sample(2 * S, USER)], pid=20 + n, ppid=10, entered=int(0.1 * S) + n, ready=int(each * S), origin="fork")
                for n, each in enumerate(seconds)]
    parent = process(samples=[sample(S, USER)], end=(40 * S, "exit"))
    return Facts(trace(parent, *children, ended=40 * S))


def test_straggling_worker():
    check_silent("straggling-worker", start())
    check_silent("straggling-worker", workers(4.0, 4.1, 4.2))
    check_found("straggling-worker", workers(4.0, 4.1, 9.0), "pid 22 took 8.9 s")


def test_a_worker_that_comes_after_the_start_takes_nothing_off_it():
    """The start ends with the first worker that is ready."""
    assert check_found("straggling-worker", workers(4.0, 4.1, 9.0)).after_ready
    together = workers(4.0, 4.0, 4.0)
    late = dataclasses.replace(together.trace.processes[-1], header={**together.trace.processes[-1].header, "entered_ns": 3 * S})
    others = [dataclasses.replace(one, header={**one.header, "entered_ns": 3 * S}) for one in together.trace.processes[1:-1]]
    first = dataclasses.replace(late, header={**late.header, "entered_ns": int(0.1 * S)})
    one = check_found("straggling-worker", Facts(trace(together.trace.processes[0], *others, first, ended=40 * S)))
    assert not one.after_ready and one.gain.high_ns <= 4 * S


def pool(*stack, cpu=1.0, state="S", call=-1, spans=()):
    """A program that is from 2 to 8 s in these frames, while another process of its own uses a CPU for a share of the time."""
    waits = [sample(at * 100 * MS, USER, *(stack if 20 < at <= 80 else ()), call=call if 20 < at <= 80 else -1,
                    state=state if 20 < at <= 80 else "R") for at in range(1, 101)]
    works = [sample(at * 100 * MS, USER, ran=int(at * 100 * MS * cpu)) for at in range(10, 90)]
    return Facts(trace(process(samples=waits, end=(10 * S, "exit")), process(spans, works, pid=20, ppid=10, entered=S), ended=10 * S))


def test_blocked_on_own_workers():
    waits = [Frame(f"{PREFIX}/lib/python3.11/{file}", "wait", 1, 2) for file in ("multiprocessing/pool.py", "threading.py")]
    check_silent("blocked-on-own-workers", pool())
    check_silent("blocked-on-own-workers", pool(waits[1]))  # for a thread
    check_silent("blocked-on-own-workers", pool(*waits, cpu=0.1))  # nobody works
    check_silent("blocked-on-own-workers", pool(*waits, state="R"))
    check_found("blocked-on-own-workers", pool(*waits), "waited 6.0 s for 1 process", line=7, gain=(1200, 4800), confidence="medium")
    joins = Frame(f"{PREFIX}/lib/python3.11/multiprocessing/popen_fork.py", "Popen.wait", 1, 2)
    check_found("blocked-on-own-workers", pool(joins, call=WAIT4), "waited 6.0 s for 1 process")
    check_silent("blocked-on-child-process", pool(joins, call=WAIT4))
    check_found("blocked-on-child-process", pool(joins, call=WAIT4, cpu=0.1))  # what it does is not known
    imports = (span("import", 2 * S, 6 * S, "tensorflow"), span("import", 3 * S, 4 * S, "tensorflow.python"))
    check_found("blocked-on-own-workers", pool(*waits, spans=imports), "imports took 4.0 s in one")


def own(first, last, *frames, ran=1.0, phase_spans=()):
    """The program's line 7 works, or what it calls, while all else is spent in imports."""
    at = range(1, 101)
    seen = [sample(tenth * 100 * MS, USER, *frames, ran=int(tenth * 100 * MS * ran)) for tenth in at]
    return start(span("import", 0, first * S), span("import", last * S, 10 * S), *phase_spans, samples=seen)


def test_slow_own_code():
    check_silent("slow-own-code", own(5, 5))
    check_silent("slow-own-code", own(5, 5.9))
    check_silent("slow-own-code", own(2, 6, ran=0.1))  # it waits
    check_silent("slow-own-code", own(2, 6, Frame(f"{SITE}/tensorflow/python/ops/ops.py", "make", 1, 2)))
    check_silent("slow-own-code", own(2, 6, Frame(f"{SITE}/keras/src/layers/layer.py", "__call__", 1, 2), LIBRARY))  # a framework's helper
    check_silent("slow-own-code", own(2, 6, phase_spans=[span("trace", 2 * S, 6 * S)]))
    check_found("slow-own-code", own(2, 6), "4.0 s before the first step", line=7, confidence="medium", gain=(300, 3700))
    check_found("slow-own-code", own(2, 6, LIBRARY), "4.0 s before", line=7)  # what it calls, as a reader of tables


MONITOR = dataclasses.replace(USER, file="/home/me/monitor.py")


def beside_a_thread(main_ran=0.3, moves=True, worked=0.7, stack=(MONITOR,), every=0.25):
    """Ten seconds in which the main thread has this share of a CPU, a thread of the program's that one."""
    places = [dataclasses.replace(USER, line=number) for number in range(1, 20)]
    seen = [sample(at * 20 * MS, places[at % 19 if moves else 0], state="S", ran=int(at * 20 * MS * main_ran)) for at in range(1, 501)]
    looks = [int(number * every * S) for number in range(1, int(10 / every) + 1)]
    return start(samples=seen, busy=tuple((at, 77, "Monitor", int(at * worked), stack) for at in looks))


def test_busy_thread():
    check_silent("busy-thread", start())
    check_found("busy-thread", beside_a_thread(), "ran 6.8 s", "main thread waited 6.8 s", "or as a process", line=7, gain=(4800, 5300),
                confidence="medium")
    check_found("busy-thread", beside_a_thread(main_ran=0.6), "waited 3.9 s")
    check_silent("busy-thread", beside_a_thread(main_ran=1.0))  # it runs beside, without Python's lock
    check_silent("busy-thread", beside_a_thread(moves=False))  # who stands still waits for something
    check_silent("busy-thread", beside_a_thread(stack=(LIBRARY,)))  # a library's
    check_silent("busy-thread", beside_a_thread(every=2.5))  # it worked now and then


def test_main_thread_idle():
    waits = Frame(f"{PREFIX}/lib/python3.11/threading.py", "Condition.wait", 1, 2)
    check_silent("main-thread-idle", start())
    check_silent("main-thread-idle", child(call=FUTEX, frame=waits, state="R"))
    check_silent("main-thread-idle", child(call=FUTEX, frame=LIBRARY))  # a framework's own threads
    processes = Frame(f"{PREFIX}/lib/python3.11/multiprocessing/pool.py", "ApplyResult.wait", 1, 2)
    check_silent("main-thread-idle", pool(processes, waits, call=FUTEX))  # its own workers
    check_found("main-thread-idle", child(call=FUTEX, frame=waits), "3.0 s for another thread", line=7, gain=(1500, 3000),
                confidence="medium")
    check_silent("main-thread-idle", child(call=FUTEX, ran=0.9))  # who is looked at waits for Python's lock
    check_found("main-thread-idle", child(call=NANOSLEEP), "3.0 s asleep", "wait for the thing itself", line=7)


def test_a_lock_in_native_code_is_no_thread_of_the_programs_where_python_has_none():
    """As where a line asks for a value that TensorFlow's threads still compute."""
    check_silent("main-thread-idle", child(call=FUTEX))
    check_silent("main-thread-idle", child(call=FUTEX, counters={"python_threads": 1}))
    for told in ({"counters": {"python_threads": 2}}, {"threads": ((6 * S, "loader", (USER,)),)}):  # `lock.acquire()`
        check_found("main-thread-idle", child(call=FUTEX, **told), "3.0 s for another thread of the program", line=7)


def test_main_thread_idle_says_what_it_waits_for():
    waits = [Frame(f"{PREFIX}/lib/python3.11/{file}", "wait", 1, 2) for file in ("multiprocessing/pool.py", "threading.py")]
    check_found("main-thread-idle", pool(*waits, cpu=0.0, call=FUTEX), "6.0 s for a worker process of the program", line=7)
    check_found("main-thread-idle", child(call=FLOCK), "3.0 s for another process that holds the lock of a file", line=7)
    pipe = Frame(f"{PREFIX}/lib/python3.11/multiprocessing/connection.py", "Connection._recv", 1, 2)
    check_found("main-thread-idle", pool(pipe, cpu=0.0, call=READ), "6.0 s for a worker process of the program", line=7)


def test_main_thread_idle_says_how_long_it_waits_for_other_things():
    seen = [sample(at * 100 * MS, USER, state="S", call=FLOCK if at <= 30 else NANOSLEEP if at <= 50 else -1) for at in range(1, 101)]
    check_found("main-thread-idle", start(samples=seen), "a file's lock 3.0 s, asleep 2.0 s", gain=(1000, 5000))


def test_main_thread_idle_names_the_line_that_waits_most():
    once = dataclasses.replace(USER, line=4)
    seen = [*(sample(at * 100 * MS, USER, state="S", call=NANOSLEEP) for at in range(1, 11)),
            sample(1300 * MS, once, state="S", call=NANOSLEEP), *(sample(at * 100 * MS, USER) for at in range(14, 101))]
    check_found("main-thread-idle", start(samples=seen), "asleep", line=7)


def test_main_thread_idle_in_an_event_loop_or_at_a_pipe():
    """`asyncio.run`, `select`, `input`, a FIFO that nobody opens."""
    loop = [Frame(f"{PREFIX}/lib/python3.11/{file}", "run", 1, 2) for file in ("asyncio/base_events.py", "selectors.py")]
    check_found("main-thread-idle", child(call=EPOLL_WAIT, frame=loop[0], below=loop[1:]), "3.0 s for an event loop", line=7)
    for call in (READ, WRITE, OPENAT, POLL, SELECT):
        check_found("main-thread-idle", child(call=call), "3.0 s for input or output", line=7, gain=(1500, 3000), confidence="medium")
        check_silent("main-thread-idle", child(call=call, state="R"))
        check_silent("main-thread-idle", child(call=call, state="D"))  # the disk's
        check_silent("main-thread-idle", child(call=call, ran=0.9))
        check_silent("main-thread-idle", child(call=call, frame=LIBRARY))
    check_silent("main-thread-idle", child())  # in no call
    check_silent("main-thread-idle", child(call=FSYNC))
    runs = Frame(f"{PREFIX}/lib/python3.11/subprocess.py", "Popen._communicate", 1, 2)
    check_silent("main-thread-idle", child(call=POLL, frame=runs, below=loop[1:]))  # blocked-on-child-process
    serves = Frame(f"{PREFIX}/lib/python3.11/socketserver.py", "BaseServer.serve_forever", 1, 2)
    check_silent("main-thread-idle", child(call=POLL, frame=serves, below=loop[1:]))  # for its first client
    check_found("main-thread-idle", child(call=SIGTIMEDWAIT), "3.0 s asleep", line=7)


@pytest.mark.parametrize(("python", "tells"), [("3.10.13 (main)", False), ("3.9.18", False), ("3.11.0", True), ("3.13.0 (main)", True)])
def test_select_tells_nothing_where_sleep_is_one(python, tells):
    given = child(call=SELECT)
    (one,) = given.trace.processes
    one = dataclasses.replace(one, header={**one.header, "python": python})
    given = Facts(dataclasses.replace(given.trace, processes=(one,)))
    if tells:
        check_found("main-thread-idle", given, "input or output")
    else:
        check_silent("main-thread-idle", given)


def starved(share):
    return [sample(at * 100 * MS, USER, ran=int(at * (1 - share) * 100 * MS), waited=int(at * share * 100 * MS)) for at in range(1, 101)]


def test_too_few_cpus():
    check_silent("too-few-cpus", start(samples=starved(0.05)))
    check_silent("too-few-cpus", start(samples=starved(0.5), counters={"machine": {"throttled_us": 4_500_000, "throttled_times": 40}}))
    check_found("too-few-cpus", start(samples=starved(0.6)), "5.9 s of 10.0 s", gain=(3000, 6000), confidence="high")
    alone = start(samples=starved(0.6), header={"host": {"machine": "x86_64", "usable_cpus": 1, "load": [2.0]}})
    check_found("too-few-cpus", alone, "not running; 1 CPU, load 2.0")


def test_throttled_by_quota():
    check_silent("throttled-by-quota", start(counters={"machine": {"throttled_us": 1000, "throttled_times": 1}}))
    check_silent("throttled-by-quota", start(counters={"machine": {}}))
    check_found("throttled-by-quota", start(counters={"machine": {"throttled_us": 5_000_000, "throttled_times": 50, "quota": 0.5}}),
                "a quota of 0.5 CPUs stopped it 50 times, 5.0 s of 10.0 s", gain=(2000, 5000))
    once = start(counters={"machine": {"throttled_us": 5_000_000, "throttled_times": 1, "quota": 1}})
    check_found("throttled-by-quota", once, "a quota of 1 CPU stopped it 1 time, 5.0 s of 10.0 s")
    several = start(counters={"machine": {"throttled_us": 25_000_000, "throttled_times": 90, "quota": 1}})  # each CPU counts by itself
    check_found("throttled-by-quota", several, "stopped it 90 times, its CPUs for 25.0 s together in 10.0 s", gain=(3800, 9500))
    counted = start(span("import", S, 5 * S), counters={"machine": {"throttled_us": 5_000_000, "throttled_times": 50}},
                    shortages=((S, 0, 0, 0), (4 * S, 0, 0, 5_000_000)))
    check_found("throttled-by-quota", counted, "most in imports")


def test_swapping():
    check_silent("swapping", start(counters={"machine": {"swap": 4096}}))
    check_found("swapping", start(counters={"machine": {"swap": 900_000_000, "major_faults": 12000}}), "900 MB in swap", "12,000 faults")
    one = check_found("swapping", start(counters={"machine": {"swap": 900_000_000, "major_faults": 1}}))
    assert one.evidence.words.endswith(", 1 fault")


def test_known_slow_version():
    check_silent("known-slow-version", start())
    old = process(samples=[sample(S, USER)], ready=2 * S)
    old.header["python"] = "3.9.18 (main)"
    check_found("known-slow-version", Facts(trace(old, ended=2 * S)), "Python 3.9.18")
