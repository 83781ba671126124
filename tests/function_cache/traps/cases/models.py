"""Keras models: what decides a training step and stands in no config, or in one that changed."""

import keras
import numpy as np
import tensorflow as tf

from cases import pick

R = np.random.RandomState(0)
FEATURES = R.rand(24, 6).astype("float32")
LABELS = R.randint(0, 3, 24)
TARGETS = R.rand(24, 3).astype("float32")


def _dense_model(**options):
    return keras.Sequential([keras.Input((6,)), keras.layers.Dense(8, activation="relu", **options), keras.layers.Dense(3)])


def _fitted(model, x=FEATURES, y=LABELS, **options):
    history = model.fit(x, y, batch_size=8, epochs=2, verbose=0, shuffle=False, **options)
    return [*model.get_weights(), *[np.array(v) for v in history.history.values()]]


def _cross_entropy(**options):
    return keras.losses.SparseCategoricalCrossentropy(from_logits=True, **options)


class Scaled(keras.layers.Layer):
    def __init__(self, scale=1.0):
        super().__init__()
        self.scale = scale
        self.dense = keras.layers.Dense(3)

    def build(self, shape):
        self.dense.build(shape)
        self.built = True

    def call(self, x):
        return self.dense(x) * self.scale


def _model_of(layer):
    return keras.Sequential([keras.Input((6,)), layer])


def attribute_outside_any_config():
    layer = Scaled()
    model = _model_of(layer)
    layer.scale = pick(1.5, 2.5)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def layer_method_replaced_on_the_instance():
    layer = Scaled()
    if pick(False, True):
        plain = layer.call
        layer.call = lambda x: plain(x) * 2.0
    model = _model_of(layer)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def loss_lambda():
    model = _dense_model()
    model.compile("sgd", pick(lambda y, p: tf.reduce_mean((y - p) ** 2), lambda y, p: tf.reduce_mean(abs(y - p))))
    return _fitted(model, y=TARGETS)


def global_of_a_loss_function():
    global MARGIN
    MARGIN = pick(0.1, 0.2)

    def loss(y, p):
        return tf.reduce_mean(tf.maximum(abs(y - p) - MARGIN, 0.0))

    model = _dense_model()
    model.compile("sgd", loss)
    return _fitted(model, y=TARGETS)


MARGIN = 0.0


def optimizer_attribute_after_compile():
    model = _dense_model()
    model.compile(keras.optimizers.Adam(0.01), _cross_entropy())
    model.optimizer.beta_1 = pick(0.9, 0.5)
    return _fitted(model)


def gradient_clipping_after_compile():
    model = _dense_model()
    model.compile(keras.optimizers.SGD(0.1), _cross_entropy())
    model.optimizer.clipvalue = pick(None, 0.001)
    return _fitted(model)


def layer_frozen_after_compile():
    model = _dense_model()
    model.compile("sgd", _cross_entropy())
    model.layers[0].trainable = pick(True, False)
    return _fitted(model)


def layer_frozen_between_fits():
    model = _dense_model()
    model.compile("sgd", _cross_entropy())
    first = _fitted(model)
    if pick(False, True):
        model.layers[0].trainable = False
        model.compile("sgd", _cross_entropy())
    return [*first, *_fitted(model)]


def dropout_rate_changed():
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dropout(0.1, seed=3), keras.layers.Dense(3)])
    model.layers[0].rate = pick(0.1, 0.6)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def regulariser_factor_changed():
    model = _dense_model(kernel_regularizer=keras.regularizers.L2(0.01))
    model.layers[0].kernel_regularizer.l2 = pick(0.01, 0.5)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def initializer_constant():
    layer = keras.layers.Dense(3, kernel_initializer=keras.initializers.Constant(pick(0.1, 0.2)))
    model = keras.Sequential([keras.Input((6,)), layer])
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def activation_replaced():
    model = _dense_model()
    model.layers[0].activation = pick(keras.activations.relu, keras.activations.tanh)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def number_in_a_functional_model():
    inputs = keras.Input((6,))
    outputs = keras.layers.Dense(3)(inputs * pick(1.5, 2.5) + 1.0)
    model = keras.Model(inputs, outputs)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def initializer_called_inside():
    initializer = keras.initializers.RandomNormal(seed=pick(3, 4))

    class Layer(keras.layers.Layer):
        def call(self, x):
            return x + initializer((1, 6))

    model = keras.Sequential([keras.Input((6,)), Layer(), keras.layers.Dense(3)])
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def activation_lambda():
    model = keras.Sequential([keras.Input((6,)), keras.layers.Activation(pick(lambda x: x * 1.5, lambda x: x * 2.5)), keras.layers.Dense(3)])
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def lambda_layer():
    factor = pick(1.5, 2.5)
    model = keras.Sequential([keras.Input((6,)), keras.layers.Lambda(lambda x: x * factor), keras.layers.Dense(3)])
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def learning_rate_schedule():
    schedule = keras.optimizers.schedules.ExponentialDecay(0.1, 2, pick(0.9, 0.5))
    model = _dense_model()
    model.compile(keras.optimizers.SGD(schedule), _cross_entropy())
    return _fitted(model)


