HEAD = '''
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
'''
STEP = '''
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss
'''
TRAINER = """
import tensorflow as tf
class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = tf.keras.optimizers.Adam()
    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = self.model(x)
        variables = self.model.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.opt.apply_gradients(zip(gradients, variables))
    def train(self, data):
        print(self.opt.learning_rate)
        for x in data:
            self.step(x)
"""
FOUND = {
    "an optimizer that an object keeps": TRAINER.replace("(gradients, variables))", "(gradients, variables))  # <-"),
    "an optimizer that a module keeps": TRAINER.replace("(gradients, variables))", "(gradients, variables))  # <-").replace(
        "Trainer:", "Trainer(tf.Module):"),
    "a loop of one's own": HEAD + STEP.replace("s))", "s))  # <-") + '''
for x, y in data:
    step(x, y)
''',
    "an optimizer in a checkpoint": HEAD + "checkpoint = tf.train.Checkpoint(step=tf.Variable(1), optimizer=optimizer, net=model)"
    + STEP.replace("s))", "s))  # <-") + "checkpoint.restore(path)\nstep(x, y)\n",
    "an optimizer that an object keeps and saves": TRAINER.replace("(gradients, variables))", "(gradients, variables))  # <-").replace(
        "print(self.opt.learning_rate)", "tf.train.Checkpoint(opt=self.opt)"),
    "in a function": '''
import tensorflow as tf
def train(model, data):
    optimizer = tf.keras.optimizers.legacy.SGD()
    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = model(x)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))  # <-
    for x in data:
        step(x)
''',
}
PLAIN = STEP.replace("@tf.function\n", "")
MARKED = PLAIN.replace("s))", "s))  # <-")
WRAPPED = "step = tf.function(step)\n"
IN_METHOD = TRAINER.replace("    @tf.function\n", "").replace("def step(", "def _step(")
SELF_WRAPPED = "        self.step = tf.function(self._step)\n"
HELD = HEAD.replace("optimizer = tf", "opts = {'rest': tf.keras.optimizers.SGD(), 'net': tf").replace("Adam()", "Adam()}")
FROM_HELD = STEP.replace("optimizer.", "opts['net'].")
FOUND.update({
    "a function that takes its own name again": HEAD + MARKED + WRAPPED + "for x, y in data:\n    step(x, y)\n",
    "a function that is wrapped": HEAD + MARKED + "fast = tf.function(step, reduce_retracing=True)\nfast(x, y)\n",
    "a method that is wrapped": IN_METHOD.replace("Adam()\n", "Adam()\n" + SELF_WRAPPED).replace(
        "(gradients, variables))", "(gradients, variables))  # <-"),
    "an optimizer in a dictionary": HELD + FROM_HELD.replace("s))", "s))  # <-") + "step(x, y)\nprint(opts['net'].iterations)\n",
    "an optimizer in a list": HEAD.replace("= tf.keras.optimizers.Adam()", "= [tf.keras.optimizers.Adam(), 0.1]") + STEP.replace(
        "optimizer.", "optimizer[0].").replace("s))", "s))  # <-") + "step(x, y)\n",
    "an optimizer in a dictionary that an object keeps": TRAINER.replace(
        "self.opt = tf.keras.optimizers.Adam()", "self.opts = {'net': tf.keras.optimizers.Adam()}").replace(
        "self.opt.", "self.opts['net'].").replace("(gradients, variables))", "(gradients, variables))  # <-"),
})
SELF_REBOUND = "        self.step = tf.function(self.step)\n"
REBOUND = IN_METHOD.replace("_step", "step").replace("Adam()\n", "Adam()\n" + SELF_REBOUND)
FOUND.update({
    "a method that takes its own name again": REBOUND.replace("(gradients, variables))", "(gradients, variables))  # <-"),
    "an optimizer in a dictionary that has the name of a module": FOUND["an optimizer in a dictionary that an object keeps"].replace(
        "self.opts", "self.optimizers"),
})
OF_ITS_OWN = """
import tensorflow as tf
class Agent:
    def __init__(self):
        self.opt = tf.keras.optimizers.Adam()
        self.value, self.other = tf.Variable(1.0), 0
        self.weight = tf.Variable(2.0)
    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = self.weight * x
        self.opt.apply_gradients([(tape.gradient(loss, self.weight), self.weight)])
    def train(self, data):
        for x in data:
            self.step(x)
"""
OF_A_SCRIPT = """
import tensorflow as tf
weight, opt = tf.Variable(2.0), tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = weight * x
    opt.apply_gradients(zip([tape.gradient(loss, weight)], [weight]))
step(1.0)
"""
FOUND.update({
    "a pair of gradient and variable": OF_ITS_OWN.replace("self.weight)])", "self.weight)])  # <-"),
    "a list of variables": OF_A_SCRIPT.replace("[weight]))", "[weight]))  # <-"),
})
OF_TWO_MODELS = HEAD + STEP.replace("(gradients, model.trainable_variables))", "(gradients, variables))  # <-").replace(
    "    gradients = tape.gradient(loss, model.trainable_variables)",
    "    variables = model.trainable_variables + head.trainable_variables\n    gradients = tape.gradient(loss, variables)")
