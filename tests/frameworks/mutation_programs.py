"""Small programs that, together, pass every place of the frameworks that can be passed on one machine with CPUs alone.

Each is to print the same in every run, and asks for a place by its module where others keep a copy: where these programs run, the
frameworks are imported before a place is changed. What a version does not have is not asked of it: the places of Keras 2 are there
with TensorFlow 2.15 alone.
"""

KERAS = """
import numpy as np, tensorflow as tf
tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, kernel_initializer="orthogonal"), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(), "mse", metrics=["mae"])
print(model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), batch_size=4, verbose=0).history)
print(model.predict(np.ones((2, 4), "float32"), verbose=0).tolist(), model(tf.ones([2, 4])).numpy().tolist())

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    model.optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss

print([float(step(tf.ones([2, 4]))) for _ in range(2)])
"""
LOOP = """
import tensorflow as tf
tf.random.set_seed(1)
w = tf.Variable([1.0, 2.0])

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss

print([float(step(tf.ones([2]))) for _ in range(3)], w.numpy().tolist())
"""
SAVED = """
import os, tempfile
import numpy as np, tensorflow as tf
tf.keras.utils.set_random_seed(1)
folder = tempfile.mkdtemp()
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
for name in ("model.keras", "model.h5"):
    model.save(os.path.join(folder, name))
    loaded = tf.keras.models.load_model(os.path.join(folder, name))
    print(loaded(tf.ones([1, 4])).numpy().tolist())
module = tf.Module()
module.w = tf.Variable(2.0)
module.f = tf.function(lambda x: x * module.w, input_signature=[tf.TensorSpec([], tf.float32)])
tf.saved_model.save(module, os.path.join(folder, "saved"))
loaded = tf.saved_model.load(os.path.join(folder, "saved"))
print(loaded.f(tf.constant(3.0)).numpy())
data = tf.data.Dataset.from_tensor_slices(np.arange(6)).map(lambda x: x + 1).shuffle(4, seed=1).cache().batch(2)
print([one.tolist() for one in data.as_numpy_iterator()])
print(float(tf.function(lambda x: loaded.f(x) + 1.0)(tf.constant(3.0))))
"""
SESSIONS = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train)
    print(session.run(w).tolist())
"""
SAVER = """
import os, tempfile
import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import config_pb2
tf.disable_v2_behavior()
tf.disable_resource_variables()
w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
path = os.path.join(tempfile.mkdtemp(), "w")
graph = tf.Graph()
with graph.as_default():
    imported = tf.constant(2.0, name="two")
tf.import_graph_def(graph.as_graph_def())
with tf.Session() as session:
    session.run(w.initializer)
    saver = tf.train.Saver()
    path = saver.save(session, path)
    session.run(w.assign([5.0, 6.0]))
    saver.restore(session, path)
    call = session._make_callable_from_options(config_pb2.CallableOptions(fetch=["w:0"]))
    print([one.tolist() for one in call()])
print(tf.train.NewCheckpointReader(path).get_tensor("w").tolist())
"""
INITIALISERS = """
import tensorflow as tf
from tensorflow.python.ops import init_ops_v2
tf.keras.utils.set_random_seed(1)
for module in (init_ops_v2, tf.keras.initializers):
    for name, arguments in (("Zeros", {}), ("Ones", {}), ("Constant", {"value": 2.0}), ("Identity", {}), ("Orthogonal", {"seed": 1}),
                            ("RandomNormal", {"seed": 1}), ("RandomUniform", {"seed": 1}), ("TruncatedNormal", {"seed": 1}),
                            ("VarianceScaling", {"seed": 1})):
        print(name, tf.convert_to_tensor(getattr(module, name)(**arguments)((2, 2), dtype="float32")).numpy().tolist())
"""
OPTIMIZERS = """
import tensorflow as tf
keras, is_keras_2 = tf.keras.optimizers, tf.__version__ < "2.16"
names = "SGD RMSprop Adam AdamW Adagrad Adadelta Adamax Adafactor Ftrl Lion Nadam".split()
for kind in [getattr(keras, name) for name in names] + ([keras.legacy.Adam] if is_keras_2 else []):
    w, optimizer = tf.Variable([[1.0, 2.0], [3.0, 4.0]]), kind()
    if hasattr(optimizer, "build"):
        optimizer.build([w])
    optimizer.apply_gradients([(tf.ones([2, 2]), w)])
    print(kind.__name__, w.numpy().tolist())
scaled = tf.keras.mixed_precision.LossScaleOptimizer
for inner in [keras.SGD] + ([keras.legacy.SGD] if is_keras_2 else []):
    w, optimizer = tf.Variable([1.0]), scaled(inner())
    optimizer.apply_gradients([(tf.ones([1]), w)])
    print(w.numpy().tolist())
