"""To watch a program runs none of its code: what it hands to Python and to the frameworks is not asked what it is."""

import json
import os
import subprocess
from types import SimpleNamespace

from programs import FIRSTSTEP, TARGET

from firststep_agent.observe.steps.intent import stack_speaks_of_training

PROGRAM = '''
import json, os, pathlib, socket, subprocess, sys, tempfile

ASKED = set()
NAMES = ("__repr__", "__str__", "__fspath__", "__len__", "__eq__", "__bool__", "__iter__", "__getattr__", "values", "keys",
         "items", "layers", "weights", "variables", "name", "element_spec", "_inputs")


def asked(what):
    """Whether firststep asks, and no framework for it or by itself."""
    frame = sys._getframe(2)
    while frame is not None and "/tensorflow/" not in frame.f_code.co_filename and "/keras/" not in frame.f_code.co_filename:
        if "/firststep_agent/observe/" in frame.f_code.co_filename:
            ASKED.add(f"{what} by {frame.f_code.co_name}")
            return
        frame = frame.f_back


def spy(cls):
    def watched(name, plain):
        def method(self, *args, **kwargs):
            asked(f"{cls.__name__}.{name}")
            if plain is None and name == "__getattr__":
                raise AttributeError(args[0])
            return True if plain is None else plain(self, *args, **kwargs)
        return method

    for name in NAMES:
        plain = getattr(cls, name, None)
        if isinstance(plain, property):
            setattr(cls, name, property(watched(name, plain.fget)))
        elif callable(plain) or name in ("__getattr__", "__bool__"):
            setattr(cls, name, watched(name, plain))
    cls.__hash__ = lambda self: 1
    return cls


@spy
class Text(str): pass
@spy
class Path(pathlib.PosixPath): pass
@spy
class Command:
    def __fspath__(self): return sys.executable
@spy
class List(list): pass
@spy
class Dict(dict): pass
@spy
class Number(int): pass
@spy
class Config: pass
@spy
class Slotted: __slots__ = ()
@spy
class Double:
    def __call__(self, x): return x * 2

subprocess.run([Command(), Text("-c"), "pass"], check=True)
server, client = socket.create_server(("127.0.0.1", 0)), socket.socket()
client.connect((Text("127.0.0.1"), server.getsockname()[1]))

import numpy as np
import tensorflow as tf

folder = tempfile.mkdtemp()

@spy
class Zeros(tf.keras.initializers.Zeros): pass
class Layer(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.w = self.add_weight(shape=(3,), initializer=Zeros())
    def call(self, x): return x * self.w
Layer = spy(Layer)
Model = spy(type("Model", (tf.keras.Model,), {}))

x = tf.keras.Input((3,))
model = Model(x, tf.keras.layers.Dense(1)(Layer()(x)))
model.compile("sgd", "mse")
model.fit(np.ones((8, 3), "f"), np.ones((8, 1), "f"), batch_size=Number(4), verbose=0)
model.save_weights(Path(folder) / "a.weights.h5")
model.load_weights(Path(folder) / "a.weights.h5")
model.set_weights(List(model.get_weights()))

@tf.function
def traced(x, config): return x
for config in (Config(), Config(), Slotted(), Number(3), Number(4), Text("a"), List([Number(1)]), Dict(a=Number(2)), Dict(a=Config())):
    traced(tf.ones(2), config)
tf.function(Double())(tf.ones(3))
next(iter(tf.data.Dataset.range(8).map(Double()).shuffle(Number(4)).batch(2)))
tf1 = tf.compat.v1
with tf1.Graph().as_default(), tf1.Session() as session:
    v = tf1.get_variable(Text("v"), (2,))
    session.run(tf1.global_variables_initializer())
    session.run(Dict(a=v, b=List([v])))
    tf1.train.Saver().restore(session, Text(tf1.train.Saver().save(session, folder + "/session")))
print(json.dumps(sorted(ASKED)))
'''


def test_nothing_that_is_handed_to_a_framework_is_asked(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [*FIRSTSTEP, "record", "--until", "exit", "-o", str(tmp_path / "trace"), "--", TARGET, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
    assert '["e",' not in (tmp_path / "trace").read_text()


def test_no_object_of_the_program_is_asked_whether_it_trains(tmp_path):
    program = """
import sys
class Lazy:
    def __getattribute__(self, name):
        raise SystemExit(name)
class Trainer:
    def run(self, model): {}
class Meta(type):
    def __getattribute__(cls, name):
        raise SystemExit(name)
Other = Meta("Other", (), {{}})
lazy, other, frame = Lazy(), Other(), lambda: sys._getframe()
"""
    for words, speaks in (("model.fit(1)", True), ("model.predict(1)", False)):
        names = {"__name__": "program"}
        exec(compile(program.format(words), str(tmp_path / "program.py"), "exec"), names)
        assert stack_speaks_of_training(names["frame"]()) is speaks


def test_a_module_that_calls_a_function_of_its_own_speaks_of_training_itself(tmp_path):
    program = "import sys\ndef policy(): return speaks(sys._getframe())\nfound = policy()\n{}"
    for words, speaks in (("if not found: model.fit(1)", True), ("", False)):
        names = {"__name__": "program", "speaks": stack_speaks_of_training, "model": SimpleNamespace(fit=print)}
        exec(compile(program.format(words), str(tmp_path / "program.py"), "exec"), names)
        assert names["found"] is speaks
