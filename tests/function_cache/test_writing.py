"""What was learned is written after ready by a thread that ends with it, and at exit."""

import os
import sys
import threading
import time
import types

import pytest

from firststep_agent.boost.cache_functions.learn import writing

PATIENCE_S = 60


class World:
    """A run, a store and refusals, as far as they are asked; written: what the store was given, by key."""

    def __init__(self):
        self.written, self.noted = [], []

    def on_ready(self, callback):
        self.ready = callback

    def on_exit(self, callback):
        self.exit = callback

    def on_fork(self, callback):
        self.forked = callback

    def write(self, *arguments):
        if arguments:  # the store; else the refusals are written
            self.written.append(arguments[0].hex)

    def learned(self, primary, missed):
        pass

    def prune(self):
        pass

    def note(self, *arguments, **labels):
        self.noted.append((arguments, labels))


class Recorded:
    name, proof, is_told, used_inside = "step", None, False, False

    def let_go(self):
        pass

    def entry(self):
        return None


@pytest.fixture
def world(monkeypatch):
    monkeypatch.setattr(writing, "_WAIT_S", 0.01)
    world = World()
    world.writing = writing.Writing(world, world, world)
    return world


def learn(world, name):
    world.writing.keep(types.SimpleNamespace(hex=name), Recorded())


def writers():
    """How many threads run the writer's code."""
    found = 0
    for number, frame in sys._current_frames().items():
        while frame is not None and number != threading.get_ident():
            found += frame.f_code.co_filename == writing.__file__
            frame = frame.f_back
    return found


def settle(world, names):
    """Until these are written and nobody writes."""
    until = time.monotonic() + PATIENCE_S
    while (world.written != list(names) or writers()) and time.monotonic() < until:
        time.sleep(0.002)
    assert world.written == list(names)
    assert not writers()


def test_nothing_is_written_before_ready_and_no_thread_waits_for_it(world):
    learn(world, "a")
    assert not writers()
    assert world.written == []


def test_a_thread_writes_from_ready_on_and_ends_as_often_as_there_is_something(world):
    learn(world, "a")
    world.ready()
    settle(world, "a")
    for number, name in enumerate("bcd"):
        learn(world, name)
        settle(world, "abcd"[:number + 2])


def test_without_anything_to_write_there_is_no_thread(world):
    world.ready()
    assert not writers()


def test_what_is_learned_while_it_writes_is_written_once(world):
    world.ready()
    names = [str(number) for number in range(200)]
    for name in names:
        learn(world, name)
    world.exit()
    settle(world, names)


def test_where_there_can_be_no_thread_it_is_written_at_exit(world, monkeypatch):
    def start_thread(*arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(writing, "start_thread", start_thread)
    world.ready()
    learn(world, "a")
    assert world.written == []
    world.exit()
    assert world.written == ["a"]


def test_a_child_writes_what_is_its_own_at_its_exit(world):
    world.ready()
    child = os.fork()
    if not child:
        world.forked()
        learn(world, "b")
        alone = not writers()
        world.exit()
        os._exit(0 if alone and world.written == ["b"] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_what_the_thread_needs_is_imported_before_it_starts(world, monkeypatch):
    """An import in it changes `sys.modules` while somebody compares that."""
    needed = ["firststep_agent.boost.upkeep", "firststep_agent.boost.cache_functions.keep.nearest"]
    for name in needed:
        package, _, last = name.rpartition(".")
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.delattr(sys.modules[package], last, raising=False)
    there = []
    monkeypatch.setattr(writing, "start_thread", lambda *arguments: there.extend(name for name in needed if name in sys.modules))
    world.ready()
    learn(world, "a")
    assert there == needed


@pytest.mark.parametrize("fails", [None, OSError("the disk is read-only")])
def test_to_take_back_what_was_written_never_fails_in_the_programs_call(world, fails):
    """It is called where the program calls its function."""
    entry, done = types.SimpleNamespace(key="a"), []

    def quarantine(entry):
        if fails:
            raise fails
        done.append(entry.key)

    world.quarantine, world.take_back = quarantine, lambda primary, reason: done.append(reason)
    world.writing.take_back(entry, "step", "used inside")
    (((_, kind), labels),) = world.noted
    assert labels["function"] == "step"
    assert (kind, labels["reason"], done) == (("error", "OSError: the disk is read-only", []) if fails else
                                              ("refused", "used inside", ["a", "used inside"]))
