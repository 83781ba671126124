"""Child processes: each start is recorded, and followed where the plan says so; nothing is lost at exec or os._exit."""

import _posixsubprocess
import os

from firststep_agent.clock import now

_BOOTSTRAP = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bootstrap")


def start(run, settings):
    _watch_fork_exec(run)
    _watch_exec(run)
    _watch_exit(run)


def _injected(run, environment):
    """Environment entries (bytes, K=V) with the way in for the agent added, if the plan follows children.

    A plan that is there already is another's: this process is firststep's tool, and starts a program of its own.
    """
    entries = list(environment)
    planned = any(entry.startswith(b"FIRSTSTEP_PLAN=") for entry in entries)
    if planned or not run.plan.get("follow") or b"FIRSTSTEP=off" in entries or run.ready_ns is not None:
        return entries
    ours = os.fsencode(_BOOTSTRAP)
    path = [entry[len(b"PYTHONPATH="):] or ours for entry in entries if entry.startswith(b"PYTHONPATH=")]
    rest = [entry for entry in entries if not entry.startswith(b"PYTHONPATH=")]
    value = os.pathsep.encode().join([ours, *path])
    return [*rest, b"PYTHONPATH=" + value, b"FIRSTSTEP_PLAN=" + os.fsencode(run.plan_path)]


def _current():
    return [key + b"=" + value for key, value in os.environb.items()]


def _spawned(run, started, pid, arguments):
    words = [os.fsdecode(word) if isinstance(word, (bytes, str)) else str(word) for word in arguments]
    run.recorder.record("x", started, now(), pid, words)
    run.recorder.flush()


def _watch_fork_exec(run):
    original = _posixsubprocess.fork_exec

    def fork_exec(args, executables, close_fds, pass_fds, cwd, environment, *rest):
        started = now()
        entries = _injected(run, _current() if environment is None else environment)
        pid = original(args, executables, close_fds, pass_fds, cwd, entries, *rest)
        _spawned(run, started, pid, args)
        return pid

    run.replace(_posixsubprocess, "fork_exec", fork_exec)
    run.after_import("subprocess", lambda module: _watch_early_import(run, module, original, fork_exec))


def _watch_early_import(run, subprocess, original, fork_exec):
    """subprocess keeps the function under its own name, and it may have been imported before us."""
    if getattr(subprocess, "_fork_exec", None) in (original, fork_exec):
        run.replace(subprocess, "_fork_exec", fork_exec)


def _mapping(entries):
    return dict(entry.split(b"=", 1) for entry in entries)


def _pairs(environment):
    return [os.fsencode(key) + b"=" + os.fsencode(value) for key, value in environment.items()]


def _watch_exec(run):
    execve, spawn, spawnp = os.execve, os.posix_spawn, os.posix_spawnp

    def traced_execve(path, argv, env):
        run.recorder.record("x", now(), now(), os.getpid(), [str(word) for word in argv])
        environment = _mapping(_injected(run, _pairs(env)))
        run.recorder.flush()
        return execve(path, argv, environment)

    def traced_execv(path, argv):
        return traced_execve(path, argv, os.environb)

    def spawner(original):
        def traced_spawn(path, argv, env, **options):
            started = now()
            pid = original(path, argv, _mapping(_injected(run, _pairs(env))), **options)
            _spawned(run, started, pid, argv)
            return pid
        return traced_spawn

    run.replace(os, "execve", traced_execve)
    run.replace(os, "execv", traced_execv)
    run.replace(os, "posix_spawn", spawner(spawn))
    run.replace(os, "posix_spawnp", spawner(spawnp))


def _watch_exit(run):
    original = os._exit

    def _exit(status):
        run.finish("_exit")
        original(status)

    run.replace(os, "_exit", _exit)