"""
BATCHES = """
import os, tempfile
import numpy as np, tensorflow as tf
tf.keras.utils.set_random_seed(1)
x, y = np.ones((4, 4), "float32"), np.ones((4, 1), "float32")
layers = lambda: [tf.keras.layers.Dense(2, name="a"), tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(1, name="b")]
model = tf.keras.Sequential(layers())
model.compile(tf.keras.optimizers.SGD(), "mse", metrics=["mae"], run_eagerly=False)
print(np.array(model.train_on_batch(x, y)).tolist(), np.array(model.test_on_batch(x, y)).tolist())
print(model.predict_on_batch(x).tolist(), np.array(model.evaluate(x, y, batch_size=2, verbose=0)).tolist())
model.set_weights([one * 0 + 1 for one in model.get_weights()])
path = os.path.join(tempfile.mkdtemp(), "model.weights.h5")
model.save_weights(path)
model.load_weights(path)
print(model.predict(x, batch_size=2, verbose=0).tolist())
fresh = tf.keras.Sequential(layers())
fresh.compile("sgd", "mse", metrics=["mae"])
print(sorted(fresh.fit(x, y, batch_size=2, verbose=0).history))
"""
FILES = """
import os, sys, tempfile
import h5py, numpy as np, tensorflow as tf
folder = tempfile.mkdtemp()
with h5py.File(os.path.join(folder, "x.h5"), "w") as file:
    file["x"] = np.arange(4.0)
with h5py.File(os.path.join(folder, "x.h5"), "r") as file:
    read = np.zeros(4)
    file["x"].read_direct(read)
    print(file["x"][:].tolist(), read.tolist())
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1, name="d")])
path = os.path.join(folder, "old.h5")
model.save_weights(path) if tf.__version__ < "2.16" else model.save(path)
try:
    model.load_weights(path, by_name=True)
except ValueError as error:
    print("by_name", type(error).__name__)
if tf.__version__ < "2.16":
    model.save(os.path.join(folder, "m"), save_format="tf")
    print(len(tf.keras.models.load_model(os.path.join(folder, "m")).layers))
model.save(os.path.join(folder, "m.keras"))
print(sys.modules["keras.src.saving.saving_api"].load_model(os.path.join(folder, "m.keras")).count_params())
checkpoint = tf.train.Checkpoint(w=tf.Variable(3.0))
saved = checkpoint.save(os.path.join(folder, "c"))
checkpoint.w.assign(4.0)
checkpoint.restore(saved)
print(checkpoint.w.numpy(), sorted(tf.train.load_checkpoint(saved).get_variable_to_shape_map())[:1])
"""
ITERATORS = """
import tensorflow as tf
from tensorflow.python.ops import resource_variable_ops
iterator = iter(tf.data.Dataset.from_tensors([1, 2, 3]))
print(iterator.get_next_as_optional().get_value().numpy().tolist(), bool(iterator.get_next_as_optional().has_value()))
w = tf.Variable([1.0, 2.0])
w.assign_add([1.0, 1.0])
w.assign_sub([0.5, 0.5])
resource_variable_ops.BaseResourceVariable.assign_sub(w, [0.5, 0.5])
w.assign(w * 2.0)
row = tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]))
for change in (w.scatter_add, w.scatter_sub, w.scatter_update):
    change(row)
for change in (w.scatter_nd_add, w.scatter_nd_sub, w.scatter_nd_update):
    change([[0]], [3.0])
tf.Variable([[1.0, 2.0]]).batch_scatter_update(tf.IndexedSlices(tf.constant([[9.0]]), tf.constant([[1]])))
w[:1].assign([7.0])
print(w.numpy().tolist())

@tf.function
def f(x):
    return x + 1.0

f(tf.ones([2]))
f(1.0)
print(len(f._list_all_concrete_functions()), float(f.get_concrete_function(tf.TensorSpec([], tf.float32))(tf.constant(1.0))))
graph = tf.function(lambda x: tf.gradients(x * x, x)[0])
print(float(graph(tf.constant(3.0))))

@tf.RegisterGradient("OfAProgram")
def gradient(operation, value):
    return value

try:
    f("a text")
except Exception as error:
    print(type(error).__name__)
try:
    tf.keras.layers.Dense(2)(tf.ones([2, 2]), no_such_argument=1)
except Exception as error:
    print(type(error).__name__)
