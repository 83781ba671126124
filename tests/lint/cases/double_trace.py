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
FOUND = {
    "a loop of one's own": HEAD + STEP.replace("s))", "s))  # <-") + '''
for x, y in data:
    step(x, y)
''',
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
SILENT = {
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
}