def schedule_attribute_changed():
    schedule = keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.9)
    model = _dense_model()
    model.compile(keras.optimizers.SGD(schedule), _cross_entropy())
    schedule.decay_rate = pick(0.9, 0.5)
    return _fitted(model)


def loss_reduction():
    model = _dense_model()
    model.compile("sgd", _cross_entropy(reduction=pick("sum_over_batch_size", "sum")))
    return _fitted(model)


def loss_attribute_changed():
    loss = keras.losses.Huber(delta=1.0)
    loss._fn_kwargs["delta"] = pick(1.0, 0.01)
    model = _dense_model()
    model.compile("sgd", loss)
    return _fitted(model, y=TARGETS)


def metrics_list():
    model = _dense_model()
    model.compile("sgd", _cross_entropy(), metrics=pick(["accuracy"], ["accuracy", keras.metrics.SparseTopKCategoricalAccuracy(2)]))
    return _fitted(model)


def metric_attribute_changed():
    metric = keras.metrics.SparseTopKCategoricalAccuracy(1)
    metric._fn_kwargs["k"] = pick(1, 2)
    model = _dense_model()
    model.compile("sgd", _cross_entropy(), metrics=[metric])
    return _fitted(model)


def sample_weights():
    model = _dense_model()
    model.compile("sgd", _cross_entropy())
    weights = np.linspace(0.1, 1.0, 24).astype("float32")
    return _fitted(model, sample_weight=pick(None, weights))


def class_weights():
    model = _dense_model()
    model.compile("sgd", _cross_entropy())
    return _fitted(model, class_weight=pick({0: 1.0, 1: 1.0, 2: 1.0}, {0: 1.0, 1: 5.0, 2: 1.0}))


def loss_weights():
    inputs = keras.Input((6,))
    model = keras.Model(inputs, [keras.layers.Dense(3, name="a")(inputs), keras.layers.Dense(3, name="b")(inputs)])
    model.compile("sgd", ["mse", "mse"], loss_weights=pick([1.0, 1.0], [1.0, 0.1]))
    return _fitted(model, y=[TARGETS, TARGETS])


def layers_reordered():
    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.steps = [keras.layers.Dense(6, activation="tanh"), keras.layers.Dense(6, activation="relu")]
            self.head = keras.layers.Dense(3)

        def call(self, x):
            for step in self.steps:
                x = step(x)
            return self.head(x)

    model = Model()
    model(FEATURES[:1])
    if pick(False, True):
        model.steps.reverse()
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def precision_policy():
    keras.mixed_precision.set_global_policy(pick("float32", "mixed_bfloat16"))
    try:
        model = _dense_model()
        model.compile("sgd", _cross_entropy())
        return _fitted(model)
    finally:
        keras.mixed_precision.set_global_policy("float32")


def epsilon():
    class Layer(keras.layers.Layer):
        def call(self, x):
            return x / (x + keras.config.epsilon())

    keras.config.set_epsilon(pick(1e-7, 1e-2))
    try:
        model = keras.Sequential([keras.Input((6,)), Layer(), keras.layers.Dense(3)])
        model.compile("sgd", _cross_entropy())
        return _fitted(model)
    finally:
        keras.config.set_epsilon(1e-7)


def float_type():
    keras.config.set_floatx(pick("float32", "float64"))
    try:
        model = _dense_model()
        model.compile("sgd", _cross_entropy())
        return _fitted(model)
    finally:
        keras.config.set_floatx("float32")


