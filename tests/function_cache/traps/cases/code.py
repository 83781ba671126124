"""Code that a traced function runs: helpers, methods, classes, patches, modules."""

import functools
import importlib
import os
import sys

import numpy as np
import tensorflow as tf

from cases import pick

X = tf.constant([1.0, 2.0, 3.0])


def helper_module_source():
    folder = os.path.join(os.environ["TRAPS"], "modules")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "trap_helper.py"), "w") as file:
        file.write(f"def scale(x):\n    return x * {pick(1.5, 2.5)}\n")
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    sys.modules.pop("trap_helper", None)
    importlib.invalidate_caches()
    helper = importlib.import_module("trap_helper")
    sys.path.remove(folder)

    @tf.function
    def f(x):
        return helper.scale(x)

    return [f(X)]


def helper_module_global():
    from cases import helper

    helper.SCALE = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return helper.scale(x)

    return [f(X)]


def attribute_of_a_module():
    from cases import helper

    helper.SCALE = pick(1.5, 2.5)

    @tf.function
    def f(x):
        return x * helper.SCALE

    return [f(X)]


def module_passed_to_a_helper():
    from cases import helper

    helper.SCALE = pick(1.5, 2.5)

    def scaled(module, x):
        return x * module.SCALE

    @tf.function
    def f(x):
        return scaled(helper, x)

    return [f(X)]


def module_imported_inside():
    import cases.helper

    cases.helper.SCALE = pick(1.5, 2.5)

    @tf.function(autograph=False)
    def f(x):
        from cases.helper import SCALE

        return x * SCALE

    return [f(X)]


def built_in_replaced():
    import builtins

    plain = builtins.sum
    if pick(False, True):
        builtins.sum = lambda values: plain(values) * 2.0
    try:

        @tf.function(autograph=False)
        def f(x):
            return sum([x, x])

        return [f(X)]
    finally:
        builtins.sum = plain


def attribute_in_a_format_string():
    class Holder:
        scale = pick(1.5, 2.5)

    holder = Holder()

    @tf.function(autograph=False)
    def f(x):
        return x * float("{0.scale}".format(holder))

    return [f(X)]


def function_made_by_exec():
    scope = {}
    exec(pick("def scale(x):\n    return x * 1.5", "def scale(x):\n    return x * 2.5"), scope)
    scale = scope["scale"]

    @tf.function(autograph=False)
    def f(x):
        return scale(x)

    return [f(X)]


def global_of_a_function_made_by_exec():
    scope = {"SCALE": pick(1.5, 2.5)}
    exec("def scale(x):\n    return x * SCALE", scope)
    scale = scope["scale"]

    @tf.function(autograph=False)
    def f(x):
        return scale(x)

    return [f(X)]


def code_object_replaced():
    def scale(x):
        return x * 1.5

    def other(x):
        return x * 2.5

    scale.__code__ = pick(scale.__code__, other.__code__)

    @tf.function(autograph=False)
    def f(x):
        return scale(x)

    return [f(X)]


def lambda_in_a_list():
    steps = [pick(lambda x: x + 1.0, lambda x: x * 2.0)]

    @tf.function
    def f(x):
        for step in steps:
            x = step(x)
        return x

    return [f(X)]


def function_in_a_dictionary():
    def double(x):
        return x * 2.0

    def square(x):
        return x * x

    registry = {"activation": pick(double, square)}

    @tf.function
    def f(x):
        return registry["activation"](x)

    return [f(X)]


def decorator():
    def scaled(by):
        def decorate(function):
            @functools.wraps(function)
            def wrapper(*arguments):
                return function(*arguments) * by

            return wrapper

        return decorate

    @scaled(pick(1.5, 2.5))
    def helper(x):
        return x + 1.0

    @tf.function
    def f(x):
        return helper(x)

    return [f(X)]


class Module(tf.Module):
    SCALE = 1.0

    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(2.0)
        self.scale = 1.0
        self._hidden = 1.0

    @tf.function
    def by_attribute(self, x):
        return x * self.weight * self.scale

    @tf.function
    def by_class_attribute(self, x):
        return x * self.weight * self.SCALE

    @tf.function
    def by_method(self, x):
        return self.helper(x) * self.weight

    def helper(self, x):
        return x * 1.5

    @property
    def doubled(self):
        return self._hidden * 2.0

    @tf.function
    def by_property(self, x):
        return x * self.doubled

    @tf.function
    def by_dynamic_name(self, x):
        return x * getattr(self, "sca" + "le")

    @tf.function
    def by_dictionary(self, x):
        return x * vars(self)["scale"]


def attribute_of_self():
    module = Module()
    module.scale = pick(1.5, 2.5)
    return [module.by_attribute(X)]


def class_attribute():
    Module.SCALE = pick(1.5, 2.5)
    module = Module()
    return [module.by_class_attribute(X)]


def method_replaced_on_the_instance():
    module = Module()
    if pick(False, True):
        module.helper = lambda x: x * 2.5
    return [module.by_method(X)]


def method_replaced_on_the_class():
    class Other(Module):
        pass

    if pick(False, True):
        Other.helper = lambda self, x: x * 2.5
    other = Other()
    return [other.by_method(X)]


def behind_a_property():
    module = Module()
    module._hidden = pick(1.5, 2.5)
    return [module.by_property(X)]


def attribute_under_a_computed_name():
    module = Module()
    module.scale = pick(1.5, 2.5)
    return [module.by_dynamic_name(X)]


def attribute_through_vars():
    module = Module()
    module.scale = pick(1.5, 2.5)
    return [module.by_dictionary(X)]


class Lazy:
    def __init__(self, values):
        self._values = values

    def __getattr__(self, name):
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(name) from None


