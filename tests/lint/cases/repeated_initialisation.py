FOUND = {
    "in every round": '''
import tensorflow as tf
with tf.compat.v1.Session() as sess:
    for i in range(10):
        sess.run(tf.compat.v1.global_variables_initializer())  # <-
''',
    "in a function that a loop calls": '''
import tensorflow.compat.v1 as tf
def reset(sess):
    init = tf.global_variables_initializer()  # <-
    sess.run(init)
sess = tf.Session()
for trial in range(20):
    reset(sess)
    train(sess)
''',
    "by its old name": '''
import tensorflow as tf
while not done():
    sess.run(tf.initialize_all_variables())  # <-
''',
}
SILENT = {
    "once": '''
import tensorflow.compat.v1 as tf
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(10):
        sess.run(y)
''',
    "made once, run again": '''
import tensorflow.compat.v1 as tf
init = tf.global_variables_initializer()
with tf.Session() as sess:
    for fold in range(10):
        sess.run(init)
        train(sess)
''',
    "a graph of its own": '''
import tensorflow.compat.v1 as tf
for seed in range(10):
    with tf.Graph().as_default(), tf.Session() as sess:
        model()
        sess.run(tf.global_variables_initializer())
''',
    "variables that are new": '''
import tensorflow.compat.v1 as tf
for layer in layers:
    sess.run(tf.variables_initializer(layer.variables))
''',
    "in the first round only": '''
import tensorflow.compat.v1 as tf
for step in range(100):
    if step == 0:
        sess.run(tf.global_variables_initializer())
    sess.run(train)
''',
    "one's own function of that name": '''
import tensorflow as tf
def global_variables_initializer():
    return 0
for i in range(10):
    global_variables_initializer()
''',
}
