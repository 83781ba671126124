FOUND = {
    "the same in each fold": '''
import tensorflow as tf
def build_model():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8)])
    model.compile("adam", "mse")
    return model
for train, test in folds:
    model = build_model()  # <-
    model.fit(x[train], y[train])
''',
    "an application": '''
from tensorflow.keras.applications import ResNet50
for image in images:
    net = ResNet50(weights="imagenet")  # <-
    print(net.predict(image))
''',
    "loaded for every request": '''
import keras
def answer(request):
    model = keras.models.load_model("model.keras")  # <-
    return model.predict(request)
for request in requests:
    print(answer(request))
''',
    "the same seed": '''
import keras
def run(data, seed):
    keras.utils.set_random_seed(seed)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(16), keras.layers.Dense(1)])  # <-
    model.fit(data)
for data in folds:
    run(data, 42)
''',
    "by a factory, in an enumerated loop": '''
import tensorflow as tf
from sklearn.model_selection import KFold
def create_model():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
scores = []
for fold, (train, test) in enumerate(KFold(5).split(X)):
    model = create_model()  # <-
    model.fit(X[train], y[train])
    scores.append(model.evaluate(X[test], y[test]))
''',
    "by a factory that only says the counter": '''
import tensorflow as tf
def build(fold):
    print("building for fold", fold)
    model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)], name=f"fold_{fold}")
    model.compile("adam", "mse")
    return model
for fold in range(10):
    model = build(fold)  # <-
    model.fit(x, y)
''',
    "by a factory that ignores the counter": '''
import tensorflow as tf
def build(n):
    model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
for n in range(10):
    model = build(n)  # <-
    model.fit(x, y)
''',
    "by a factory of constants, in a loop over zip": '''
import tensorflow as tf
UNITS = 64
def build(units, rate):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(3,)), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(rate), "mse")
    return model
for train, test in zip(trains, tests):
    model = build(UNITS, rate=1e-3)  # <-
    model.fit(train)
    print(model.evaluate(test))
''',
    "annotated": '''
import keras
for fold in folds:
    model: keras.Model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])  # <-
    model.compile("adam", "mse")
    model.fit(fold)
''',
    "in an expression": '''
import keras
def build():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
for fold in folds:
    (model := build()).compile("adam", "mse")  # <-
    model.fit(fold)
''',
    "beside another value": '''
import keras
def build():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
for fold in folds:
    model, size = build(), len(fold)  # <-
    model.compile("adam", "mse")
    model.fit(fold)
''',
    "never named, in a comprehension": '''
import keras
def build():
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("adam", "mse")
    return model
losses = [build().fit(x[t], y[t]).history["loss"][-1] for t, v in folds]  # <-
''',
    "never named, in a loop": '''
import keras
for path, label in zip(paths, labels):
    print(label, keras.applications.ResNet50().predict(path))  # <-
''',
    "loaded in a loop that is left on a condition": '''
import keras
while True:
    model = keras.models.load_model("m.keras")  # <-
    data = get()
    if data is None:
        break
    print(model.predict(data))
''',
    "compiled in each round": '''
import keras
model = keras.Sequential([keras.layers.Dense(4)])
for epoch, (x, y) in enumerate(zip(xs, ys)):
    model.compile(optimizer="adam", loss="mse")  # <-
    model.fit(x, y, epochs=1)
''',
    "weights of another": '''
import keras
def build():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
server = build()
for rnd in range(10):
    updates = []
    for client in clients:
        local = build()  # <-
        local.compile("sgd", "mse")
        local.set_weights(server.get_weights())
        local.fit(client)
        updates.append(local.get_weights())
''',
    "keras as K": '''
from tensorflow import keras as K
for fold in folds:
    model = K.models.Sequential([K.Input((3,)), K.layers.Dense(4)])  # <-
    model.compile("adam", "mse")
    model.fit(fold)
''',
    "given up at the end": '''
import gc
import keras
for fold in folds:
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])  # <-
    model.compile("adam", "mse")
    model.fit(fold)
    del model
    gc.collect()
''',
    "begun anew in a while": '''
import keras
def build():
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
pool = load()
while len(pool) > 100:
    model = build()  # <-
    model.fit(labelled)
    pool = pool[model.predict(pool).argsort()[10:]]
''',
    "in a function that is awaited": '''
import asyncio
import keras
async def score(x):
    model = keras.models.load_model("m.keras")  # <-
    return model.predict(x)
async def main(xs):
    for x in xs:
        print(await score(x))
asyncio.run(main(data))
''',
    "saved by class": '''
import keras
def make():
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("adam", "mse")
    return model
for label in labels:
    model = make()  # <-
    model.fit(x[label], y[label])
    model.save(f"{label}.keras")
''',
    "other weights in each round": '''
import keras
def make():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
for checkpoint in checkpoints:
    model = make()  # <-
    model.load_weights(checkpoint)
    print(model.evaluate(x, y))
''',
    "clone in each fold": '''
import keras
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
for train, test in folds:
    clone = keras.models.clone_model(model)  # <-
    clone.compile("adam", "mse")
    clone.fit(train)
''',
    "by flags of the program": '''
import tensorflow as tf
from absl import flags, app
FLAGS = flags.FLAGS
def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(FLAGS.units, input_dim=3)])
    model.compile("adam", "mse")
    return model
def main(_):
    for fold in range(5):
        model = build()  # <-
        model.fit(data(fold))
app.run(main)
''',
    "begun anew in a while, inline": '''
import keras
pool = load()
while len(pool) > 100:
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])  # <-
    model.compile("adam", "mse")
    model.fit(pool)
    pool = pool[model.predict(pool).argsort()[10:]]
''',
    "loaded in a while that reads on": '''
import keras
while (batch := next(stream, None)) is not None:
    model = keras.models.load_model("m.keras")  # <-
    model.predict(batch)
''',
    "after what may fail": '''
import keras
for path in paths:
    try:
        data = read(path)
    except OSError:
        continue
    else:
        model = keras.models.load_model("m.keras")  # <-
        model.predict(data)
''',
    "by a default beside a search": '''
import keras
def build(n=8):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(n)])
    model.compile("adam", "mse")
    return model
for fold in folds:
    model = build()  # <-
    model.fit(fold)
for k in sizes:
    model = build(n=k)
    model.fit(x)
''',
    "a class of the file": '''
import keras
class Net(keras.Model):
    def __init__(self, n):
        super().__init__()
        self.dense = keras.layers.Dense(n)
for fold in folds:
    model = Net(8)  # <-
    model.compile("adam", "mse")
    model.fit(x[fold])
for n in (1, 2, 3):
    model = Net(n)
    model.compile("adam", "mse")
    model.fit(x)
''',
    "rows under other names": '''
import keras
from sklearn.preprocessing import StandardScaler
for train, test in folds:
    x_train, x_test = X[train], X[test, :]
    scaler = StandardScaler().fit(x_train)
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])  # <-
    model.compile("adam", "mse")
    model.fit(scaler.transform(x_train), y[train], validation_data=(scaler.transform(x_test), y[test]))
''',
    "rows of a table": '''
import keras
import pandas as pd
table = pd.read_csv("a.csv")
for train, test in folds:
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])  # <-
    model.compile("adam", "mse")
    model.fit(table.iloc[train].values, y.loc[train])
''',
    "rows given to a function": '''
import keras
def run(x, y):
    model = keras.Sequential([keras.layers.Dense(1)])  # <-
    model.compile("adam", "mse")
    model.fit(x, y)
for train, test in folds:
    run(X[train], y=y[train])
''',
    "in batches of the round's rows": '''
import keras
import tensorflow as tf
for train, test in folds:
    model = keras.Sequential([keras.layers.Dense(1)])  # <-
    model.compile("adam", "mse")
    data = tf.data.Dataset.from_tensor_slices((X[train], y[train])).shuffle(100).batch(8)
    for xb, yb in data:
        model.train_on_batch(xb, yb)
''',
    "left on a condition that the model has no part in": '''
import keras
for trial in range(100):
    model = keras.Sequential([keras.layers.Dense(1)])  # <-
    model.compile("adam", "mse")
    model.fit(x, y)
    if stop_file.exists():
        break
''',
    "scores of folds, averaged": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
scores = []
for train, test in folds:
    model = build()  # <-
    model.fit(x[train], y[train])
    scores.append(model.evaluate(x[test], y[test]))
print(np.mean(scores), np.std(scores))
''',
    "accuracies of folds, averaged": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
scores = []
for train, test in folds:
    model = build()  # <-
    model.fit(x[train], y[train])
    out = model.predict(x[test])
    scores.append(np.mean(out == y[test]))
print(np.mean(scores))
''',
    "predictions of folds, each for its rows": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
out = np.zeros(9)
for train, test in folds:
    model = build()  # <-
    model.fit(x[train], y[train])
    out[test] = model.predict(x[test])[:, 0]
print(np.mean(out))
''',
    "scores of folds, by a function": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
def run(train, test):
    model = build()  # <-
    model.fit(x[train], y[train])
    return model.evaluate(x[test], y[test])
print(np.mean([run(train, test) for train, test in folds]))
''',
    "losses of a round's batches": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
for run in range(10):
    model = build()  # <-
    losses = []
    for xb, yb in data:
        losses.append(model.train_on_batch(xb, yb))
    print(np.mean(losses))
''',
    "scores of the same weights": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
scores = []
for path in paths:
    model = build()  # <-
    model.load_weights(path)
    scores.append(model.evaluate(x, y))
''',
    "told, and compared with what is wanted": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
for run in range(10):
    model = build()  # <-
    model.fit(x, y)
    if model.evaluate(x, y) > 0.9:
        print(run)
''',
    "loaded, and averaged": '''
import keras
import numpy as np
outs = []
for x in data:
    model = keras.models.load_model('m.keras')  # <-
    outs.append(model.predict(x))
print(np.mean(outs))
''',
}
SILENT = {
    "a size that doubles in a while": '''
import keras
n = 8
while n < 1024:
    model = keras.Sequential([keras.layers.Dense(n), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y)
    n = n * 2
''',
    "once": '''
import keras
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
for epoch in range(10):
    model.fit(x, y)
''',
    "sizes that differ": '''
import keras
for units in (8, 16, 32, 64):
    model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "layers added by size": '''
import keras
for units in (8, 16, 32, 64):
    model = keras.Sequential()
    model.add(keras.layers.Dense(units))
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "an ensemble": '''
import keras
members = []
for _ in range(5):
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    members.append(model)
''',
    "cleared": '''
import keras
for fold in folds:
    keras.backend.clear_session()
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "other files": '''
import keras
for path in paths:
    model = keras.models.load_model(path)
    print(model.evaluate(x, y))
''',
    "a search": '''
import keras
def build(trial):
    units = trial.suggest_int("units", 8, 64)
    model = keras.Sequential([keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model
for trial in study:
    model = build(trial)
    model.fit(x, y)
''',
    "a model of another library": '''
import keras
from sklearn.linear_model import LinearRegression
for fold in folds:
    model = LinearRegression()
    model.fit(x, y)
''',
    "other seeds": '''
import keras
for seed in range(5):
    keras.utils.set_random_seed(seed)
    model = keras.Sequential([keras.layers.Dense(16), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
def run(seed):
    keras.utils.set_random_seed(seed)
    model = keras.Sequential([keras.layers.Dense(16), keras.layers.Dense(1)])
    model.fit(x, y)
for seed in range(5):
    run(seed)
''',
    "a search by a factory": '''
import tensorflow as tf
def build(n, rate=0.1):
    model = tf.keras.Sequential([tf.keras.layers.Dense(n), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(rate), "mse")
    return model
best = None
for n in [8, 16, 32, 64]:
    model = build(n)
    history = model.fit(x, y, verbose=0)
    if best is None or history.history["loss"][-1] < best:
        best = history.history["loss"][-1]
''',
    "a search by what a dictionary holds": '''
import tensorflow as tf
def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
def run(config):
    units = config["units"]
    model = build(units)
    model.fit(x, y)
for config in configs:
    run(config)
''',
    "search by a global": '''
import tensorflow as tf
UNITS = 8
def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(UNITS), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
for UNITS in (8, 16, 32, 64):
    model = build()
    model.fit(x, y)
''',
    "search by a config object": '''
import tensorflow as tf
def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(cfg.units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
for units in (8, 16, 32, 64):
    cfg.units = units
    model = build()
    model.fit(x, y)
''',
    "a random search": '''
import random
import tensorflow as tf
def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
for trial in range(20):
    model = build(random.choice([8, 16, 32]))
    model.fit(x, y)
''',
    "random search in the factory": '''
import numpy as np
import tensorflow as tf
def build():
    units = np.random.randint(8, 64)
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
for trial in range(20):
    model = build()
    model.fit(x, y)
''',
    "random search by a sampler function": '''
import numpy as np
import tensorflow as tf
def sample():
    return {"units": np.random.randint(8, 64)}
def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
for trial in range(20):
    params = sample()
    model = build(**params)
    model.fit(x, y)
''',
    "a search by an object each": '''
import tensorflow as tf
class Trainer:
    def __init__(self, units):
        self.units = units
    def build(self):
        model = tf.keras.Sequential([tf.keras.layers.Dense(self.units), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        return model
    def train(self):
        model = self.build()
        model.fit(x, y)
for units in (8, 16, 32):
    trainer = Trainer(units)
    trainer.train()
''',
    "a search by an attribute": '''
import tensorflow as tf
class Search:
    def build(self):
        model = tf.keras.Sequential([tf.keras.layers.Dense(self.units), tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        return model
    def one(self):
        model = self.build()
        model.fit(x, y)
        return model.evaluate(x, y)
    def run(self):
        for units in (8, 16, 32):
            self.units = units
            print(self.one())
Search().run()
''',
    "models in a dictionary": '''
import keras
def build(n):
    return keras.Sequential([keras.layers.Dense(n)])
models = {n: build(n) for n in (4, 8, 16)}
same = [build(4) for _ in range(5)]
''',
    "sizes in a comprehension": '''
import keras
def build(n):
    model = keras.Sequential([keras.layers.Dense(n)])
    model.compile("adam", "mse")
    return model
scores = [build(n).fit(x, y) for n in (4, 8, 16)]
''',
    "tried until it works": '''
import keras
while True:
    try:
        model = keras.models.load_model("m.keras")
        model.predict(x)
        break
    except OSError:
        sleep(1)
''',
    "compiled after more is trained": '''
import keras
model = keras.applications.ResNet50()
for layer in reversed(model.layers):
    layer.trainable = True
    model.compile(optimizer="adam", loss="mse")
    model.fit(x, y, epochs=1)
''',
    "compiled with other rates": '''
import keras
model = keras.Sequential([keras.layers.Dense(4)])
for rate in (1e-2, 1e-3, 1e-4):
    model.compile(keras.optimizers.Adam(rate), "mse")
    model.fit(x, y, epochs=1)
''',
    "compiled where the weights begin anew": '''
import keras
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
first = model.get_weights()
for train, test in folds:
    model.set_weights(first)
    model.compile("adam", "mse")
    model.fit(train)
''',
    "cached factory": '''
import functools
import keras
@functools.lru_cache(maxsize=None)
def model_for(name):
    return keras.models.load_model("m.keras")
def answer(request):
    model = model_for("a")
    return model.predict(request)
for request in requests:
    answer(request)
''',
    "cached by hand": '''
import keras
_model = None
def get_model():
    global _model
    if _model is None:
        _model = keras.models.load_model("m.keras")
    return _model
for request in requests:
    model = get_model()
    model.predict(request)
''',
    "cached in a dict": '''
import keras
CACHE = {}
def get_model(name):
    if name not in CACHE:
        CACHE[name] = keras.models.load_model("m.keras")
    return CACHE[name]
for request in requests:
    model = get_model("a")
    model.predict(request)
''',
    "cached and given back first": '''
import keras
_models = {}
def get_model(kind):
    model = _models.get(kind)
    if model is not None:
        return model
    model = keras.models.load_model("m.keras")
    _models[kind] = model
    return model
for x in xs:
    m = get_model("a")
    m.predict(x)
''',
    "cleared at the end": '''
from tensorflow.keras import backend as K
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense
for fold in folds:
    model = Sequential([Dense(4)])
    model.compile("adam", "mse")
    model.fit(fold)
    K.clear_session()
''',
    "kinds by a match": '''
import keras
for kind in kinds:
    match kind:
        case "small":
            model = keras.Sequential([keras.layers.Dense(4)])
        case "large":
            model = keras.Sequential([keras.layers.Dense(400)])
        case _:
            continue
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "itertools product": '''
import itertools
import keras
def build(units, rate):
    model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(rate), "mse")
    return model
for units, rate in itertools.product([8, 16], [1e-2, 1e-3]):
    model = build(units, rate)
    model.fit(x, y)
for params in [dict(units=8, rate=1e-2), dict(units=9, rate=1e-3), dict(units=9, rate=1e-3)]:
    model = build(**params)
    model.fit(x, y)
''',
    "a search by partial functions": '''
import functools
import keras
def build(units):
    model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
for units in (8, 16, 32):
    make = functools.partial(build, units)
    model = make()
    model.fit(x, y)
for make in (lambda: build(1), lambda: build(2), lambda: build(3)):
    model = make()
    model.fit(x, y)
''',
    "search with early continue": '''
import keras
def build(n):
    return keras.Sequential([keras.layers.Dense(n)])
seen = set()
for config in configs:
    n = config.get("n", 8)
    if n in seen:
        continue
    seen.add(n)
    model = build(n)
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "input shapes that differ": '''
import keras
def build(shape):
    return keras.Sequential([keras.Input(shape), keras.layers.Dense(1)])
for name in names:
    data = load(name)
    model = build(data.shape[1:])
    model.compile("adam", "mse")
    model.fit(data)
''',
    "keras tuner": '''
import keras
import keras_tuner as kt
def build(hp):
    model = keras.Sequential([keras.layers.Dense(hp.Int("units", 8, 64))])
    model.compile("adam", "mse")
    return model
tuner = kt.RandomSearch(build)
tuner.search(x, y)
for hp in tuner.get_best_hyperparameters(5):
    model = build(hp)
    model.fit(x, y)
''',
    "made in the first round": '''
import keras
for epoch in range(10):
    if epoch == 0:
        model = keras.Sequential([keras.layers.Dense(4)])
        model.compile("adam", "mse")
    model.fit(x, y)
''',
    "resume or build": '''
import os
import keras
for stage in stages:
    if os.path.exists(path):
        model = keras.models.load_model(path)
    else:
        model = keras.Sequential([keras.layers.Dense(4)])
        model.compile("adam", "mse")
    model.fit(stage)
    model.save(path)
''',
    "saved and loaded each round": '''
import keras
for stage in stages:
    model = keras.models.load_model("m.keras")
    model.fit(stage)
    model.save("m.keras")
''',
    "kept by class": '''
import keras
def make():
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("adam", "mse")
    return model
ensemble = {}
for label in labels:
    model = make()
    model.fit(x[label], y[label])
    ensemble[label] = model
''',
    "architectures by name": '''
import keras
for name in ("ResNet50", "VGG16", "MobileNet"):
    model = getattr(keras.applications, name)()
    model.predict(x)
''',
    "architectures from a list": '''
import keras
from keras.applications import ResNet50, VGG16, MobileNet
for build in [ResNet50, VGG16, MobileNet]:
    model = build(weights=None)
    model.predict(x)
''',
    "compiled with another optimizer": '''
import keras
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4)])
for name in ("adam", "sgd", "rmsprop"):
    clone = keras.models.clone_model(model)
    clone.compile(name, "mse")
    clone.fit(x, y)
''',
    "dropout by closure": '''
import keras
def make_builder(rate):
    def build():
        model = keras.Sequential([keras.layers.Dropout(rate), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        return model
    return build
for rate in (0.1, 0.2, 0.3):
    build = make_builder(rate)
    model = build()
    model.fit(x, y)
''',
    "closure defined in the loop": '''
import keras
for rate in (0.1, 0.2, 0.3):
    def build():
        model = keras.Sequential([keras.layers.Dropout(rate), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        return model
    model = build()
    model.fit(x, y)
''',
    "settings by a key": '''
import keras
config = {"units": 3}
def build():
    model = keras.Sequential([keras.layers.Dense(config["units"])])
    model.compile("adam", "mse")
    return model
for n in (1, 2, 3):
    config["units"] = n
    model = build()
    model.fit(x, y)
''',
    "settings by a method": '''
import keras
config = {}
def build():
    model = keras.Sequential([keras.layers.Dense(config["units"])])
    model.compile("adam", "mse")
    return model
for params in grid:
    config.update(params)
    model = build()
    model.fit(x, y)
''',
    "global set by a function": '''
import keras
UNITS = 3
def set_units(n):
    global UNITS
    UNITS = n
def build():
    model = keras.Sequential([keras.layers.Dense(UNITS)])
    model.compile("adam", "mse")
    return model
for n in (1, 2, 3):
    set_units(n)
    model = build()
    model.fit(x, y)
''',
    "a network that grows": '''
import keras
layers = []
def build():
    model = keras.Sequential([*layers, keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model
for n in (1, 2, 3):
    layers.append(keras.layers.Dense(n))
    model = build()
    model.fit(x, y)
''',
    "rounds of neural architecture search": '''
import keras
def build(arch):
    model = keras.Sequential([keras.layers.Dense(n) for n in arch])
    model.compile("adam", "mse")
    return model
controller = Controller()
for step in range(100):
    arch = controller.next()
    model = build(arch)
    controller.tell(model.fit(x, y))
''',
    "members of a population": '''
import keras
class Member:
    def __init__(self, rate):
        self.rate = rate
    def model(self):
        model = keras.Sequential([keras.layers.Dense(3)])
        model.compile(keras.optimizers.Adam(self.rate), "mse")
        return model
    def train(self):
        model = self.model()
        model.fit(x, y)
members = [Member(r) for r in rates]
for generation in range(10):
    for member in members:
        member.train()
''',
    "a search in a search": '''
import keras
def search(depths, widths):
    results = {}
    for depth in depths:
        for width in widths:
            model = keras.Sequential()
            for _ in range(depth):
                model.add(keras.layers.Dense(width))
            model.compile("adam", "mse")
            results[depth, width] = model.fit(x, y)
    return results
''',
    "other depths": '''
import keras
for depth in (1, 2, 3, 4):
    model = keras.Sequential()
    for _ in range(depth):
        model.add(keras.layers.Dense(8))
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "other layers under a condition": '''
import keras
for use_bn in (True, False, None):
    model = keras.Sequential()
    model.add(keras.layers.Dense(8))
    if use_bn:
        model.add(keras.layers.BatchNormalization())
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "compile with a loss each": '''
import keras
for loss in ("mse", "mae", "huber"):
    model = keras.Sequential([keras.layers.Dense(8)])
    model.compile("adam", loss)
    model.fit(x, y)
''',
    "only learning rate differs": '''
import keras
def build():
    return keras.Sequential([keras.layers.Dense(8)])
for rate in (0.1, 0.2, 0.3):
    model = build()
    model.compile(keras.optimizers.Adam(rate), "mse")
    model.fit(x, y)
''',
    "parts of a model": '''
import tensorflow as tf
x = inputs
for filters in (64, 128, 256):
    down = tf.keras.Sequential([tf.keras.layers.Conv2D(filters, 3)])
    x = down(x)
''',
    "cleared by a function": '''
import gc
import keras
def reset():
    keras.backend.clear_session()
    gc.collect()
for fold in folds:
    reset()
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("adam", "mse")
    model.fit(fold)
''',
    "cleared by the factory": '''
import tensorflow as tf
def build():
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
    model.compile("adam", "mse")
    return model
for fold in folds:
    model = build()
    model.fit(fold)
''',
    "one in each process": '''
import keras
from multiprocessing import Process
def work(part):
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("adam", "mse")
    model.fit(part)
for part in parts:
    Process(target=work, args=(part,)).start()
''',
    "tried again": '''
import keras
for attempt in range(5):
    try:
        model = keras.models.load_model("m.keras")
        model.predict(x)
    except OSError:
        continue
    break
''',
    "returned in the first round": '''
import keras
def first(paths):
    for path in paths:
        model = keras.models.load_model("m.keras")
        if model.predict(path) > 0:
            pass
        return model
''',
    "a search in a function": '''
import keras
def outer(x):
    def inner(n):
        model = keras.Sequential([keras.layers.Dense(n)])
        model.compile("adam", "mse")
        model.fit(x)
    for n in (1, 2, 3):
        inner(n)
outer(data)
''',
    "a search by unpacked arguments": '''
import keras
def build(*sizes, **options):
    model = keras.Sequential([keras.layers.Dense(n) for n in sizes])
    model.compile(**options)
    return model
for sizes in grids:
    model = build(*sizes)
    model.fit(x)
for options in grids:
    model = build(1, **options)
    model.fit(x)
''',
    "a search by methods of a class": '''
import keras
class Factory:
    @staticmethod
    def build(n):
        model = keras.Sequential([keras.layers.Dense(n)])
        model.compile("adam", "mse")
        return model
    @classmethod
    def make(cls, n):
        return cls.build(n)
for n in (1, 2, 3):
    model = Factory.build(n)
    model.fit(x)
    other = Factory.make(n)
    other.fit(x)
''',
    "compiled after a function unfreezes": '''
import keras
model = keras.applications.ResNet50()
def unfreeze(n):
    for layer in model.layers[-n:]:
        layer.trainable = True
for n in (1, 2, 3):
    unfreeze(n)
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "the best one under another name": '''
import keras
best = 1e9
for trial in range(5):
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    loss = model.fit(x, y).history["loss"][-1]
    if loss < best:
        best = loss
        best_model = model
''',
    "the best one in a tuple": '''
import keras
best = None
for trial in range(5):
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    h = model.fit(x, y)
    if best is None or h.history["loss"][-1] < best[0]:
        best = (h.history["loss"][-1], model)
''',
    "the best one by a condition": '''
import keras
best_model = None
for trial in range(5):
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.fit(x, y)
    best_model = model if better(model, best_model) else best_model
''',
    "kept on a heap": '''
import heapq
import keras
heap = []
for trial in range(5):
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    loss = model.fit(x, y).history["loss"][-1]
    heapq.heappush(heap, (loss, trial, model))
''',
    "added to a list": '''
import keras
models = []
for trial in range(5):
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.fit(x, y)
    models += [model]
''',
    "kept by its name": '''
import keras
kept = {}
for trial in range(5):
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.fit(x, y)
    kept.update(last=model)
''',
    "tried until it is good": '''
import keras
import numpy as np
for attempt in range(10):
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    h = model.fit(x, y)
    if not np.isnan(h.history["loss"][-1]):
        break
''',
    "tried until a function says that it is good": '''
import keras
def attempt():
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    return float(model.evaluate(x, y))
def first_good():
    for _ in range(10):
        loss = attempt()
        if loss < 0.1:
            return loss
first_good()
''',
    "an input that is as wide as the round says": '''
import tensorflow as tf
for n in (4, 8, 16):
    x, y = tf.zeros([9, n]), tf.zeros([9, 1])
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
''',
    "other columns in each round": '''
import keras
for cols in ([0, 1], [0, 1, 2], [3]):
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(X[:, cols], y)
''',
    "other columns of a table": '''
import keras
import pandas as pd
table = pd.read_csv("a.csv")
for names in subsets:
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(table[names], y)
''',
    "data of other sets": '''
import keras
for name in ("mnist", "cifar10"):
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(sets[name], y)
for name, x in sets.items():
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
    model.fit(x, y)
''',
    "data of another width by a function": '''
import keras
import numpy as np
def run(x):
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
for n in (1, 2, 3):
    run(np.zeros((9, n)))
''',
    "a width that grows": '''
import keras
import numpy as np
n = 1
for trial in range(5):
    n = n * 2
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.train_on_batch(np.zeros((9, n)), y)
''',
    "a layer that is fitted to the round's data": '''
import keras
from sklearn.model_selection import KFold
for train, test in KFold(5).split(X):
    norm = keras.layers.Normalization()
    norm.adapt(X[train])
    model = keras.Sequential([norm, keras.layers.Dense(8), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(X[train], y[train])
''',
    "kept by a function of the file": '''
import keras
KEPT = []
def keep(one, kind=None):
    KEPT.append(one)
for trial in range(5):
    model = keras.Sequential([keras.layers.Dense(8)])
    model.fit(x, y)
    keep(model, kind="small")
''',
    "kept by setattr, a registry and a default": '''
import keras
for trial in range(5):
    a = keras.Sequential([keras.layers.Dense(8)])
    a.fit(x, y)
    setattr(holder, "model", a)
    b = keras.Sequential([keras.layers.Dense(8)])
    b.fit(x, y)
    registry.register(b)
    c = keras.Sequential([keras.layers.Dense(8)])
    c.fit(x, y)
    ask.append(lambda x, model=c: model.predict(x))
    d = keras.Sequential([keras.layers.Dense(8)])
    d.fit(x, y)
    ask.append(lambda x: d.predict(x))
''',
    "until it is good, by a while": '''
import keras
loss = 9
while loss > 0.1:
    model = keras.Sequential([keras.layers.Dense(8)])
    model.compile("adam", "mse")
    loss = model.fit(x, y).history["loss"][-1]
''',
    "data by a function of a global": '''
import keras
import numpy as np
def data():
    return np.zeros((3, N))
for N in (1, 2, 3):
    model = keras.Sequential([keras.layers.Dense(8)])
    model.fit(data(), y)
''',
    "predictions that are averaged": '''
import tensorflow as tf, numpy as np
x, y = np.ones((4, 2)), np.ones(4)
preds = []
for _ in range(5):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y)
    preds.append(model.predict(x))
print(np.mean(preds, 0))
''',
    "predictions that are summed": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
total = 0
for _ in range(5):
    model = build()
    model.fit(x, y)
    total += model.predict(x) / 5
''',
    "predictions that are added in words": '''
import keras
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
def mean(x, y):
    total = 0
    for _ in range(5):
        model = build()
        model.fit(x, y)
        total = model.predict(x) + total
    return total / 5
''',
    "predictions in an array": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
votes = np.zeros((5, 9))
for number in range(5):
    model = build()
    model.fit(x, y)
    out = model.predict(x)
    votes[number] = out[:, 0]
''',
    "scores of the same, over again": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
scores = []
for run in range(10):
    model = build()
    history = model.fit(x, y)
    scores.append(history.history['loss'][-1])
print(np.mean(scores), np.std(scores))
''',
    "scores of the same, in batches": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
scores = []
for run in range(10):
    model = build()
    for xb, yb in data:
        model.train_on_batch(xb, yb)
    scores.append(model.evaluate(x_test, y_test))
''',
    "scores of the same, by a function": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
def run():
    model = build()
    model.fit(x, y)
    return model.evaluate(x_test, y_test)
scores = []
for _ in range(10):
    scores.append(run())
''',
    "scores of the same, in a comprehension": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
def run():
    model = build()
    model.fit(x, y)
    return model.evaluate(x_test, y_test)
print(np.mean([run() for _ in range(10)]))
''',
    "scores of the same, by map": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
def run(number):
    model = build()
    model.fit(x, y)
    return model.evaluate(x_test, y_test)
print(np.mean(list(map(run, range(10)))))
''',
    "the best of the same": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
best = 9.0
for run in range(10):
    model = build()
    loss = model.fit(x, y).history['loss'][-1]
    if loss < best:
        best = loss
        model.save('best.keras')
''',
    "the best of the same, by min": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
best = 9.0
for run in range(10):
    model = build()
    model.fit(x, y)
    best = min(best, model.evaluate(x, y))
''',
    "an ensemble over folds": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
preds = []
for train, valid in folds:
    model = build()
    model.fit(X[train], y[train])
    preds.append(model.predict(x_test))
print(np.mean(preds, axis=0))
''',
    "an ensemble over folds, summed": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
total = np.zeros(9)
for train, valid in folds:
    model = build()
    model.fit(X[train], y[train])
    total += model.predict(x_test)[:, 0] / 5
''',
    "an ensemble by a function": '''
import keras
import numpy as np
def build():
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
def run(x, y):
    model = build()
    model.fit(x, y)
    return model(x_test)
preds = [run(X[train], y[train]) for train, valid in folds]
print(np.stack(preds).mean(0))
''',
}