def image_data_format_read_in_call():
    class Layer(keras.layers.Layer):
        def call(self, x):
            return x * (2.0 if keras.config.image_data_format() == "channels_first" else 3.0)

    model = keras.Sequential([keras.Input((6,)), Layer(), keras.layers.Dense(3)])
    keras.config.set_image_data_format(pick("channels_last", "channels_first"))
    try:
        model.compile("sgd", _cross_entropy())
        return _fitted(model)
    finally:
        keras.config.set_image_data_format("channels_last")


def layer_dtype_policy_changed():
    model = _dense_model()
    model.layers[0].dtype_policy = pick("float32", "mixed_bfloat16")
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def batch_normalization_momentum():
    model = keras.Sequential([keras.Input((6,)), keras.layers.BatchNormalization(), keras.layers.Dense(3)])
    model.layers[0].momentum = pick(0.99, 0.5)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def custom_train_step():
    class Model(keras.Model):
        penalty = 0.0

        def __init__(self):
            super().__init__()
            self.head = keras.layers.Dense(3)

        def call(self, x):
            return self.head(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compute_loss(y=y, y_pred=self(x, training=True)) + self.penalty * tf.reduce_sum(self.head.kernel**2)
            self.optimizer.apply(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
            return {"loss": loss}

    model = Model()
    model(FEATURES[:1])
    model.penalty = pick(0.1, 0.2)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def train_step_replaced_on_the_instance():
    model = _dense_model()
    model.compile("sgd", _cross_entropy())
    if pick(False, True):
        plain = model.train_step
        model.train_step = lambda data: plain((data[0] * 2.0, data[1]))
    return _fitted(model)


def call_of_a_library_layer_patched():
    plain = keras.layers.Dense.call
    if pick(False, True):
        keras.layers.Dense.call = lambda self, inputs, training=None: plain(self, inputs) * 2.0
    try:
        model = _dense_model()
        model.compile("sgd", _cross_entropy())
        return _fitted(model)
    finally:
        keras.layers.Dense.call = plain


def steps_per_execution():
    model = _dense_model()
    model.compile("sgd", _cross_entropy())
    model.steps_per_execution = pick(1, 3)
    history = model.fit(FEATURES, LABELS, batch_size=8, epochs=1, verbose=0, shuffle=False)
    return [*model.get_weights(), np.array(float(model._train_counter) if hasattr(model, "_train_counter") else 0.0),
            np.array(history.history["loss"]), np.array(pick(1, 3))]


def layer_reads_a_global():
    global MARGIN
    MARGIN = pick(0.5, 0.7)

    class Layer(keras.layers.Layer):
        def call(self, x):
            return x * MARGIN

    model = keras.Sequential([keras.Input((6,)), Layer(), keras.layers.Dense(3)])
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def layer_keeps_an_array():
    class Layer(keras.layers.Layer):
        def __init__(self, table):
            super().__init__()
            self.table = table

        def call(self, x):
            return x * self.table

    model = keras.Sequential([keras.Input((6,)), Layer(np.linspace(0, pick(1.0, 2.0), 6).astype("float32")), keras.layers.Dense(3)])
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def predict_after_an_attribute_changed():
    layer = Scaled()
    model = _model_of(layer)
    model.compile("sgd", _cross_entropy())
    first = model.predict(FEATURES, verbose=0)
    layer.scale = pick(1.5, 2.5)
    second = model.predict(FEATURES[:5], verbose=0, batch_size=5)
    return [first, second]


def constraint_changed():
    model = _dense_model(kernel_constraint=keras.constraints.MaxNorm(2.0))
    model.layers[0].kernel_constraint.max_value = pick(2.0, 0.1)
    model.compile("sgd", _cross_entropy())
    return _fitted(model)


def shared_or_equal_layers():
    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.first = keras.layers.Dense(6)
            self.second = pick(lambda: self.first, lambda: keras.layers.Dense(6))()
            self.head = keras.layers.Dense(3)

        def call(self, x):
            return self.head(self.second(self.first(x)))

    model = Model()
    model(FEATURES[:1])
    model.second.set_weights(model.first.get_weights())
    model.head.set_weights([np.linspace(-1, 1, 18).reshape(6, 3).astype("float32"), np.zeros(3, "float32")])
    model.compile("sgd", _cross_entropy())
    return _fitted(model)[-1:]
