"""Programs that know one optimizer by several names: PROGRAMS is {what it does: (whether its step is traced twice, whether lint says so,
source)}.

Each prints how often its step was traced, and its losses. Where lint says nothing of a second trace, somebody else may have the optimizer.
"""

HEAD = '''
import tensorflow as tf
import numpy as np
traced = []
data = [(np.ones((4, 4), "float32"), np.ones((4, 1), "float32"))] * 2
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1, kernel_initializer="ones")])
'''
ADAM = "tf.keras.optimizers.Adam()"
MINE = f"optimizer = {ADAM}\n"
BUILD = ".build(model.trainable_variables)\n"
LOOP = '''
for x, y in data:
    print(float(step(x, y)))
print(len(traced))
'''
GROWING = '''
for number, (x, y) in enumerate(data):
    if number == 0:
        GROW
    print(float(step(x, y)))
print(len(traced))
'''


def step(owner="optimizer", before="", arguments="x, y", model="model", indent="", decorator="@tf.function"):
    lines = f'''{decorator}
def step({arguments}):
    traced.append(1)
    {before or "pass"}
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(({model}(x) - y) ** 2)
    gradients = tape.gradient(loss, {model}.trainable_variables)
    {owner}.apply_gradients(zip(gradients, {model}.trainable_variables))
    return loss
'''.splitlines()
    return "".join(f"{indent}{line}\n" for line in lines)


def program(made=MINE, loop=LOOP, **told):
    return HEAD + made + step(**told) + loop


def trainer(made, owner="self.opt", before="", use="trainer = Trainer(model)\n"):
    lines = "".join(f"        {line}\n" for line in made)
    return (f"{HEAD}class Trainer:\n    def __init__(self, model, optimizer=None):\n        self.model = model\n{lines}"
            + step(owner, before, "self, x, y", "self.model", "    ") + use + LOOP.replace("step(", "trainer.step("))


