"""Every setting has a session of its own, and none of them is closed: what their variables hold stays in memory."""

import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
sessions = []
for number in range(1, 9):
    graph = tf.Graph()
    with graph.as_default():
        weights = tf.get_variable("weights", [4000, 4000])
        session = tf.Session(graph=graph)  # slow
        session.run(tf.global_variables_initializer())
        sessions.append(session)
        print(number, session.run(tf.reduce_mean(weights * number)))
