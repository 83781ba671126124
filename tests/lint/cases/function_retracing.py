FOUND = {
    "numbers of two loops that use one name": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(v, x):
    return v * x
x = tf.ones(3)
for v in np.linspace(0, 1, 30):
    step(float(v), x)  # <-
for v in np.linspace(1, 2, 30):
    step(v.item(), x)  # <-
''',
    "a counter": '''
import tensorflow as tf
@tf.function
def step(x, n):
    return x * n
for n in range(100):
    step(x, n)  # <-
''',
    "enumerate, by keyword": '''
import tensorflow as tf
@tf.function(jit_compile=True)
def step(x, epoch):
    return x * epoch
for epoch, x in enumerate(data):
    step(x, epoch=epoch)  # <-
''',
    "arithmetic, of a method": '''
import tensorflow as tf
class Trainer:
    @tf.function(reduce_retracing=True)
    def step(self, x, rate):
        return x * rate
    def train(self, data):
        for i in range(1, 50):
            self.step(data, 0.1 / i)  # <-
''',
    "counted by hand, of a call of tf.function": '''
import tensorflow as tf
def plain(x, n):
    return x * n
step = tf.function(plain)
n = 0
while n < 100:
    step(x, n)  # <-
    n += 1
''',
    "in a comprehension": '''
import tensorflow as tf
@tf.function
def f(n):
    return tf.zeros([]) + n
losses = [f(float(i)) for i in range(100)]  # <-
''',
    "a learning rate that decays": '''
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
rate = 0.1
for batch in data:
    step(batch, rate)  # <-
    rate = rate * 0.9
other = 1.0
for batch in data:
    step(batch, rate=other)  # <-
    other *= 0.5
''',
    "computed from a counter before the call": '''
import math
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
def train(data, epochs: int, base=0.1):
    for epoch in range(epochs):
        progress = epoch / epochs
        rate = base * (1 + math.pi * progress)
        for x in data:
            step(x, rate)  # <-
''',
    "Python's floats of an array": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for rate in np.linspace(0, 1, 20).tolist():
    step(x, rate)  # <-
''',
    "floats made of an array's elements": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for i, rate in enumerate(np.linspace(0, 1, 20)):
    step(x, float(rate))  # <-
    step(x, rate.item())  # <-
''',
    "a float made of an array's element before the call": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
rates = np.geomspace(1, 9, 20)
for x, rate in zip(data, rates):
    rate_now = float(rate) * 0.5
    step(x, rate_now)  # <-
''',
    "in a comprehension, of an array's elements": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
losses = [step(x, float(rate)) for rate in np.logspace(0, 1, 20)]  # <-
''',
    "a list of numbers": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for rate in [0.1, 0.01, 0.001]:
    for x in data:
        step(x, rate)  # <-
''',
    "a list of numbers beside others": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
RATES = (0.1, 0.01, -0.001)
for name, rate in zip(names, RATES):
    step(x, rate)  # <-
''',
    "numbers beside a counter": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for i, n in enumerate(reversed(range(100))):
    step(x, n)  # <-
''',
    "random numbers, and the time": '''
import random, time
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
def train(data):
    for x in data:
        step(x, random.random())  # <-
        step(x, 2 * np.random.uniform(0.1, 0.9))  # <-
        seed = np.random.randint(0, 1000)
        step(x, seed)  # <-
        step(x, rate=time.time())  # <-
train(data)
''',
    "a random number, the loop around the function that draws it": '''
import random
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
def once(x):
    return step(x, random.uniform(0, 1))  # <-
for x in data:
    once(x)
''',
    "left when all steps are done": '''
import tensorflow as tf
@tf.function
def step(x, i):
    return x * i
i = 0
while True:
    step(x, i)  # <-
    i += 1
    if i >= 1000:
        break
for n, batch in enumerate(batches):
    step(batch, n)  # <-
    if n > args.steps:
        break
''',
    "in all rounds but the first, and in every hundredth": '''
import tensorflow as tf
@tf.function
def step(x, i):
    return x * i
for i, batch in enumerate(batches):
    if i > 0:
        step(batch, i)  # <-
    if i % 100 == 0:
        step(batch, i)  # <-
    if i == 0:
        continue
    step(batch, i)  # <-
''',
    "many values": '''
import tensorflow as tf
@tf.function
def step(x, i):
    return x * i
for i in range(100):
    x = step(x, i % 50)  # <-
    x = step(x, i // 3)  # <-
    x = step(x, min(1.0, i / 100))  # <-
''',
    "a counter that an object keeps": '''
import tensorflow as tf
class Trainer:
    def __init__(self):
        self.n = 0
    @tf.function
    def step(self, n, x):
        return x * n
    def train(self, x):
        for _ in range(100):
            self.n += 1
            self.step(self.n, x)  # <-
''',
}
FOUND.update({
    "a function that takes its own name again": '''
import tensorflow as tf
def scale(x, n):
    return x * n
scale = tf.function(scale)
for n in range(10):
    scale(x, n)  # <-
''',
    "a method that takes its own name again": '''
import tensorflow as tf
class Scaler:
    def __init__(self):
        self.scale = tf.function(self.scale)
    def scale(self, x, n):
        return x * n
class Both:
    def __init__(self):
        self.scaler = Scaler()
    def run(self, x):
        for n in range(10):
            self.scaler.scale(x, n)
scaler = Scaler()
for n in range(10):
    scaler.scale(x, n)  # <-
''',
})
DEPTHS = '''
import tensorflow as tf
@tf.function
def block(x, depth):
    for i in range(depth):
        x = tf.nn.relu(x + i)
    return x
for depth in (1, 2, 3):
    block(x, depth)
'''
MARKED = DEPTHS.replace("    block(x, depth)\n", "    block(x, depth)  # <-\n")
FOUND["depths of which there are many"] = MARKED.replace("(1, 2, 3)", "range(1, 30)")
FOUND["a few numbers that are no structure"] = MARKED.replace("range(depth)", "range(2)").replace("x + i", "x * depth")
SILENT = {
    "a few depths": DEPTHS,
    "a function that takes its own name again, and is called before": '''
import tensorflow as tf
def scale(x, n):
    return x * n
for n in range(10):
    scale(x, n)
scale = tf.function(scale)
scale(x, 1)
''',
    "a function that takes its own name again, with a signature": '''
import tensorflow as tf
def scale(x, n):
    return x * n
scale = tf.function(scale, input_signature=[tf.TensorSpec([2]), tf.TensorSpec([])])
for n in range(10):
    scale(x, n)
''',
    "a function whose name is given another's value": '''
import tensorflow as tf
def scale(x, n):
    return x * n
scale = profiled(scale)
for n in range(10):
    scale(x, n)
''',
    "another loop's array": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(v, x):
    return v * x
x = tf.ones(3)
for v in np.linspace(0, 1, 30):
    print(v)
for v in read():
    step(float(v), x)
''',
    "an element that the loop makes another of": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(v, x):
    return v * x
x = tf.ones(3)
for v in np.linspace(0, 1, 30):
    v = 1.0
    step(float(v), x)
''',
    "random arrays, a number drawn once, one that nobody draws again": '''
import random
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
size = random.randint(1, 9)
step(tf.ones(3), random.random())
for x in data:
    step(x, size)
    step(x, np.random.rand(3))
    step(x, np.random.uniform(0.0, 1.0, 3))
    step(x, np.random.normal(size=3))
    step(x, tf.constant(random.random()))
    step(x, rate=np.random.randint(0, 9, dtype="int64"))
''',
    "an array or a tensor times a counter": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x):
    return tf.reduce_sum(x)
