"""Which readings of attributes are by a name that stands in the code, and of what the others are."""

import pytest

from firststep_agent.boost.objects import bytecode, computed_names

ANYTHING, NN, TF, MATH = (), ("tf", "nn"), ("tf",), ("tf", "math")
CASES = {
    "getattr(self, 'a')": (), "getattr(self, 'a', 1.0)": (), "getattr(self, 'a', None) * 2": (), "hasattr(self.x.y, 'clip')": (),
    "getattr(f(self)[0], 'a', x)": (), "getattr(self, 'n', f(x, 'y'))": (), "getattr(getattr(self, 'a'), 'b')": (), "(getattr)(self, 'n')": (),
    "setattr(self, 'a', x + 1)": (), "delattr(self, 'a')": (), "[getattr(self, 'a') for _ in x]": (), "getattr(f(), 'a')": (),
    "getattr(x.f(a=1), 'a')": (), "getattr([x, n][0], 'a')": (), "getattr(x.y[n].z, 'a', 0)": (), "getattr(x, 'a')[getattr(x, 'b')]": (),
    "getattr(tf.nn, self.act)(x)": (NN,), "getattr(tf, n)": (TF,), "getattr(tf.nn, n, None)": (NN,), "getattr(tf.nn, cfg['act'].lower())": (NN,),
    "getattr(tf.nn, 'x' + n)": (NN,), "getattr(tf.nn, n)(getattr(tf.math, n)(x))": (NN, MATH), "getattr(a_global, n)": (("a_global",),),
    "getattr(tf.nn(), n)": (ANYTHING,), "getattr(tf.nn.f(x), n)": (ANYTHING,), "getattr(tf[0], n)": (ANYTHING,), "getattr(tf + x, n)": (ANYTHING,),
    "getattr(tf.nn, n if n else 'x')": (ANYTHING,), "getattr(x, n)": (ANYTHING,), "getattr(self, f'd_{n}')": (ANYTHING,),
    "getattr(self, 'a' + n)": (ANYTHING,), "getattr(self, 'a' if n else 'b')": (ANYTHING,), "getattr(self if n else x, 'b')": (ANYTHING,),
    "getattr(*a)": (ANYTHING,), "getattr(*a)(x, 'constant')": (ANYTHING,), "getattr(x, *['a'])": (ANYTHING,), "getattr(x, 'a', *n)": (ANYTHING,),
    "map(getattr, [self], ['n'])": (ANYTHING,), "partial(getattr, self)('x')": (ANYTHING,), "f(getattr, 'a')(self, 'b')": (ANYTHING,),
    "builtins.getattr(self, n)": (ANYTHING,), "builtins.getattr(self, 'n')": (ANYTHING,), "getattr.__call__(self, 'n')": (ANYTHING,),
    "(g := getattr)(self, n)": (ANYTHING,), "(g := getattr)(self, 'n')": (ANYTHING,), "getattr(getattr(self, n), 'b')": (ANYTHING,),
    "getattr(self, 'a').b(getattr(self, n))": (ANYTHING,), "getattr(self, (n := 'a'))": (ANYTHING,), "getattr(self, '{}'.format(n))": (ANYTHING,),
    "getattr(self, 'ab'[x:])": (ANYTHING,), "getattr(self, 'a', n or 2)": (ANYTHING,), "getattr(self, name='x')": (ANYTHING,),
    "getattr(self, b'a')": (ANYTHING,), "getattr(x, n, 'a')": (ANYTHING,), "[getattr(self, each) for each in x]": (ANYTHING,),
}


@pytest.mark.parametrize("text", CASES)
def test_a_name_is_a_constant_or_counts(text):
    scope = {}
    exec(f"def asked(self, x, n, a, f, cfg, partial):\n    def inner():\n        return f\n    return {text}\n", scope)
    found = set().union(*map(computed_names.readings, bytecode.nested(scope["asked"].__code__)))
    assert found == set(CASES[text])
