"""What a start notes of functions that are not kept, and what the next one makes of it."""

import sys
import types
from importlib.util import LazyLoader, module_from_spec, spec_from_file_location

import pytest

from firststep_agent.boost.cache_functions.keep import refusal_notes
from firststep_agent.boost.cache_functions.reads import library, sources


class Store:
    """Keeps what lies beside entries, by first-level key."""

    def __init__(self):
        self.notes = {}

    def beside(self, primary, name, kind):
        return self.notes.get(primary)

    def keep_beside(self, primary, name, kind, note):
        self.notes[primary] = note

    def forget_beside(self, primary, name, kind):
        self.notes.pop(primary)


@pytest.fixture
def start(monkeypatch):
    """start(): the Refusals of a new process that uses the same store."""
    monkeypatch.setattr(sources, "files", lambda main: [main] if main else [])
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)
    store = Store()
    return lambda: refusal_notes.Refusals(store)


def test_what_is_refused_is_known_in_the_next_start(start):
    first = start()
    first.refuse("a", "it draws")
    first.refuse("a", "another reason")
    first.write()
    assert start().reason("a") == "it draws" and start().reason("b") is None


def test_it_counts_until_the_program_is_edited(start, tmp_path, monkeypatch):
    """Python takes the name of the program's file away when its last line has run, which is before the note is written."""
    program = tmp_path / "program.py"
    program.write_text("draws()\n")
    with monkeypatch.context() as running:
        running.setattr(sys.modules["__main__"], "__file__", str(program), raising=False)
        first = start()
        first.refuse("a", "it draws")
    first.write()
    assert start().reason("a") == "it draws"
    program.write_text("draws_no_more()\n")
    assert start().reason("a") is None


@pytest.mark.parametrize("kept", [lambda start: start.learned("a", None), lambda start: start.holds("a")], ids=["learned", "an entry holds"])
def test_a_key_of_which_something_was_kept_is_not_refused(start, kept):
    first = start()
    kept(first)
    first.refuse("a", "it draws")
    first.write()
    assert start().reason("a") is None


@pytest.mark.parametrize("kept", ["learned", "learned in vain before", "an entry holds", "nothing"])
def test_what_is_taken_back_stays_so_whatever_else_this_start_did(start, kept):
    if kept == "learned in vain before":
        before = start()
        before.learned("a", "x is another")
        before.write()
    now = start()
    now.reason("a")  # as each trace asks
    if kept.startswith("learned"):
        now.learned("a", "x is another")
    elif kept == "an entry holds":
        now.holds("a")
    now.take_back("a", "used inside another")
    if kept == "learned":
        now.learned("a", None)
    now.refuse("a", "another reason")
    now.write()
    after = start()
    assert after.reason("a") == "used inside another" and not after.is_about_misses("a")


def test_it_is_noted_at_once(start):
    start().take_back("a", "used inside another")  # and killed
    assert start().reason("a") == "used inside another"


def test_what_was_learned_in_vain_too_often_is_refused_until_it_holds(start):
    for _ in range(refusal_notes.IN_VAIN):
        assert start().reason("a") is None
        now = start()
        now.learned("a", "x is another")
        now.write()
    assert "x is another" in start().reason("a") and start().is_about_misses("a")
    now = start()
    now.holds("a")
    now.write()
    assert start().reason("a") is None


def test_what_autograph_makes_for_a_process_is_no_file_of_the_programs(tmp_path, monkeypatch):
    """It is gone with the process: a note that knows it would never hold."""
    theirs, generated = tmp_path / "program.py", tmp_path / "__autograph_generated_file1a2b.py"
    for path in (theirs, generated):
        path.write_text("")
        monkeypatch.setitem(sys.modules, path.stem, types.SimpleNamespace(__file__=str(path)))
    found = sources.files()
    assert str(theirs) in found and str(generated) not in found


def test_a_module_that_loads_itself_when_it_is_asked_is_not_asked(tmp_path, monkeypatch):
    (tmp_path / "late_one.py").write_text("raise RuntimeError('nobody has asked for anything')")
    spec = spec_from_file_location("late_one", tmp_path / "late_one.py")
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "late_one", module)
    assert str(tmp_path / "late_one.py") in sources.files() and str(tmp_path / "late_one.py") in library._by_file()
    monkeypatch.delitem(sys.modules, "late_one")
    with pytest.raises(RuntimeError):
        module.anything  # noqa: B018
