"""Small traces made by hand, in words that read like what happened."""

from firststep.model.trace import Frame, Process, Ready, Sample, Span, Trace

PREFIX = "/opt/python"
SITE = f"{PREFIX}/lib/python3.11/site-packages"
MAIN = 1

USER = Frame("/home/me/train.py", "<module>", 1, 7)
USER_MODULE = Frame("/home/me/mine.py", "<module>", 1, 3)
KERAS = Frame(f"{SITE}/keras/src/models.py", "Model.fit", 10, 20)
NUMPY_TOP = Frame(f"{SITE}/numpy/core.py", "<module>", 1, 2)
JSON = Frame(f"{PREFIX}/lib/python3.11/json/decoder.py", "decode", 1, 2)
AGENT = Frame("/elsewhere/firststep_agent/observe/frameworks/keras.py", "wrapper", 1, 2)
SAMPLER = Frame("/elsewhere/firststep_agent/observe/samples.py", "Sampler._sample", 1, 2)


def span(kind, start, end, name="x", thread=MAIN, **labels):
    return Span(kind, name, start, end, thread, labels)


def sample(at, *stack, state="R", call=-1, ran=0, waited=0):
    return Sample(at, stack, state, call, ran, waited)


def process(spans=(), samples=(), *, pid=10, ppid=1, entered=20, loaded=30, ready=None, end=None, origin="start",
            **rest):
    header = {
        "pid": pid, "ppid": ppid, "thread": MAIN, "origin": origin, "entered_ns": entered, "cwd": "/home/me",
        "python": "3.11.7 (main)", "prefix": PREFIX, "base_prefix": PREFIX, "path": [], "argv": ["python", "train.py"],
    }
    return Process(
        header, tuple(spans), tuple(samples), agent=None if origin == "fork" else (entered, loaded),
        ready=Ready(ready, "train", "fit") if ready else None,
        end=(ready, "ready") if ready else end, **rest,
    )


def trace(*processes, spawned=(0, 10), ended=1000, **header):
    everything = ("imports", "native-libraries", "garbage-collection", "processes", "frameworks", "samples", "network")
    return Trace(
        {"spawned": list(spawned), "ended": ended, "pid": 10, "observe": everything, "exit_code": 0,
         "command": ["python", "train.py"], "host": {"machine": "x86_64"}, **header},
        tuple(sorted(processes, key=lambda one: one.header["entered_ns"])),
    )