def through_getattr():
    lazy = Lazy({"scale": pick(1.5, 2.5)})

    @tf.function
    def f(x):
        return x * lazy.scale

    return [f(X)]


class Meta(type):
    FACTOR = 1.0

    def __call__(cls, *arguments):
        made = super().__call__(*arguments)
        made.factor = cls.FACTOR
        return made


def metaclass():
    Meta.FACTOR = pick(1.5, 2.5)

    class Scale(metaclass=Meta):
        pass

    @tf.function(autograph=False)
    def f(x):
        return x * Scale().factor

    return [f(X)]


class Descriptor:
    def __init__(self, value):
        self.value = value

    def __get__(self, owner, kind=None):
        return self.value


def descriptor():
    class Holder:
        scale = Descriptor(pick(1.5, 2.5))

    holder = Holder()

    @tf.function
    def f(x):
        return x * holder.scale

    return [f(X)]


class Slotted:
    __slots__ = ("scale",)

    def __init__(self, scale):
        self.scale = scale


def slots():
    slotted = Slotted(pick(1.5, 2.5))

    @tf.function
    def f(x):
        return x * slotted.scale

    return [f(X)]


class Operand:
    def __init__(self, by):
        self.by = by

    def __rmul__(self, other):
        return other * self.by

    __array_priority__ = 1000


def overloaded_operator():
    operand = Operand(pick(1.5, 2.5))

    @tf.function
    def f(x):
        return operand.__rmul__(x)

    return [f(X)]


class Callable:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        return x * self.by


def callable_object():
    scale = Callable(pick(1.5, 2.5))

    @tf.function
    def f(x):
        return scale(x)

    return [f(X)]


def traced_callable_object():
    f = tf.function(Callable(pick(1.5, 2.5)))
    return [f(X)]


class Base:
    def step(self, x):
        return x * 1.5


class OtherBase:
    def step(self, x):
        return x * 2.5


def base_class():
    class Derived(pick(Base, OtherBase)):
        def run(self, x):
            return super().step(x)

    derived = Derived()

    @tf.function(autograph=False)
    def f(x):
        return derived.run(x)

    return [f(X)]


def inner_tf_function():
    scale = pick(1.5, 2.5)

    @tf.function
    def inner(x):
        return x * scale

    @tf.function
    def f(x):
        return inner(x) + 1.0

    return [f(X)]


class Weights(tf.Module):
    def __init__(self):
        super().__init__()
        self.first = tf.Variable(1.0)
        self.other = tf.Variable(2.0, trainable=pick(True, False))

    @tf.function
    def penalty(self, x):
        return x * self.first + sum(v * v for v in self.trainable_variables)


def variables_found_by_a_module():
    weights = Weights()
    return [weights.penalty(X)]


def inner_tf_function_reused_by_a_second_signature():
    holder = Callable(pick(1.5, 2.5))

    @tf.function
    def inner(x):
        return holder(x)

    @tf.function
    def f(x, flag):
        return inner(x) * flag

    first = f(X, 1.0) if pick(True, False) else X
    return [first, f(X, 2.0)]


def inner_tf_function_traced_before():
    scale = [pick(1.5, 2.5)]

    @tf.function
    def inner(x):
        return x * scale[0]

    inner(X)
    scale[0] = 9.0

    @tf.function
    def f(x):
        return inner(x) + 1.0

    return [f(X)]


def custom_gradient():
    factor = pick(1.5, 2.5)

    @tf.custom_gradient
    def scaled(x):
        def grad(upstream):
            return upstream * factor

        return x, grad

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return tape.gradient(y, x)

    return [f(X)]


def patched_library_function():
    from tensorflow.python.ops import gen_math_ops, math_ops

    plain = math_ops.reduce_sum
    if pick(False, True):
        math_ops.reduce_sum = lambda *a, **k: plain(*a, **k) * 2.0

    try:

        @tf.function
        def f(x):
            return tf.math.reduce_mean(x) + math_ops.reduce_sum(x)

        return [f(X)]
    finally:
        math_ops.reduce_sum = plain
        assert gen_math_ops


def patched_attribute_of_tf():
    plain = tf.nn.relu
    tf.nn.relu = pick(plain, lambda x: plain(x) * 2.0)
    try:

        @tf.function
        def f(x):
            return tf.nn.relu(x)

        return [f(X)]
    finally:
        tf.nn.relu = plain


def patched_numpy_function():
    plain = np.mean
    np.mean = pick(plain, lambda x: plain(x) * 2.0)
    try:
        data = np.array([1.0, 2.0])

        @tf.function
        def f(x):
            return x * np.mean(data)

        return [f(X)]
    finally:
        np.mean = plain


def patched_method_of_variables():
    from tensorflow.python.ops import resource_variable_ops

    cls = resource_variable_ops.ResourceVariable
    plain = cls.assign_add
    if pick(False, True):
        cls.assign_add = lambda self, delta, *a, **k: plain(self, delta * 2.0, *a, **k)
    try:
        variable = tf.Variable(1.0)

        @tf.function(autograph=False)
        def f(x):
            variable.assign_add(1.0)
            return x * variable

        return [f(X)]
    finally:
        cls.assign_add = plain


def gradient_registry():
    from tensorflow.python.framework import ops

    registry = ops._gradient_registry._registry
    plain = registry["Tanh"]["type"]
    if pick(False, True):
        registry["Tanh"]["type"] = lambda op, grad: plain(op, grad) * 2.0
    try:

        @tf.function
        def f(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.tanh(x)
            return tape.gradient(y, x)

        return [f(X)]
    finally:
        registry["Tanh"]["type"] = plain
