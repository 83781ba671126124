"""What the program's code may use of the interpreter and of libraries and still change nothing by it, however often it runs.

Names that are in no table here count as if they changed something: a function that uses them is traced as often as plainly.
What acts on an object that is given to it (`operator.iadd`, `heapq.heappush`) needs no mention: the object is looked at before and after.
"""

import re
import types

from firststep_agent import kinds, ownership

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Functions and classes of these compute, and touch nothing but what they are given.
MODULES = frozenset("""math cmath typing typing_extensions types functools itertools collections enum abc _abc dataclasses numbers string
    copy contextlib fractions decimal datetime uuid re textwrap operator _operator heapq bisect _bisect statistics posixpath _collections
    _collections_abc _functools _heapq _datetime _decimal __future__""".split())
BUILTINS = frozenset("""abs all any ascii bin bool bytes callable chr classmethod complex dict divmod enumerate filter float format
    frozenset hex int isinstance issubclass iter len list map max min object oct ord pow property range repr reversed round set slice sorted
    staticmethod str sum super tuple type zip NotImplemented Ellipsis bytearray __debug__ __build_class__ __name__""".split())
# Objects of other classes of Python's own keep what no attribute shows, or act on the world.
CLASSES = frozenset("""builtins.list builtins.dict builtins.set builtins.frozenset builtins.tuple builtins.bytearray builtins.mappingproxy
    builtins.range builtins.slice builtins.function builtins.method builtins.builtin_function_or_method builtins.cell builtins.property
    builtins.classmethod builtins.staticmethod builtins.module builtins.type builtins.method-wrapper builtins.int builtins.float
    builtins.complex builtins.str builtins.bytes builtins.object builtins.GenericAlias
    abc.ABCMeta enum.EnumMeta enum.EnumType functools.partial functools.cached_property functools.partialmethod
    collections.deque collections.OrderedDict collections.Counter collections.defaultdict collections._tuplegetter
    _collections._tuplegetter weakref.ReferenceType weakref.WeakMethod types.SimpleNamespace argparse.Namespace fractions.Fraction
    decimal.Decimal datetime.date datetime.time datetime.datetime datetime.timedelta datetime.timezone uuid.UUID re.Pattern
    operator.itemgetter operator.attrgetter operator.methodcaller types.GenericAlias random.Random numpy.random._generator.Generator
    numpy.random.mtrand.RandomState""".split())
# What a framework is asked for by these names changes the framework itself, or acts at once where all else is put into the graph.
_OF_FRAMEWORKS = re.compile(r"""(set|enable|disable|register|clear|install|use|unregister|experimental_(set|enable|disable|register))_
    (?!shape$|value$|mask$)|(register|init_scope|get_logger|get_uid|seterr|seterrcall|errstate|load|save\w*|tofile|fromfile|memmap|
    py_function|numpy_function|eager_py_func|run_functions_eagerly|run_eagerly|start|stop|Thread|Process|Popen)$""", re.X)
# Names with two underscores lead to anything; these are in ordinary code.
_ORDINARY = frozenset("""__init__ __call__ __class__ __name__ __len__ __getitem__ __iter__ __enter__ __exit__ __doc__ __module__
    __qualname__ __version__ __classcell__ __annotations__ __firstlineno__ __static_attributes__ __build_class__ __debug__""".split())


def why_not(code: "types.CodeType", scope: "dict[str, Any]") -> "str | None":
    """A name in a code object of the program's that might change something by itself, None where there is none. scope: its globals."""
    from firststep_agent.boost.objects import bytecode

    builtins = scope.get("__builtins__")
    known = builtins if type(builtins) is dict else kinds.own(builtins)
    for name in bytecode.globals_named(code):
        if name not in scope and name in known and not _is_plain_builtin(name, known[name]):
            return name
    for each in bytecode.nested(code):
        for name in each.co_names:
            if name[:2] == "__" == name[-2:] and name not in _ORDINARY or _OF_FRAMEWORKS.match(name):
                return name
    return None


def _is_plain_builtin(name: str, value: "Any") -> bool:
    return name in BUILTINS or kinds.is_a(value, type) and kinds.is_below(value, BaseException)


def is_harmless(value: "Any") -> bool:
    """Whether a function or a class that is not the program's changes nothing but what it is given."""
    if kinds.is_a(value, type):
        return _of(kinds.module(value), kinds.qualified(value) in CLASSES or kinds.is_below(value, BaseException))
    if type(value) is types.FunctionType:
        return _of(value.__module__, False)
    module = value.__module__ if type(value) is types.BuiltinFunctionType else kinds.module(type(value))
    return value.__name__ in BUILTINS if module == "builtins" else _of(module, False)


def _of(module: "str | None", known: bool) -> bool:
    return known or type(module) is str and (module.partition(".")[0] in MODULES or ownership.module_owner(module) == ownership.FRAMEWORK)
