FOUND = {
    "the second batch": '''
import keras
board = keras.callbacks.TensorBoard("logs", profile_batch=2)  # <-
''',
    "a range": '''
import tensorflow as tf
board = tf.keras.callbacks.TensorBoard(log_dir="logs", profile_batch=(1, 5))  # <-
''',
    "a string": '''
from tensorflow.keras.callbacks import TensorBoard
board = TensorBoard(profile_batch="10, 20")  # <-
''',
    "by its place": '''
import keras
cb = keras.callbacks.TensorBoard("logs", 1, True, True, False, "epoch", 2)  # <-
''',
}
SILENT = {
    "where an option says so": '''
import keras
callbacks = []
if args.profile:
    callbacks.append(keras.callbacks.TensorBoard("logs", profile_batch=(5, 10)))
''',
    "none": '''
import keras
board = keras.callbacks.TensorBoard("logs")
''',
    "off": '''
import keras
board = keras.callbacks.TensorBoard("logs", profile_batch=0)
''',
    "late": '''
import keras
board = keras.callbacks.TensorBoard("logs", profile_batch=(500, 520))
''',
    "by an option": '''
import keras
board = keras.callbacks.TensorBoard("logs", profile_batch=args.profile)
''',
    "late, a string": '''
import keras
board = keras.callbacks.TensorBoard("logs", profile_batch="100,120")
''',
    "another callback": '''
import keras
from other import TensorBoard
board = TensorBoard(profile_batch=2)
''',
    "by its place, of another version or late": '''
import keras
a = keras.callbacks.TensorBoard("logs", 1, True, True, "epoch", 0, 2)
b = keras.callbacks.TensorBoard("logs", 1, True, True, False, "epoch", (500, 520))
c = keras.callbacks.TensorBoard(*options, False, "epoch", 2, 3, 4, 5)
''',
}
