"""Example 3: Employing Eager Execution (Dynamic Graph). Complete as it stands."""
import tensorflow as tf

# Enable eager execution
tf.compat.v1.enable_eager_execution()

# Define and execute operations directly
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
y = tf.constant([[5.0, 6.0], [7.0, 8.0]])
z = tf.matmul(x, y)
print(z)
