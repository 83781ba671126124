"""Programs as users write them, from a seed: models, layers of their own with helpers, losses, optimizers, loops.

`program(seed)` gives the source of one program. It prints one line, `DIGEST=...`, over weights and losses. What varies is
chosen by the seed alone, so a program is the same every time; nothing in it was made with the function cache in mind.
"""

import random

_HEAD = '''"""{title}"""
import hashlib
import math

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed({seed})
RNG = np.random.RandomState({seed})
N, WIDTH, CLASSES = {samples}, {width}, {classes}
FEATURES = RNG.rand(N, WIDTH).astype("float32")
LABELS = RNG.randint(0, CLASSES, N)


def report(*arrays):
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    print("DIGEST=" + found.hexdigest()[:16])

'''

_LAYERS = {
    "gate": '''
TEMPERATURE = {factor}


def squash(x, temperature=TEMPERATURE):
    return tf.tanh(x / temperature)


class Gate(keras.layers.Layer):
    def __init__(self, units, **options):
        super().__init__(**options)
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), initializer="glorot_uniform", name="kernel")
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros", name="bias")

    def call(self, x):
        return squash(tf.matmul(x, self.kernel) + self.bias)
''',
    "block": '''
class Block(keras.layers.Layer):
    """Normalise, widen, come back."""

    def __init__(self, units, rate={rate}):
        super().__init__()
        self.norm = keras.layers.LayerNormalization()
        self.up = keras.layers.Dense(units * 2, activation="{activation}")
        self.down = keras.layers.Dense(units)
        self.drop = keras.layers.Dropout(rate)
        self.scale = 1.0 / math.sqrt(units)

    def build(self, shape):
        self.norm.build(shape)
        self.up.build(shape)
        self.down.build((*shape[:-1], self.up.units))
        self.built = True

    def call(self, x, training=False):
        return self.drop(self.down(self.up(self.norm(x))), training=training) * self.scale
''',
    "table": '''
def frequencies(width):
    return np.array([1.0 / (10.0 ** (i / width)) for i in range(width)], "float32")


class Frequencies(keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.table = frequencies(width)
        self.options = {{"phase": {factor}, "mode": "sin"}}

    def call(self, x):
        waves = getattr(tf, self.options["mode"])(x * self.table + self.options["phase"])
        return tf.concat([x, waves], axis=-1)
''',
    "mixture": '''
def make_mixer(factor):
    def mix(x, y):
        return x * factor + y * (1.0 - factor)

    return mix


class Mixture(keras.layers.Layer):
    def __init__(self, units, experts=2):
        super().__init__()
        self.experts = [keras.layers.Dense(units, activation=a) for a in ("relu", "tanh", "gelu")[:experts]]
        self.mix = make_mixer({factor})

    def build(self, shape):
        for expert in self.experts:
            expert.build(shape)
        self.built = True

    def call(self, x):
        out = self.experts[0](x)
        for expert in self.experts[1:]:
            out = self.mix(out, expert(x))
        return out
''',
}
_USES = {"gate": "Gate({units})", "block": "Block({units})", "table": "Frequencies({units})", "mixture": "Mixture({units}, {experts})"}

_LOSSES = {
    "string": ('"sparse_categorical_crossentropy_logits"', ""),
    "object": ("keras.losses.SparseCategoricalCrossentropy(from_logits=True)", ""),
    "function": (
        "smooth_loss",
        '''
SMOOTHING = {factor} / 10


def smooth_loss(y, logits):
    hot = tf.one_hot(tf.cast(tf.reshape(y, [-1]), tf.int32), CLASSES) * (1.0 - SMOOTHING) + SMOOTHING / CLASSES
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(hot, logits))
''',
    ),
    "class": (
        "Focal({factor})",
        '''
class Focal(keras.losses.Loss):
    def __init__(self, gamma):
        super().__init__()
        self.gamma = gamma

    def call(self, y, logits):
        hot = tf.one_hot(tf.cast(tf.reshape(y, [-1]), tf.int32), CLASSES)
        p = tf.nn.softmax(logits)
        return -tf.reduce_sum(hot * (1.0 - p) ** self.gamma * tf.math.log(p + 1e-6), axis=-1)
''',
    ),
}
_OPTIMIZERS = (
    "keras.optimizers.Adam({rate})", "keras.optimizers.SGD({rate}, momentum=0.9, nesterov=True)", "keras.optimizers.RMSprop({rate})",
    "keras.optimizers.AdamW({rate}, weight_decay=0.01, clipnorm=1.0)",
    "keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay({rate}, 50))",
)
_METRICS = ("None", '["accuracy"]', '["accuracy", keras.metrics.SparseTopKCategoricalAccuracy(2)]')