x = tf.ones([3])
def train(data):
    for i in range(100):
        step(data * i)
for i in range(100):
    step(x * i)
    step(abs(x - i))
    step(np.ones(3) * i)
    step(settings.start + i)
    y = x * i
    step(y)
n = np.zeros(3)
while True:
    step(n)
    n += 1
''',
    "a counter that becomes a tensor": '''
import tensorflow as tf
@tf.function
def step(x):
    return x
for i in range(100):
    i = tf.constant(i)
    step(i)
''',
    "a name that a number has at another place only": '''
import tensorflow as tf
@tf.function
def step(x):
    return x
for i in range(100):
    x = i * 2
    x = tf.constant(x)
    step(x)
''',
    "a tensor": '''
import tensorflow as tf
@tf.function
def step(x, n):
    return x * n
for n in range(100):
    step(x, tf.constant(n, tf.float32))
''',
    "tf.range": '''
import tensorflow as tf
@tf.function
def step(n):
    return n
for n in tf.range(100):
    step(n)
''',
    "a signature": '''
import tensorflow as tf
@tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
def step(n):
    return n
for n in range(100):
    step(n)
''',
    "a plain function": '''
import tensorflow as tf
def step(x, n):
    return x * n
for n in range(100):
    step(x, n)
''',
    "a number that stays": '''
import tensorflow as tf
@tf.function
def step(x, n):
    return x * n
for epoch in range(100):
    step(x, 3)
''',
    "elements of a dataset": '''
import tensorflow as tf
@tf.function
def step(x, y):
    return x * y
for x, y in dataset:
    step(x, y)
for i, (x, y) in enumerate(dataset):
    step(x, y)
''',
    "two values": '''
import tensorflow as tf
@tf.function
def step(x, training):
    return x
for training in range(2):
    step(x, training)
''',
    "indexed": '''
import tensorflow as tf
@tf.function
def step(x):
    return x
for i in range(100):
    step(batches[i])
''',
    "within another graph": '''
import tensorflow as tf
@tf.function
def inner(x, i):
    return x * i
@tf.function
def outer(x):
    for i in range(4):
        x = inner(x, i)
    return x
''',
    "a number that becomes a tensor": '''
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
rate = 0.1
for batch in data:
    step(batch, rate)
    rate = rate * tf.reduce_mean(batch)
total = 0
for batch in data:
    total = step(batch, total)
''',
    "set anew from a literal": '''
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
rate = 0.1
for batch in data:
    rate = 0.1 * 2
    step(batch, rate)
