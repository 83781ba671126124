FOUND = {
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
}
SILENT = {
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
}
