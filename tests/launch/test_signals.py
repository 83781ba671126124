"""Signals: whoever sends one, the program gets it as it would have without us, and its end is the tool's end."""

import os
import pty
import re
import select
import shlex
import signal
import subprocess
import time

import comparisons
import pytest
from programs import FIRSTSTEP

SAMPLE = [case for case in comparisons.signals() if case.name.startswith(("SIGTERM", "SIGHUP", "SIGINT to", "SIGUSR1", "SIGCONT", "SIGKILL"))]
IGNORED = [case for case in comparisons.dispositions() if case.name in ("signal 1 ignored", "signal 12 ignored", "signal 13 ignored")]
VERBS = ["boost", "record"]


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.name)
def test_it_arrives_once_and_means_what_it_meant(case, target, tmp_path):
    assert comparisons.differences(case, target, tmp_path / "run") == []


@pytest.mark.parametrize("case", IGNORED, ids=lambda case: case.name)
def test_what_is_ignored_at_the_start_is_ignored_in_the_program_and_nothing_else(case, target, tmp_path):
    assert comparisons.differences(case, target, tmp_path / "run") == []


def prefix(verb, folder):
    return comparisons.PREFIXES[verb](folder)


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, folder):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            for number in (signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)  # whoever runs tests in the background has them ignored
            os.chdir(folder)
            os.execve("/bin/bash", ["bash", "--norc", "--noprofile", "-i"], comparisons.environment(folder, PS1="$ ", TERM="dumb"))
        self.text = ""
        self.wait("$ ")

    def type(self, text):
        os.write(self.file, text.encode())

    def wait(self, *words):
        """Until one of the words has come; what came before it."""
        deadline = time.monotonic() + comparisons.PATIENCE
        while not any(word in self.text for word in words):
            assert time.monotonic() < deadline, self.text
            if select.select([self.file], [], [], 1)[0]:
                self.text += os.read(self.file, 65536).decode(errors="replace")
        word = min((word for word in words if word in self.text), key=self.text.index)
        before, _, self.text = self.text.partition(word)
        return before

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.file)


