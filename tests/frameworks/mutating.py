"""Run by the interpreter of the programs: imports TensorFlow once, then runs programs in forks of itself, a name of a framework's changed.

Standard input has one job a line, as JSON; standard output one reply a line (forking.py), the first one the versions. A fork has the
frameworks loaded and nothing begun, so that a program needs a second, and nothing but this one name differs from any other fork.
"""

import functools
import gc
import json
import os
import sys
import time
import types

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import forking

del sys.path[0], sys.modules["forking"]  # none of the program's

UNCHANGED = 99  # exit status of a fork in which there was nothing to change in this way
SOURCE = sys.argv[1]
AGENT = os.path.join(SOURCE, "firststep_agent")


def is_ours(frame):
    """Whether a function of the agent's is what looks, or calls."""
    return frame.f_code.co_filename.startswith(AGENT)


def is_there(module):
    """Whether the module is there: those of the other backends of Keras need not be."""
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def place(job):
    """(owner, name, what is there); None where this version has no such place."""
    if not is_there(job["module"]):
        return None
    owner = sys.modules[job["module"]]
    *classes, name = job["attribute"].split(".")
    for step in classes:
        owner = getattr(owner, step, None)
        if owner is None:
            return None
    return owner, name, getattr(owner, name, None)


met: list = []  # what was changed, once somebody has come there


def raises(*arguments, **keywords):
    met.append(raises)
    raise RuntimeError("this place raises")


def raising(error):
    def raise_it(name):
        met.append(name)
        raise error

    return raise_it


def note_met(job):
    """Writes down, at the end, whether somebody has come to what was changed."""
    import atexit

    def write():
        if met:
            with open(os.path.join(job["folder"], "met"), "w"):
                pass

    atexit.register(write)


def meet(owner, names, met):
    """met(name) where the agent looks for one of the names; everybody else finds what was there, and so does the agent afterwards."""
    if not isinstance(owner, types.ModuleType):
        for name in names:
            meet_in_class(owner, name, met)
        return

    class Meeting(type(owner)):
        def __getattribute__(self, asked):
            if asked in names and is_ours(sys._getframe(1)):
                met(asked)
            return super().__getattribute__(asked)

    owner.__class__ = Meeting


def held_by(holder):
    """The attributes of an instance. Graphs have some, and no `__dict__` to ask them by."""
    if hasattr(holder, "__dict__"):
        return vars(holder)
    return next(each for each in gc.get_referents(holder) if type(each) is dict)


def meet_in_class(owner, name, met):
    had = next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)

    class Hidden:
        def __get__(self, holder, cls):
            if is_ours(sys._getframe(1)):
                met(name)
            if hasattr(had, "__get__"):
                return had.__get__(holder, cls)
            if holder is None or name not in held_by(holder):
                if had is None:
                    raise AttributeError(name)
                return had
            return held_by(holder)[name]

    if hasattr(had, "__set__"):  # a property
        Hidden.__set__ = lambda self, holder, value: had.__set__(holder, value)
    elif had is None or not callable(had):  # an attribute of instances
        Hidden.__set__ = lambda self, holder, value: held_by(holder).__setitem__(name, value)
    setattr(owner, name, Hidden())


def change(job):
    """Changes the name. False where there is nothing to change in this way."""
    how, found = job["how"], place(job)
    if found is None:
        return False
    owner, name, plain = found
    if how == "moved":
        meet(owner, {name}, raising(AttributeError(f"there is no {name}")))
    elif how == "fails":
        meet(owner, {name}, raising(RuntimeError("this place raises")))
    elif how == "deleted":
        if name not in vars(owner):
            return False
        delattr(owner, name)
    elif not callable(plain) or isinstance(plain, type):
        return False
    elif how == "raises":
        setattr(owner, name, raises)
    else:
        def changed(*arguments, something_new=None, **keywords):
            met.append(name)
            return plain(*arguments, **keywords)

        setattr(owner, name, changed)
    return True