_STYLES = {
    "fit": '''
model = {model}
model.compile({optimizer}, {loss}, metrics={metrics})
history = model.fit(FEATURES, LABELS, batch_size=16, epochs=2, verbose=0, shuffle=False)
report(*model.get_weights(), history.history["loss"], model.evaluate(FEATURES, LABELS, verbose=0, return_dict=True)["loss"])
''',
    "validated": '''
model = {model}
model.compile({optimizer}, {loss}, metrics={metrics})
stop = keras.callbacks.EarlyStopping(patience=3)
history = model.fit(FEATURES, LABELS, batch_size=16, epochs=2, verbose=0, validation_split=0.25, callbacks=[stop])
report(*model.get_weights(), history.history["val_loss"], model.predict(FEATURES, verbose=0))
''',
    "train_step": '''
class Trainer(keras.Model):
    def __init__(self, net, noise={factor} / 100):
        super().__init__()
        self.net = net
        self.noise = noise
        self.tracker = keras.metrics.Mean(name="loss")

    def call(self, x, training=False):
        return self.net(x, training=training)

    def train_step(self, data):
        x, y = data
        x = x + self.noise
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x=x, y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.tracker.update_state(loss)
        return {{"loss": self.tracker.result()}}


model = Trainer({model})
model.compile({optimizer}, {loss})
history = model.fit(FEATURES, LABELS, batch_size=16, epochs=2, verbose=0, shuffle=False)
report(*model.get_weights(), history.history["loss"])
''',
    "loop": '''
model = {model}
optimizer = {optimizer}
optimizer.build(model.trainable_variables)
loss_of = {loss}


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
        loss = tf.reduce_mean(loss) + sum(model.losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


losses = []
data = tf.data.Dataset.from_tensor_slices((FEATURES, LABELS)).batch(16, drop_remainder={remainder})
for epoch in range(2):
    for x, y in data:
        losses.append(float(train_step(x, y)))
report(*model.get_weights(), losses)
''',
    "class_loop": '''
class Experiment:
    """Owns everything, as scripts that grew do."""

    def __init__(self):
        self.model = {model}
        self.optimizer = {optimizer}
        self.optimizer.build(self.model.trainable_variables)
        self.loss_of = {loss}
        self.settings = {{"clip": {factor}, "steps": 4}}
        self.history = []

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.loss_of(y, self.model(x, training=True)))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        gradients = [tf.clip_by_value(g, -self.settings["clip"], self.settings["clip"]) for g in gradients]
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def run(self):
        for at in range(self.settings["steps"]):
            part = slice(at * 16, at * 16 + 16)
            self.history.append(float(self.step(tf.constant(FEATURES[part]), tf.constant(LABELS[part]))))


experiment = Experiment()
experiment.run()
report(*experiment.model.get_weights(), experiment.history)
''',
    "batches": '''
model = {model}
model.compile({optimizer}, {loss}, metrics={metrics})
losses = [model.train_on_batch(FEATURES[a:a + 16], LABELS[a:a + 16], return_dict=True)["loss"] for a in range(0, N, 16)]
report(*model.get_weights(), np.array(losses, "float32"), model.predict_on_batch(FEATURES[:16]))
''',
}


def program(seed):
    """The source of program number `seed`."""
    choose = random.Random(seed)
    values = {
        "seed": seed, "title": f"Program {seed}.", "samples": choose.choice((64, 72)), "width": choose.choice((6, 8, 12)), "classes": choose.choice((3, 4)),
        "factor": choose.choice((0.3, 0.5, 0.75, 2.0)), "rate": choose.choice((0.001, 0.01, 0.05)), "activation": choose.choice(("relu", "gelu", "swish")),
        "remainder": choose.choice((True, False)), "experts": choose.choice((2, 3)),
    }
    kinds = choose.sample(sorted(_LAYERS), choose.randint(0, 2))
    loss_name = choose.choice(("object", "object", "function", "class"))
    loss, loss_source = _LOSSES[loss_name]
    style = choose.choice(sorted(_STYLES))
    parts = [_HEAD.format(**values), *(_LAYERS[k].format(**values) for k in kinds), loss_source.format(**values)]
    model, model_source = _model(choose, kinds, values)
    parts.append(model_source)
    values.update(model=model, optimizer=choose.choice(_OPTIMIZERS).format(**values), loss=loss.format(**values), metrics=choose.choice(_METRICS))
    parts.append(_STYLES[style].format(**values))
    return "\n".join(parts)


def _model(choose, kinds, values):
    """(expression that makes the model, source that must stand before it)."""
    width, layers = values["width"], []
    for kind in [*kinds, *choose.sample(("dense", "dropout", "batch", "activation"), choose.randint(1, 3))]:
        units = choose.choice((8, 16))
        if kind == "table":
            layers.append(_USES[kind].format(units=width))
            width *= 2
        elif kind == "block":
            layers.append(_USES[kind].format(units=width))
        elif kind in _USES:
            layers.append(_USES[kind].format(units=units, experts=values["experts"]))
            width = units
        elif kind == "dense":
            layers.append(f'keras.layers.Dense({units}, activation="{values["activation"]}", kernel_regularizer=keras.regularizers.L2(1e-4))')
            width = units
        else:
            layers.append({"dropout": "keras.layers.Dropout(0.2)", "batch": "keras.layers.BatchNormalization()",
                           "activation": "keras.layers.Activation(lambda x: x * tf.sigmoid(x))"}[kind])
    layers.append("keras.layers.Dense(CLASSES)")
    style = choose.choice(("sequential", "functional", "subclass"))
    if style == "sequential":
        return "keras.Sequential([keras.Input((WIDTH,)), " + ", ".join(layers) + "])", ""
    if style == "functional":
        lines = "".join(f"    x = {layer}(x)\n" for layer in layers)
        return "build_model()", f"\ndef build_model():\n    inputs = x = keras.Input((WIDTH,))\n{lines}    return keras.Model(inputs, x)\n"
    made = ", ".join(layers)
    source = f'''
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.steps = [{made}]

    def call(self, x, training=False):
        for step in self.steps:
            if isinstance(step, (keras.layers.Dropout, keras.layers.BatchNormalization)):
                x = step(x, training=training)
            else:
                x = step(x)
        return x


def build_net():
    net = Net()
    net(FEATURES[:1])
    return net

'''
    return "build_net()", source