''',
    "elements of an array": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for rate in np.linspace(0, 1, 20):
    step(x, rate)
    step(x, rate * 0.5)
    step(x, abs(rate))
    step(x, round(rate, 3))
for i in np.arange(20):
    step(x, i)
for i, rate in enumerate(np.logspace(0, 1, 20)):
    step(x, rate)
''',
    "the array's last element": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for rate in np.linspace(0, 1, 20):
    print(rate)
for x in data:
    step(x, float(rate))
''',
    "floats that may be the same": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for x, rate in zip(data, labels):
    step(x, float(rate))
for rate in np.zeros(20):
    step(x, float(rate))
''',
    "a list of a few numbers": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for rate in [0.1, 0.01]:
    step(x, rate)
for rate in [0.1, 0.1, 0.1, 0.1]:
    step(x, rate)
''',
    "a list with a tensor": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for rate in [0.1, 0.01, tf.constant(0.001)]:
    step(x, rate)
''',
    "numbers beside few others": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for name, rate in zip(["a", "b"], range(100)):
    step(x, rate)
''',
    "a list that is not sure": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
rates = [0.1, 0.01, 0.001]
rates = tf.constant(rates)
for rate in rates:
    step(x, rate)
''',
    "numbers that become tensors": '''
import numpy as np
import tensorflow as tf
@tf.function
def step(x, rate):
    return x * rate
for i, rate in enumerate([0.1, 0.01, 0.001]):
    rate = tf.constant(rate)
    step(x, rate)
''',
    "left in the first round": '''
import tensorflow as tf
@tf.function
def step(x, i):
    return x * i
for i in range(100):
    x = step(x, i)
    break
''',
    "left as soon as it is good": '''
import tensorflow as tf
@tf.function
def step(x, i):
    return x * i
def train(x):
    for i in range(100):
        x = step(x, i)
        if float(x) > 0.5:
            return x
for i in range(100):
    x = step(x, i)
    if i == 1:
        break
''',
    "in the first round alone": '''
import tensorflow as tf
@tf.function
def save(x, epoch):
    return x * epoch
for epoch in range(100):
    if epoch == 0:
        save(x, epoch)
    save(x, epoch) if epoch in (1, 5) else None
    epoch == 99 and save(x, epoch)
    if epoch > 2:
        continue
    save(x, epoch)
''',
    "in every tenth of ten rounds": '''
import tensorflow as tf
@tf.function
def save(x, epoch):
    return x * epoch
for epoch in range(10):
    if (epoch + 1) % 5 == 0:
        save(x, epoch)
''',
    "a few values": '''
import tensorflow as tf
@tf.function
def step(x, i):
    return x * i
for i in range(100):
    x = step(x, i % 2)
    x = step(x, 1 + i % len(names))
    x = step(x, i & 1)
    x = step(x, min(i, 2))
    x = step(x, i // 50)
    phase = i % 3
    x = step(x, phase)
''',
    "all run eagerly": '''
import tensorflow as tf
tf.config.run_functions_eagerly(True)
@tf.function
def step(x, i):
    return x * i
for i in range(100):
    x = step(x, i)
''',
    "another decorator around it": '''
import functools
import tensorflow as tf
def to_tensor(fn):
    @functools.wraps(fn)
    def inner(x, i):
        return fn(x, tf.convert_to_tensor(i))
    return inner
@to_tensor
@tf.function
def step(x, i):
    return x * tf.cast(i, tf.float32)
for i in range(100):
    x = step(x, i)
''',
    "few elements of a comprehension": '''
import tensorflow as tf
@tf.function
def step(x, i):
    return x * i
last = [step(x, i) for i in range(100) if i == 99]
''',
    "few rounds by other conditions": '''
import tensorflow as tf
@tf.function
def step(x, i):
    return x * i
for i in range(100):
    match i:
        case 0:
            step(x, i)
    while i == 5:
        step(x, i)
    first = i == 0
    if first:
        step(x, i)
    if not i:
        step(x, i)
    step(x, round(i / 1000))
for n in range(100):
    step(x, n)
    raise SystemExit
epoch = 0
while epoch < 2:
    step(x, epoch)
    epoch += 1
''',
    "a counter of an object that may hold a tensor": '''
import tensorflow as tf
class Trainer:
    def __init__(self):
        self.n, self.m = tf.Variable(0), 0
        self.m = tf.constant(0)
        self.k = 0
    @tf.function
    def step(self, n, x):
        return x * n
    def train(self, x):
        for _ in range(100):
            self.n += 1
            self.m += 1
            other.o += 1
            self.step(self.n, x)
            self.step(self.m, x)
            self.step(other.o, x)
            self.step(self.k, x)
''',
    "a counter of an object that a condition asks": '''
import tensorflow as tf
class Trainer:
    def __init__(self):
        self.n = 0
    @tf.function
    def step(self, n, x):
        return x * n
    def train(self, x):
        for _ in range(100):
            self.n += 1
            if self.n == 1:
                self.step(self.n, x)
''',
}