@pytest.fixture
def terminal(tmp_path):
    opened = Terminal(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("verb", VERBS)
def test_ctrl_z_and_fg(terminal, write, target, tmp_path, verb):
    program = write("main.py", "print('u' + 'p', flush=True)\nprint('he' + 'ard', input(), flush=True)\n")
    terminal.type(shlex.join([*prefix(verb, tmp_path), target, program]) + "\n")
    terminal.wait("up\r\n")
    terminal.type("\x1a")
    terminal.wait("Stopped")
    terminal.type("echo sh''ell; fg\n")
    terminal.wait("shell")
    terminal.type("hello\n")
    terminal.wait("heard hello")


@pytest.mark.parametrize("verb", VERBS)
def test_ctrl_c_stops_the_loop_around_it(terminal, write, target, tmp_path, verb):
    program = write("main.py", "import time; print('u' + 'p', flush=True); time.sleep(600)")
    command = shlex.join([*prefix(verb, tmp_path), target, program])
    terminal.type(f"for i in 1 2 3; do {command}; echo we''nt on; done; echo e''nd\n")
    terminal.wait("up\r\n")
    time.sleep(0.3)  # let it fall asleep: a signal right before a system call waits for its end, in any Python
    terminal.type("\x03")
    assert "went on" not in terminal.wait("$ ")


@pytest.mark.parametrize("verb", VERBS)
def test_a_job_in_the_background_that_reads_is_stopped_and_can_be_fetched(terminal, write, target, tmp_path, verb):
    program = write("main.py", "print('he' + 'ard', input(), flush=True)\n")
    terminal.type(shlex.join([*prefix(verb, tmp_path), target, program]) + " &\n")
    terminal.type("while ! jobs | grep -q Stopped; do sleep 0.2; done; echo st''opped; fg\n")
    terminal.wait("stopped\r\n")
    terminal.type("hello\n")
    terminal.wait("heard hello")


def counting(write):
    return write("count.py", "import time\nprint('up', flush=True)\nwhile True:\n    print('tick', flush=True); time.sleep(0.01)\n")


@pytest.mark.parametrize("verb", VERBS)
def test_the_tool_alone_is_stopped_and_continued(write, target, tmp_path, verb):
    with subprocess.Popen([*prefix(verb, tmp_path), target, counting(write)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          start_new_session=True) as child:
        assert child.stdout.readline() == b"up\n"
        os.kill(child.pid, signal.SIGSTOP)
        quiet = 0
        while quiet < 3:  # it falls silent
            ready = select.select([child.stdout], [], [], 0.3)[0]
            quiet = 0 if ready else quiet + 1
            if ready:
                os.read(child.stdout.fileno(), 65536)
        os.kill(child.pid, signal.SIGCONT)
        assert select.select([child.stdout], [], [], comparisons.PATIENCE)[0], "it goes on"
        os.kill(child.pid, signal.SIGTERM)
        child.stdout.read()
        assert child.wait(comparisons.PATIENCE) == -signal.SIGTERM


@pytest.mark.parametrize("verb", VERBS)
def test_a_killed_tool_leaves_neither_program_nor_folder(write, target, tmp_path, verb):
    place = tmp_path / "temporary"
    place.mkdir()
    environment = comparisons.environment(tmp_path, TMPDIR=str(place))
    with subprocess.Popen([*prefix(verb, tmp_path), target, counting(write)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment) as child:
        assert child.stdout.readline() == b"up\n"
        assert list(place.iterdir())
        child.kill()
        child.stdout.read()  # ends when nobody is left to write
        deadline = time.monotonic() + comparisons.PATIENCE
        while list(place.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert not list(place.iterdir())


def test_what_a_killed_helper_left_the_next_start_takes_away(write, target, tmp_path):
    place = tmp_path / "temporary"
    place.mkdir()
    environment = comparisons.environment(tmp_path, TMPDIR=str(place))
    with subprocess.Popen([*prefix("boost", tmp_path), target, counting(write)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
                          start_new_session=True) as child:
        assert child.stdout.readline() == b"up\n"
        for helper in helpers_of(place):
            os.kill(helper, signal.SIGKILL)
        child.terminate()
        child.stdout.read()
    assert child.returncode == -signal.SIGTERM, "the program does not mind"
    assert list(place.iterdir())
    (place / "firststep-of somebody else").mkdir()
    done = subprocess.run([*prefix("record", tmp_path), target, "-c", "pass"], env=environment, capture_output=True, timeout=comparisons.PATIENCE)
    assert done.returncode == 0
    assert [path.name for path in place.iterdir()] == ["firststep-of somebody else"]


def helpers_of(place):
    """Processes beside the program that hold the start's folder open."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                links = [os.readlink(f"/proc/{entry}/fd/{name}") for name in os.listdir(f"/proc/{entry}/fd")]
            except OSError:
                continue
            if any(re.fullmatch(re.escape(str(place)) + "/firststep-[0-9a-f]+", link) for link in links):
                yield int(entry)


@pytest.mark.parametrize("verb", VERBS)
def test_ignored_sigchld_hangs_nothing(target, tmp_path, verb):
    done = subprocess.run([*prefix(verb, tmp_path), target, "-c", "print('ran'); raise SystemExit(5)"],
                          preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN), capture_output=True, timeout=comparisons.PATIENCE)
    assert (done.returncode, done.stdout) == (5, b"ran\n")


@pytest.mark.parametrize("verb", VERBS)
def test_nohup_protects(write, target, tmp_path, verb):
    with subprocess.Popen(["nohup", *prefix(verb, tmp_path), target, counting(write)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          start_new_session=True) as child:
        assert child.stdout.readline() == b"up\n"
        os.killpg(child.pid, signal.SIGHUP)
        os.kill(child.pid, signal.SIGHUP)
        for _ in range(50):
            assert child.stdout.readline() == b"tick\n"
        os.killpg(child.pid, signal.SIGKILL)


def test_timeout_of_coreutils_ends_it(target, tmp_path):
    done = subprocess.run(["timeout", "3", *FIRSTSTEP, "boost", "--", target, "-c", "import time; time.sleep(600)"], capture_output=True,
                          timeout=comparisons.PATIENCE)
    assert done.returncode == 124