"""
SEEDS = """
import numpy as np, tensorflow as tf
np.random.seed(1)
given = tf.keras.Input((2,))
model = tf.keras.Model(given, tf.keras.layers.Dropout(0.5)(given))
print(tf.shape(model(tf.ones([2, 2]), training=True)).numpy().tolist())
if hasattr(tf.keras, "random"):
    tf.keras.utils.set_random_seed(1)
    print(np.array(tf.keras.random.normal((2,))).tolist())
    from keras.src.backend.common.stateless_scope import StatelessScope
    from keras.src import backend
    with StatelessScope():
        later = backend.Variable(initializer=lambda shape, dtype: tf.ones(shape, dtype), shape=(2,))
    print(np.array(later).tolist())
"""
DEVICES = """
import tensorflow as tf
from tensorflow.python.client import device_lib
from tensorflow.python.framework import test_util
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_visible_devices([cpu], "CPU")
try:
    tf.config.experimental.set_memory_growth(cpu, True)
except ValueError as error:
    print(error)
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
with strategy.scope():
    w = tf.Variable([1.0, 2.0])
print(strategy.num_replicas_in_sync, strategy.reduce("SUM", strategy.run(lambda: w * 2.0), axis=None).numpy().tolist())
print(test_util.is_gpu_available(), [one.device_type for one in device_lib.list_local_devices()])
with tf.distribute.OneDeviceStrategy("CPU:0").scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")
print(model.fit(tf.ones([4, 2]), tf.ones([4, 1]), batch_size=4, verbose=0).history)
"""
LIBRARIES = """
from tensorflow.python.framework import load_library
for load in (load_library.load_op_library, load_library.load_library, load_library.load_pluggable_device_library):
    try:
        load("/nowhere/at_all.so")
    except Exception as error:
        print(type(error).__name__)
"""
PROFILE = """
import tempfile
import tensorflow as tf
from tensorflow.python.profiler import profiler_v2
profiler_v2.start(tempfile.mkdtemp())
print(tf.reduce_sum(tf.ones([2])).numpy())
profiler_v2.stop(save=False)
"""
LITE = """
import tensorflow as tf
module = tf.Module()
module.f = tf.function(lambda x: {"y": x * 2.0}, input_signature=[tf.TensorSpec([2], tf.float32, name="x")])
converter = tf.lite.TFLiteConverter.from_concrete_functions([module.f.get_concrete_function()], module)
interpreter = tf.lite.Interpreter(model_content=converter.convert())
interpreter.allocate_tensors()
interpreter.set_tensor(interpreter.get_input_details()[0]["index"], tf.ones([2]).numpy())
interpreter.invoke()
print(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).tolist())
print(interpreter.get_signature_runner()(x=tf.ones([2]).numpy())["y"].tolist())
"""
CLUSTER = """
import json, os, socket
import tensorflow as tf

def free():
    with socket.socket() as one:
        one.bind(("localhost", 0))
        return f"localhost:{one.getsockname()[1]}"

server = tf.distribute.Server({"worker": [free()]}, job_name="worker", task_index=0, start=True)
print(server.target.partition(":")[0])
os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": [free()]}, "task": {"type": "worker", "index": 0}})
print(tf.distribute.MultiWorkerMirroredStrategy().num_replicas_in_sync)
try:
    tf.tpu.experimental.initialize_tpu_system()
except Exception as error:
    print(type(error).__name__)
"""
PARAMETERS = """
import json, os, socket
import tensorflow as tf
from tensorflow.python.eager import remote

def free():
    with socket.socket() as one:
        one.bind(("localhost", 0))
        return f"localhost:{one.getsockname()[1]}"

cluster = {"worker": [free()], "ps": [free()]}
servers = [tf.distribute.Server(cluster, job_name=job, task_index=0) for job in cluster]
resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(tf.train.ClusterSpec(cluster), rpc_layer="grpc")
strategy = tf.distribute.experimental.ParameterServerStrategy(resolver)
with strategy.scope():
    w = tf.Variable([1.0, 2.0])
print(w.numpy().tolist(), flush=True)
"""
# In the order in which they are tried: a remedy's first in what is learned, the others by how long they take.
ASYNCHRONOUS = """
import tensorflow as tf
tf.config.experimental.set_synchronous_execution(False)
w = tf.Variable([1.0, 2.0])
w.assign_add([1.0, 1.0])
print(w.numpy().tolist())
"""
PROGRAMS = (LOOP, ASYNCHRONOUS, SESSIONS, SEEDS, ITERATORS, LIBRARIES, PROFILE, LITE, SAVER, OPTIMIZERS, INITIALISERS, SAVED, FILES, KERAS,
            DEVICES, CLUSTER, PARAMETERS, BATCHES)
