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
}
SILENT = {
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
}
