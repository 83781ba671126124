"""Keys of named ingredients: what they hold, and what a miss says."""

import sys
from types import SimpleNamespace

import pytest

from firststep_agent import AGENT_VERSION
from firststep_agent.boost.cache_functions.keep import nearest
from firststep_agent.boost.cache_functions.key import configuration, ingredients
from firststep_agent.boost.cache_functions.reads.watch.environment import Environment
from firststep_agent.boost.program import environment
from firststep_agent.frameworks.standing import stand_in, standing


def step(x):
    return x


@pytest.fixture
def fresh(monkeypatch):
    """Keys as a process makes them that has made none yet."""
    monkeypatch.setattr(ingredients, "_fixed", {})
    return monkeypatch


def key():
    return ingredients.of_trace(step, "x float32")


def differing(one, other):
    return {name for name in {*one.ingredients, *other.ingredients} if one.ingredients.get(name) != other.ingredients.get(name)}


def test_a_key_that_one_thread_asks_for_is_no_reading_of_what_another_traces(monkeypatch):
    monkeypatch.setenv("TF_SOMETHING", "1")
    watched = Environment()
    watched.start()
    try:
        assert ("TF_SOMETHING", "1") in configuration._environment()
    finally:
        watched.stop()
    assert "TF_SOMETHING" not in watched.record()


def test_what_listens_to_the_making_of_variables_makes_no_other_key(monkeypatch):
    class Tensor:
        _USE_EQUALITY = True

    class Variable:
        def __init__(self):
            pass

    of = {"tensorflow.python.framework.tensor": SimpleNamespace(Tensor=Tensor),
          "tensorflow.python.ops.resource_variable_ops": SimpleNamespace(BaseResourceVariable=Variable)}
    monkeypatch.setattr(configuration, "_module", of.__getitem__)
    before, plain = configuration._tensor_methods(), Variable.__init__
    Variable.__init__ = stand_in(plain, standing(SimpleNamespace(listeners=()), plain))
    assert configuration._tensor_methods() == before
    Variable.__init__ = lambda self, *values: None
    assert configuration._tensor_methods() != before


def test_equal_questions_have_one_key(fresh):
    one, other = key(), key()
    assert one.hex == other.hex and one.ingredients == other.ingredients


def test_what_a_key_holds(fresh):
    assert {"format", "agent version", "Python", "program", "name", "code", "objects that it reaches", "signature", "CPU", "devices",
            "TensorFlow's configuration"} <= set(key().ingredients)


@pytest.mark.parametrize("name, place, value", [
    ("format", (ingredients, "FORMAT"), 10**6),
    ("agent version", (ingredients, "environment"), lambda: {**environment(), "agent": AGENT_VERSION + "+"}),
    ("Python", (ingredients, "environment"), lambda: {**environment(), "prefix": "/another"}),
    ("program", (ingredients, "program"), lambda: "/another.py"),
])
def test_each_ingredient_makes_another_key_and_no_other_differs(fresh, name, place, value):
    before = key()
    fresh.setattr(*place, value)
    ingredients._fixed.clear()
    after = key()
    assert after.hex != before.hex and differing(before, after) == {name}


def test_all_that_the_other_remedies_keys_hold_is_in_a_functions(fresh):
    for fact in environment():
        before = key()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ingredients, "environment", lambda fact=fact: {**environment(), fact: "another"})
            ingredients._fixed.clear()
            assert key().hex != before.hex, fact
        ingredients._fixed.clear()


def test_each_setting_of_the_configuration_is_an_ingredient(fresh):
    settings = dict(configuration.configuration())
    assert set(settings) <= set(key().ingredients)
    name = next(iter(settings))
    before = key()
    fresh.setattr(configuration, "configuration", lambda: [*{**settings, name: "another"}.items()])
    assert differing(before, key()) == {name}


class Flags:
    """As TensorFlow's, which are C++'s: they have no dictionary."""

    __slots__ = ("aggressive", "_own")

    def __init__(self, value):
        self.aggressive = SimpleNamespace(value=lambda: value)


def promotion(mode):
    return {"tensorflow.python.framework.ops": SimpleNamespace(get_dtype_conversion_mode=lambda: mode)}


def flags(value):
    return {"tensorflow.core.config.flags": SimpleNamespace(config=lambda: Flags(value))}


@pytest.mark.parametrize("name, modules, others", [("TensorFlow's flags", flags(True), flags(False)),
                                                   ("dtype promotion", promotion("legacy"), promotion("all"))])
def test_a_setting_of_tensorflow_is_an_ingredient(fresh, name, modules, others):
    """Both were once asked for by names that no TensorFlow has: the same absence stood in each key."""
    known = []
    for each in (modules, others):
        for module, value in each.items():
            fresh.setitem(sys.modules, module, value)
        known.append(key())
    assert differing(*known) == {name}


def test_a_setting_that_cannot_be_read_is_no_key(fresh):
    """Only a library that is not loaded has no settings."""
    fresh.setitem(sys.modules, "tensorflow.python.eager.context", SimpleNamespace(_context=SimpleNamespace(function_call_options=None)))
    with pytest.raises(configuration.Unreadable, match="TensorFlow's configuration cannot be read: AttributeError"):
        key()


def test_a_module_of_tensorflow_that_is_gone_is_no_key(fresh):
    fresh.setitem(sys.modules, "tensorflow", SimpleNamespace(__version__="2.99", __file__=__file__))
    fresh.delitem(sys.modules, "tensorflow.python.eager.context", raising=False)  # another test may have imported it
    with pytest.raises(configuration.Unreadable, match="TensorFlow's configuration cannot be read: KeyError"):
        key()


def test_a_miss_names_what_differs_from_the_nearest_entry():
    def meta(function="step", **words):
        return {"function": function, "ingredients": {"code": "1", "signature": "1", "TensorFlow": "1", **words}}

    asked = SimpleNamespace(ingredients={"code": "2", "signature": "1", "TensorFlow": "1"})
    metas = [meta(signature="9", TensorFlow="9"), meta(TensorFlow="1"), meta("other", code="2")]
    assert nearest.differences(metas, "step", asked) == ["code"]
    assert nearest.words(["code"]) == "no entry has this key: code differs from the nearest one's"
    assert nearest.differences([], "step", asked) == []
    content = {"function": "step", "ingredients": {"graph": "1"}}
    assert nearest.differences([content], "step", asked) == []


def test_the_libraries_of_a_device_are_those_that_are_loaded_and_not_what_a_build_names(tmp_path, monkeypatch):
    """A build of TensorFlow is for a range of cuDNN's versions, and the linker takes the first that it finds."""
    loaded = [tmp_path / name for name in ("libcudnn.so.9", "libcublas.so.12", "libcudnn_ops.so.9", "libother.so")]
    for one in loaded:
        one.write_bytes(b"x")
    maps = "".join(f"7f0000000000-7f0000001000 r-xp 00000000 fe:00 1 {one}\n" for one in loaded) + "7f0000002000-7f0000003000 rw-p 0 00:00 0\n"
    (tmp_path / "maps").write_text(maps)
    monkeypatch.setattr(configuration, "open", lambda path, **how: open(tmp_path / "maps", **how), raising=False)
    first = configuration._device_libraries()
    assert [one.split()[0].rpartition("/")[2] for one in first] == ["libcublas.so.12", "libcudnn.so.9"]
    loaded[0].write_bytes(b"another version")
    assert configuration._device_libraries() != first
