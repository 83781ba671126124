"""What the frameworks' own classes hold is compared as it is; addresses, which each process has others of, are told by whose they are."""

import importlib
import inspect
import sys
import types

from firststep_agent.boost import memoise_signatures
from firststep_agent.boost.cache_functions.reads import library
from firststep_agent.frameworks import standing


def exported(**attributes):
    """A class as Keras exports it: its address stands in it, above 2**32 or below, as the interpreter was built."""
    cls = type("Layer", (), {"call": lambda self: 1, **attributes})
    setattr(cls, "_api_export_symbol_id", id(cls))
    return cls


def test_a_class_that_holds_its_own_address_is_the_same_in_each_process():
    assert library._methods(exported()) == library._methods(exported())


def test_what_we_put_on_a_class_for_what_it_only_inherits_is_no_patch():
    """It is taken away when nobody listens any more, in the middle of what another thread traces."""
    base = exported()
    plain, below = type("Model", (base,), {}), type("Model", (base,), {})
    below.call = standing.stand_in(base.call, standing.standing(None, base.call))
    assert library._methods(below) == library._methods(plain)
    below.call = lambda self: 2
    assert library._methods(below) != library._methods(plain)
    own = type("Model", (base,), {"call": lambda self: 3})
    told = library._methods(own)
    own.call = standing.stand_in(own.call, standing.standing(None, own.call))
    assert library._methods(own) == told != library._methods(plain)


def test_a_class_that_holds_another_number_is_another():
    told = {library._methods(exported(limit=limit)) for limit in (1 << 20, 1 << 33, 1 << 34, (1 << 34) + 1)}
    assert len(told) == 4


def test_large_numbers_in_a_framework_modules_list_count():
    module = types.ModuleType("keras.settings")
    words = []
    for seeds in ([1 << 33], [1 << 34]):
        module.seeds = seeds
        words.append(library._token(module.seeds))
    assert None not in words and words[0] != words[1]


def test_a_setting_counts_whatever_it_is_called(monkeypatch):
    module = types.ModuleType("keras.settings")
    module.block_rows, module.cache_size, module.counter = 8, 64, 0
    monkeypatch.setitem(sys.modules, "keras.settings", module)
    before = library.Before()
    module.counter = 1  # by the trace: no setting
    told = {name: before.token(module, name) for name in ("block_rows", "cache_size", "counter")}
    assert told["block_rows"] and told["cache_size"] and told["counter"] is None


def test_a_module_that_says_that_it_is_another_is_found_by_the_name_that_it_is_imported_by(monkeypatch, tmp_path):
    """As `_collections_abc` does, which before Python 3.11 is not the module `collections.abc`."""
    for name in ("_inner", "outer"):
        (tmp_path / f"{name}.py").write_text("def check(x):\n    return x\n" if name == "_inner" else "")
    monkeypatch.syspath_prepend(str(tmp_path))
    inner, _ = importlib.import_module("_inner"), importlib.import_module("outer")
    inner.__name__ = "outer"
    try:
        assert library._by_file()[inner.__file__] == ("_inner", inner)
    finally:
        for name in ("_inner", "outer"):
            del sys.modules[name]


def test_what_makes_signatures_meanwhile_is_told_as_what_stands_there():
    """It is taken away in the middle of a start: what was learned before that holds after it, and the other way round."""
    plain = inspect.cleandoc
    assert library._token(memoise_signatures._memoise_specifications(plain, {})) == library._token(plain) != "0"
