"""Functions that write state while they are traced, each with a way to look at it afterwards: for generate.py."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

HEAD = '''

def shown(value):
    return repr(value) if isinstance(value, (str, int, float, bool, type(None), tf.Tensor)) else repr(
        sorted(map(repr, value)) if isinstance(value, (set, frozenset)) else
        [(k, shown(v)) for k, v in value.items()] if hasattr(value, "items") else
        [shown(v) for v in value] if isinstance(value, (list, tuple, collections.deque)) else
        value.tolist() if hasattr(value, "tolist") else type(value).__name__)


def write(name, write, show, asked):
    def step(tensor):
        write(tensor)
        return tensor * 2.0

    step.__name__ = name
    try:
        function = tf.function(step)
        found = [float(function(tf.constant(1.0))), shown(show()), float(function(tf.constant(1.0))), shown(show())]
        if asked:  # for the graph, which an answer has put off
            found += [len(function.get_concrete_function(tf.constant(1.0)).graph.get_operations()), shown(show())]
        RESULTS[name] = found
    except Exception as error:
        RESULTS[name] = f"{type(error).__name__}: {error}"[:200]


def made_attribute(thing, value):
    thing.x = value
    return thing.x


class Listed(list):
    def append(self, value):
        super().append(value)
        self.appended = len(self)


class Mapped(dict):
    def __setitem__(self, key, value):
        super().__setitem__(str(key), value)


class Watched:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        object.__setattr__(self, "count", getattr(self, "count", 0) + 1)


class WithProperty:
    kept = 0

    @property
    def x(self):
        return self.kept

    @x.setter
    def x(self, value):
        self.kept = value
'''

# What is written: an expression of `t`, the step's tensor.
VALUES = {"number": "VALUE + 1", "text": "f'{VALUE}'", "tensor": "t * VALUE", "nothing": "None", "list": "[VALUE]", "argument": "t",
          "constant": "tf.constant(VALUE)"}

# Objects whose attribute `x` can be set.
OBJECTS = {
    "plain": "Plain()", "slotted": "Slotted()", "data": "Data()", "watched": "Watched()", "property": "WithProperty()",
    "class": "type('Made', (), {'x': 0})", "namespace": "argparse.Namespace(x=0)", "simple_namespace": "types.SimpleNamespace()",
    "module": "types.ModuleType('made_by_hand')", "function": "(lambda: 0)", "layer": "tf.keras.layers.Layer()",
    "tf_module": "tf.Module()", "local": "threading.local()", "inherited": "type('Below', (type('Above', (), {'x': 0}),), {})()",
}
OF_OBJECTS = {
    "setattr": "setattr(obj, 'x', V)", "computed": "setattr(obj, chr(120), V)", "counts": "setattr(obj, 'x', (getattr(obj, 'x', 0) or 0) + 1)",
    "vars": "vars(obj).update(x=V) if type(obj) is not type and hasattr(obj, '__dict__') else setattr(obj, 'x', V)",
    "object": "(type if isinstance(obj, type) else object).__setattr__(obj, 'x', V)",
    "twice": "(setattr(obj, 'x', 0), setattr(obj, 'x', V), setattr(obj, 'y', V))",
    "deletes": "(setattr(obj, 'x', V), delattr(obj, 'x'))",
}
CONTAINERS = {
    "list": "[0.5, 1]", "dict": "{'a': 0.5, 'k': 1}", "deque": "collections.deque([0.5, 1])", "ordered": "collections.OrderedDict(a=0.5, k=1)",
    "default": "collections.defaultdict(int, a=0.5)", "counter": "collections.Counter(a=1)", "set": "{0.5, 1}", "array": "array.array('d', [0.5, 1])",
    "bytearray": "bytearray(b'ab')", "numpy": "np.array([0.5, 1.0])", "listed": "Listed([0.5])", "mapped": "Mapped(a=0.5)",
    "user_list": "collections.UserList([0.5])", "user_dict": "collections.UserDict(a=0.5)", "nested": "[[0.5], [1]]",
    "of_module": "made_attribute(tf.Module(), [])", "of_layer": "made_attribute(tf.keras.layers.Layer(), [])",
    "dict_of_module": "made_attribute(tf.Module(), {})", "dict_of_layer": "made_attribute(tf.keras.layers.Layer(), {})",
    "chain": "collections.ChainMap({}, {'a': 0.5})", "objects": "[Plain(), VALUE]",
}
OF_CONTAINERS = {
    "put": "obj.__setitem__('k' if hasattr(obj, 'keys') else 0, V) if hasattr(obj, '__setitem__') else obj.add(V)",
    "appended": "obj.append(V) if hasattr(obj, 'append') else obj.update({'new': V}) if hasattr(obj, 'keys') else obj.add(V)",
    "counts": "obj.__setitem__('n', obj.get('n', 0) + 1) if hasattr(obj, 'keys') else obj.extend([len(obj)]) if hasattr(obj, 'extend') "
              "else obj.__setitem__(0, obj[0] + 1) if hasattr(obj, '__setitem__') else obj.add(len(obj))",
    "taken": "(obj.pop() if not hasattr(obj, 'keys') else obj.pop('a', None))",
    "cleared": "obj.clear()",
    "turned": "obj.reverse() if hasattr(obj, 'reverse') else [obj.__setitem__(k, obj.pop(k)) for k in list(obj)[:1]] if hasattr(obj, 'keys') "
              "else obj.discard(1)",
    "put_and_taken": "(obj.append(V), obj.pop()) if hasattr(obj, 'append') else (obj.update({'q': V}), obj.pop('q')) if hasattr(obj, 'keys') "
                     "else None",
}
# What shows afterwards, of a kind or after a way to write.
LOOKS = {
    "watched": "[obj.__dict__.get(name, '-') for name in ('x', 'y', 'count')]",
    "setattr": "[getattr(obj, name, '-') for name in 'xy']",
    "appended": "[obj, getattr(obj, 'appended', '-')]",
}
HELD = ("global", "closure", "both")


def sources() -> Iterator[tuple[str, str]]:
    """(name, statements) of every case, in a fixed order."""
    for held in HELD:
        yield from _of(OBJECTS, OF_OBJECTS, "setattr", held)
        yield from _of(CONTAINERS, OF_CONTAINERS, "appended", held)
    for value, expression in VALUES.items():
        name = f"writes_global_name_{value}"
        yield name, (f"G_{name} = 0\ndef w_{name}(t):\n    global G_{name}, H_{name}\n    G_{name} = H_{name} = {expression}\n"
                     f"write({name!r}, w_{name}, lambda: (G_{name}, H_{name}), asked=True)\n")
        name = f"writes_cell_{value}"
        yield name, (f"def m_{name}():\n    n = 0\n    def w(t):\n        nonlocal n\n        n = {expression}\n    return w, lambda: n\n"
                     f"write({name!r}, *m_{name}(), asked=True)\n")


def _of(kinds: dict[str, str], ways: dict[str, str], main: str, held: str) -> Iterator[tuple[str, str]]:
    """Every way with what is global; of other objects those that say where it is held. main: the way that writes every kind of value."""
    for (kind, make), (way, change) in itertools.product(kinds.items(), ways.items()):
        if held != "global" and way not in (main, "counts"):
            continue
        values = VALUES if (way, held) == (main, "global") else ("number", "tensor") if "V" in change else ("number",)
        for value in values:
            name = f"writes_{kind}_{way}_{value}_{held}"
            written = change.replace("V", f"({VALUES[value]})")
            yield name, _source(name, make, written, LOOKS.get(kind, LOOKS[main]), held, asked=way == "counts")


def _source(name: str, make: str, change: str, look: str, held: str, asked: bool) -> str:
    variable = f"S_{name}"
    if held == "closure":
        return f"write({name!r}, *(lambda obj: (lambda t: {change}, lambda: {look}))({make}), asked={asked})\n"
    made = f"{variable} = {make}\n" + (f"ALSO_{name} = [{variable}]\n" if held == "both" else "")
    looked = look.replace("obj", f"ALSO_{name}[0]" if held == "both" else variable)
    return f"{made}write({name!r}, lambda t: {change.replace('obj', variable)}, lambda: {looked}, asked={asked})\n"
