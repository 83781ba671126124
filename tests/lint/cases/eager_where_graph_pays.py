FOUND = {
    "by a function that the program calls": '''
import keras
def compiled():
    model.compile("adam", "mse", run_eagerly=True)  # <-
def main():
    compiled()
if __name__ == "__main__":
    main()
''',
    "compiled so by the program itself, with another model beside": '''
import keras
if __name__ == "__main__":
    model.compile("adam", "mse", run_eagerly=True)  # <-
    other.compile("adam", "mse")
''',
    "compile": '''
import keras
model.compile("adam", "mse", run_eagerly=True)  # <-
''',
    "everywhere": '''
import tensorflow as tf
tf.config.run_functions_eagerly(True)  # <-
model.fit(x, y)
''',
    "by its old name": '''
from tensorflow import config
config.experimental_run_functions_eagerly(True)  # <-
''',
    "by the model's attribute": '''
import keras
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.run_eagerly = True  # <-
model.fit(x, y)
''',
    "by an attribute of a model that an object keeps": '''
import keras
class Trainer:
    def train(self):
        self.model.compile("adam", "mse")
        self.model.run_eagerly = True  # <-
        self.model.fit(x, y)
''',
}
SILENT = {
    "by a function that an option calls": '''
import keras
import tensorflow as tf
def look_into():
    tf.config.run_functions_eagerly(True)
def compiled():
    model.compile("adam", "mse", run_eagerly=True)
if args.debug:
    look_into()
    compiled()
''',
    "compiled so where an option says so": '''
import keras
if args.debug:
    model.compile("adam", "mse", run_eagerly=True)
else:
    model.compile("sgd", "mse", run_eagerly=True)
''',
    "compiled so to look, and then without": '''
import keras
model.compile("adam", "mse", run_eagerly=True)
model.fit(x[:1], y[:1])
model.compile("adam", "mse")
model.fit(x, y)
''',
    "off": '''
import keras
model.compile("adam", "mse", run_eagerly=False)
''',
    "by an option": '''
import keras
model.compile("adam", "mse", run_eagerly=args.debug)
''',
    "switched off again": '''
import tensorflow as tf
tf.config.run_functions_eagerly(True)
look()
tf.config.run_functions_eagerly(False)
''',
    "where an option says so": '''
import tensorflow as tf
if args.debug:
    tf.config.run_functions_eagerly(True)
model.fit(x, y)
''',
    "by default": '''
import keras
model.compile("adam", "mse")
''',
    "in a comment": '''
import keras
# model.compile("adam", "mse", run_eagerly=True)
model.compile("adam", "mse")
''',
    "another's": '''
import keras
settings = dict(run_eagerly=True)
''',
    "an attribute of something else": '''
import keras
settings.run_eagerly = True
model.compile("adam", "mse", run_eagerly=settings.run_eagerly)
''',
    "an attribute that is switched off again": '''
import keras
model.compile("adam", "mse")
model.run_eagerly = True
model.fit(x[:1], y[:1])
model.run_eagerly = False
model.fit(x, y)
''',
    "an attribute by an option": '''
import keras
model.run_eagerly = args.debug
other.run_eagerly = True
model.compile("adam", "mse")
if args.debug:
    model.run_eagerly = True
''',
}
