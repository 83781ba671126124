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
    model = keras.Sequential([keras.layers.Dense(16), keras.layers.Dense(1)])  # <-
    model.fit(data)
for data in folds:
    run(data, 42)
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
}