OF_A_MODULE = """
import tensorflow as tf
class Net(tf.Module):
    def __init__(self, sizes):
        self.w = []
        for a, b in sizes:
            self.w.append(tf.Variable(tf.zeros([a, b])))
    def __call__(self, x):
        return x @ self.w[0]
net, opt = Net([(4, 4)]), tf.keras.optimizers.Adam()
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = net(x)
    opt.apply_gradients(zip(tape.gradient(loss, net.w), net.w))
step(x)
"""
OF_AN_ARGUMENT = """
import tensorflow as tf
image, opt = tf.Variable(picture), tf.keras.optimizers.Adam()
@tf.function
def step(image):
    with tf.GradientTape() as tape:
        loss = lost(image)
    opt.apply_gradients([(tape.gradient(loss, image), image)])
for _ in range(10):
    step(image)
"""
FOUND.update({
    "variables of two models": OF_TWO_MODELS,
    "a list of a module's": OF_A_MODULE.replace("net.w))", "net.w))  # <-"),
    "a variable that it is given": OF_AN_ARGUMENT.replace("image)])", "image)])  # <-"),
})
SILENT = {
    "variables of a model and what is not known": OF_TWO_MODELS.replace("head.trainable_variables", "more").replace("  # <-", ""),
    "a list of a module's that is filled later": OF_A_MODULE.replace("def __call__(self, x):", "def grow(self):").replace(
        "return x @ self.w[0]", "self.w.append(tf.Variable(0.0))"),
    "a list of what may be no variables": OF_A_MODULE.replace("tf.Variable(tf.zeros([a, b]))", "make(a, b)"),
    "a list of a module's, built": OF_A_MODULE.replace("@tf.function", "opt.build(net.w)\n@tf.function"),
    "what it is given is not seen": OF_AN_ARGUMENT.replace("    step(image)", "    step(make())"),
    "a pair of gradient and variable, built": OF_ITS_OWN.replace("    @tf", "        self.opt.build([self.weight])\n    @tf"),
    "a pair of gradient and variable, eagerly": OF_ITS_OWN.replace("    @tf.function\n", ""),
    "a pair of gradient and what may be no variable": OF_ITS_OWN.replace("tf.Variable(2.0)", "make()"),
    "a pair of gradient and variable, without slots": OF_ITS_OWN.replace("Adam()", "SGD(0.1)"),
    "pairs that are not all seen": OF_ITS_OWN.replace("self.weight)])", "self.weight), *more])"),
    "a list of variables, built": OF_A_SCRIPT.replace("step(1.0)", "opt.build([weight])\nstep(1.0)"),
    "a method that takes its own name again, called before": REBOUND.replace(SELF_REBOUND, "        self.step(model.x)\n" + SELF_REBOUND),
    "a method that takes its own name again, called of the class": REBOUND + "Trainer.step(trainer, x)\n",
    "a method that takes its own name again, called of a class below": REBOUND + (
        "class Eager(Trainer):\n    def train(self, data):\n        super().step(data)\n"),
    "a method that takes its own name again, where no one debugs": REBOUND.replace(SELF_REBOUND, "        if fast:\n    " + SELF_REBOUND),
    "a method that takes its own name again, later": REBOUND.replace(SELF_REBOUND, "    def compile(self):\n" + SELF_REBOUND),
    "wrapped under its own name, where no one debugs": HEAD + PLAIN + "if fast:\n    " + WRAPPED + "step(x, y)\n",
    "wrapped under its own name, and called before": HEAD + PLAIN + "step(x, y)\n" + WRAPPED + "step(x, y)\n",
    "wrapped under its own name, and kept plain": HEAD + PLAIN + "plain = step\n" + WRAPPED + "plain(x, y)\nstep(x, y)\n",
    "wrapped, and called plainly first": HEAD + PLAIN + "step(x, y)\nfast = tf.function(step)\nfast(x, y)\n",
    "wrapped where debugging does not call it plainly": HEAD + PLAIN + "run = step if debug else tf.function(step)\nrun(x, y)\n",
    "a method that is wrapped, and may be called": IN_METHOD.replace("Adam()\n", "Adam()\n" + SELF_WRAPPED) + "Trainer(m)._step(x)\n",
    "in a dictionary, and built": HELD + "opts['net'].build(model.trainable_variables)\n" + FROM_HELD,
    "in a dictionary, all of which are built": HELD + "for one in opts.values():\n    one.build(v)\n" + FROM_HELD,
    "in a dictionary that is handed on": HELD + "restore(opts)\n" + FROM_HELD,
    "in a dictionary that is changed": HELD + "opts['net'] = built()\n" + FROM_HELD,
    "in a dictionary, by a key that varies": HELD + "opts[name].build(v)\n" + FROM_HELD,
    "built": HEAD + "optimizer.build(model.trainable_variables)" + STEP,
    "eager": HEAD + STEP.replace("@tf.function\n", ""),
    "fit": HEAD + '''
model.compile(optimizer, "mse")
model.fit(x, y)
''',
    "of a class": '''
import tensorflow as tf
class Model(tf.keras.Model):
    def train_step(self, data):
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
''',
    "handed over": HEAD + "restore(optimizer)" + STEP,
    "an optimizer of version 1": '''
import tensorflow.compat.v1 as tf
optimizer = tf.train.AdamOptimizer()
@tf.function
def step(x):
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
''',
    "applied before": HEAD + "optimizer.apply_gradients(zip(zeros, model.trainable_variables))" + STEP,
    "an optimizer that an object keeps and builds": TRAINER.replace("print(self.opt.learning_rate)",
                                                                    "self.opt.build(self.model.trainable_variables)"),
    "an optimizer that an object keeps and others may build": TRAINER + "trainer = Trainer(m)\nrestore(trainer.opt)\n",
    "an optimizer that an object keeps and others may set": TRAINER + "trainer = Trainer(m)\ntrainer.opt = built()\n",
    "an optimizer that an object is given": TRAINER.replace("tf.keras.optimizers.Adam()", "optimizer"),
    "an optimizer that an object may be given": TRAINER.replace("    @tf", "        self.opt = model.optimizer\n    @tf"),
    "an optimizer that a model of Keras keeps": TRAINER.replace("Trainer:", "Trainer(tf.keras.Model):"),
    "an optimizer that a class of another file keeps": TRAINER.replace("Trainer:", "Trainer(Base):"),
    "an optimizer that an object keeps, eagerly": TRAINER.replace("    @tf.function\n", ""),
}