def note_seen(job):
    """Writes down, at the end, which of job["places"] the agent has looked for."""
    import atexit

    seen, owners = set(), {}
    for module, attribute in job["places"]:
        found = place({"module": module, "attribute": attribute})
        if found is not None:
            owners.setdefault(id(found[0]), (found[0], {}))[1][found[1]] = f"{module}.{attribute}"
    for owner, names in owners.values():
        meet(owner, names, lambda name, names=names: seen.add(names[name]))

    def write():
        with open(os.path.join(job["folder"], "seen"), "w") as file:
            json.dump(sorted(seen), file)

    atexit.register(write)


def note_passed(job):
    """Writes down, at the end, which of job["places"] were passed: called, or, of what is no function, looked into."""
    import atexit

    passed = set()
    for module, attribute in job["places"]:
        found = place({"module": module, "attribute": attribute})
        if found is not None:
            owner, name, plain = found
            marked = passing(vars(owner).get(name, plain), lambda name=f"{module}.{attribute}": passed.add(name))
            if marked is not None:
                setattr(owner, name, marked)

    def write():
        with open(os.path.join(job["folder"], "seen"), "w") as file:
            json.dump(sorted(passed), file)

    atexit.register(write)


def passing(plain, met):
    """What stands for `plain` and calls met() when it is passed; None for what no call and no look can be seen of."""
    if isinstance(plain, (staticmethod, classmethod)):
        return type(plain)(passing(plain.__func__, met))
    if isinstance(plain, types.ModuleType):
        class Looked(types.ModuleType):
            def __getattr__(self, name):
                met()
                return getattr(plain, name)

        return Looked(plain.__name__)
    if isinstance(plain, (list, set, tuple)):
        class Iterated(type(plain)):
            def __iter__(self):
                met()
                return super().__iter__()

        return Iterated(plain)
    if not callable(plain):
        return None

    @functools.wraps(plain)
    def passed(*arguments, **keywords):
        met()
        return plain(*arguments, **keywords)

    return passed


def load_agent():
    """As bootstrap/sitecustomize.py does."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("firststep_agent", os.path.join(AGENT, "__init__.py"),
                                                  submodule_search_locations=[AGENT])
    package = sys.modules["firststep_agent"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    return package


def move(job):
    """The door finds no such name."""
    from firststep_agent.frameworks import door, resolve

    found = door.found

    def moved(point, module):
        if (point.module, point.attribute) == (job["module"], job["attribute"]):
            raise resolve.Absent("there is no " + point.name)
        return found(point, module)

    door.found = moved


def run(job):
    """In the fork: changes the name, starts the agent where there is a plan, and returns the program's code."""
    forking.speak_into(*(os.path.join(job["folder"], name) for name in ("out", "err")))
    os.chdir(job["folder"])
    note_met(job)
    by_the_door = job["how"] == "moved" and not job["read"]
    if job["how"] in ("seen", "passed"):
        (note_seen if job["how"] == "seen" else note_passed)(job)
    elif job["how"] is not None and not (is_there(job["module"]) if by_the_door else change(job)):
        os._exit(UNCHANGED)
    if job["plan"] is not None:
        package = load_agent()
        if by_the_door:
            move(job)
        package.start(job["plan"], time.monotonic_ns())
    return forking.as_main([job["program"]])


def versions():
    """{package: [2, 21]} of those that are installed."""
    from importlib import metadata

    found = {}
    for package, *others in (("tensorflow", "tensorflow-cpu", "tensorflow-intel"), ("keras",), ("tf_keras",), ("h5py",), ("numpy",)):
        for name in (package, *others):
            try:
                found[package] = [int(part) for part in metadata.version(name).split(".")[:2]]
            except metadata.PackageNotFoundError:
                continue
    return found


import h5py  # noqa: E402, F401
import tensorflow as tf  # noqa: E402

tf.keras.layers  # noqa: B018  # loads Keras
print(json.dumps(versions()), flush=True)
work = forking.serve(run)
if work is not None:
    exec(*work)  # the program's end is the process's