OPT = f"self.opt = {ADAM}"
BUILT = "self.opt" + BUILD.strip()
PROGRAMS = {
    "one name": (True, True, program()),
    "another name in the module": (True, True, program(MINE + "opt = optimizer\n", owner="opt")),
    "two names at once": (True, True, program(f"opt = optimizer = {ADAM}\n", owner="opt")),
    "another name, built by the first": (False, False, program(MINE + "opt = optimizer\noptimizer" + BUILD, owner="opt")),
    "another name, built by it": (False, False, program(MINE + "opt = optimizer\nopt" + BUILD)),
    "another name in the step": (True, True, program(owner="opt", before="opt = optimizer")),
    "an attribute's name in the step": (True, True, trainer([OPT], "opt", "opt = self.opt")),
    "an attribute's name in the step, built": (False, False, trainer([OPT, BUILT], "opt", "opt = self.opt")),
    "an attribute built by another name": (False, False, trainer([OPT, "opt = self.opt", "opt" + BUILD.strip()])),
    "a name that becomes an attribute": (True, True, trainer([f"opt = {ADAM}", "self.opt = opt"])),
    "a built name that becomes an attribute": (False, False, trainer([f"opt = {ADAM}", "opt" + BUILD.strip(), "self.opt = opt"])),
    "two attributes": (True, True, trainer([OPT, "self.other = self.opt"], "self.other")),
    "two attributes, built by the first": (False, False, trainer([OPT, "self.other = self.opt", BUILT], "self.other")),
    "given to an object": (True, False, trainer(["self.opt = optimizer"], use=MINE + "trainer = Trainer(model, optimizer)\n")),
    "given to an object, built": (False, False, trainer(["self.opt = optimizer"],
                                                       use=MINE + "optimizer" + BUILD + "trainer = Trainer(model, optimizer)\n")),
    "in a dictionary": (True, True, program(f"all = {{'one': {ADAM}}}\n", owner="all['one']")),
    "in a dictionary, built": (False, False, program(f"all = {{'one': {ADAM}}}\nfor one in all.values():\n    one" + BUILD,
                                                     owner="all['one']")),
    "a name in a dictionary, built": (False, False, program(MINE + "all = {'one': optimizer}\nall['one']" + BUILD)),
    "in a list": (True, True, program(f"all = [{ADAM}]\n", owner="all[0]")),
    "a name in a list, built": (False, False, program(MINE + "for one in [optimizer]:\n    one" + BUILD)),
    "an argument of the step": (True, False, program(arguments="x, y, optimizer", loop=LOOP.replace("(x, y)))", "(x, y, optimizer)))"))),
    "made by a function": (True, False, program(f"def make():\n    return {ADAM}\noptimizer = make()\n")),
    "made and built by a function": (False, False, program(f"def make():\n    {MINE}    optimizer{BUILD}    return optimizer\n"
                                                           "optimizer = make()\n")),
    "one of two": (True, True, program(f"optimizer, other = {ADAM}, {ADAM}\n")),
    "the other of two, built": (True, True, program(f"optimizer, other = {ADAM}, {ADAM}\nother" + BUILD)),
    "one of two, built": (False, False, program(f"optimizer, other = {ADAM}, {ADAM}\noptimizer" + BUILD)),
    "a model's": (True, False, program(f"model.compile({ADAM}, 'mse')\n", owner="model.optimizer")),
    "given to a model that is fitted": (False, False, program(MINE + "model.compile(optimizer, 'mse')\nmodel.fit(*data[0], verbose=0)\n")),
    "asked for by text": (False, False, trainer([OPT, "getattr(self, 'opt')" + BUILD.strip()])),
    "found among all attributes": (False, False, trainer([OPT, "[one.build(model.trainable_variables) for one in vars(self).values()"
                                                          " if hasattr(one, 'apply_gradients')]"])),
    "found among all names": (False, False, program(MINE + "globals()['optimizer']" + BUILD)),
    "set by text": (False, False, trainer([OPT], use=f"trainer = Trainer(model)\nother = {ADAM}\nother{BUILD}"
                                          "setattr(trainer, 'opt', other)\n")),
    "set with a type": (False, False, trainer([OPT, f"self.opt: object = {ADAM}", BUILT])),
    "built where it is named": (False, False, program(f"(optimizer := {ADAM})" + BUILD)),
    "its method by another name": (False, False, program(MINE + "build = optimizer.build\nbuild(model.trainable_variables)\n")),
    "built by a derived class": (False, False, trainer([OPT], use="class Other(Trainer):\n    def __init__(self, model):\n"
                                                       f"        super().__init__(model)\n        {BUILT}\ntrainer = Other(model)\n")),
    "built by an eager step": (False, False, program(loop="step.python_function(*data[0])\ntraced.clear()" + LOOP)),
    "functions run eagerly at first": (False, False, program(
        "tf.config.run_functions_eagerly(True)\n" + MINE,
        loop="step(*data[0])\ntraced.clear()\ntf.config.run_functions_eagerly(False)" + LOOP)),
    "in a step that is wrapped": (True, True, program(decorator="", loop="fast = tf.function(step)" + LOOP.replace("step(", "fast("))),
    "in a step that takes its own name again": (True, True, program(decorator="", loop="step = tf.function(step)" + LOOP)),
    "in a step that is wrapped, and called before": (False, False, program(
        decorator="", loop="fast = tf.function(step)\nstep(*data[0])\ntraced.clear()" + LOOP.replace("step(", "fast("))),
    "without slots": (False, False, program("optimizer = tf.keras.optimizers.SGD(0.1)\n")),
    "with a momentum of nothing": (False, False, program("optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.0)\n")),
    "with momentum": (True, True, program("optimizer = tf.keras.optimizers.SGD(0.1, momentum=0.9)\n")),
    "by its name in words": (False, False, program("optimizer = tf.keras.optimizers.get('sgd')\n")),
}
GROW = "net.add(tf.keras.layers.Dense(1, kernel_initializer='ones'))"
GROWS = {  # a model that somebody changes by another name: the line that builds its optimizer before would be wrong
    "by another name": program(MINE + "net = model\n", GROWING.replace("GROW", GROW)),
    "in a list": program(MINE + "nets = [model]\n", GROWING.replace("GROW", GROW.replace("net", "nets[0]"))),
    "its method by another name": program(MINE + "add = model.add\n", GROWING.replace("GROW", GROW.replace("net.add", "add"))),
    "in an object": program(MINE + "class Box:\n    def __init__(self, net):\n        self.net = net\nbox = Box(model)\n",
                            GROWING.replace("GROW", "box." + GROW)),
    "by a function": program(MINE + f"def grow(net):\n    {GROW}\n", GROWING.replace("GROW", "grow(model)")),
}
