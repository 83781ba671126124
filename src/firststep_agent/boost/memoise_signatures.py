"""Signatures of functions, and code of annotations given as strings, worked out once instead of several times over.

TensorFlow's decorators ask for the signature of each of 3,000 functions about three times, and `typing` compiles the
same few dozen strings 18,000 times. Both are answered from memory while the function, or the string, is the one it
was; and where the answer lies open (a plain function's arguments, a string in the place of a type), it is given without
the general search for it.
"""


from firststep_agent.compiler_heard import CompilerHeard
from firststep_agent.dressing import leave_no_frame, stand_in_c
from firststep_agent.signals import is_theirs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

ID = "memoise-signatures"
SPECIAL = frozenset(("__wrapped__", "__signature__", "__text_signature__", "__partialmethod__", "_partialmethod"))
FORWARD_REFERENCE = ("__forward_arg__", "__forward_code__", "__forward_evaluated__", "__forward_value__",
                     "__forward_is_argument__", "__forward_is_class__", "__forward_module__")  # its slots, Python 3.9 to 3.13
ALIAS = ("_inst", "_name", "__origin__", "__slots__", "__args__", "__parameters__", "__module__", "__metadata__")
MOST = 10_000  # texts that are remembered: a program may make new ones for ever
VARARGS, VARKEYWORDS = 4, 8  # flags of a code object
PLAIN = frozenset((type(None), bool, int, float, str, bytes))
MADE = 1 << 9  # Py_TPFLAGS_HEAPTYPE, of a class that a program has made


def start(run: "Any", settings: "dict[str, Any]") -> None:
    counts: dict[str, list[int]] = {}
    run.after_import("typing", lambda typing: _memoise_annotations(run, typing, counts))
    run.after_import("inspect", lambda inspect: _memoise_signatures(run, inspect, counts))
    run.before_import("tensorflow", lambda: _begin_specifications(run, counts))
    reported: list = []

    def report():
        if not reported:
            reported.append(True)
            saved = {name: calls[0] for name, calls in counts.items() if calls[0]}
            if saved:
                run.note(ID, "live", **saved)

    run.on_ready(report)
    run.on_exit(report)


def _memoise_annotations(run: "Any", typing: "Any", counts: "dict[str, list[int]]") -> None:
    """`typing` looks `compile` up among its own names first; code objects cannot be changed, so they can be shared."""
    known: dict = {}
    warned: set = set()
    answered = counts["annotations"] = [0]
    convert, check, names, new = typing._type_convert, typing._type_check, vars(typing), object.__new__
    reference = typing.ForwardRef
    codes: dict = {}
    as_known = reference.__slots__ == FORWARD_REFERENCE

    def memoised(source, filename, mode, *arguments, **keywords):
        try:
            if arguments or keywords or type(source) is not str:
                return compile(source, filename, mode, *arguments, **keywords)
            key = (source, filename, mode)
            code = known.get(key)
            if code is not None:
                answered[0] += 1
                return code
            with CompilerHeard() as heard:
                code = compile(source, filename, mode)
            if heard.texts:  # it is said each time
                warned.add(source)
            elif len(known) < MOST:
                known[key] = code
            return code
        except BaseException as error:
            leave_no_frame(error)
            raise

    def _converted(arg):
        """None where the text is wrong."""
        try:
            return convert(arg)
        except Exception as error:
            if is_theirs(error):
                raise
            return None

    def _type_check(arg, msg, *arguments, **keywords):
        try:
            if type(arg) is not str or arguments or keywords:
                return check(arg, msg, *arguments, **keywords)
            code = codes.get(arg)
            if code is None or names["ForwardRef"] is not reference:
                made = _converted(arg)  # a ForwardRef, which is none of the forms that are searched for
                if made is None:
                    return check(arg, msg)
                if as_known and type(made) is reference and arg not in warned and len(codes) < MOST:
                    codes[arg] = made.__forward_code__
                return made
            answered[0] += 1
            made = new(reference)
            made.__forward_arg__, made.__forward_code__ = arg, code
            made.__forward_evaluated__, made.__forward_value__ = False, None
            made.__forward_is_argument__, made.__forward_is_class__, made.__forward_module__ = True, False, None
            return made
        except BaseException as error:
            leave_no_frame(error)
            raise

    run.replace(typing, "compile", stand_in_c(compile, memoised))
    run.replace(typing, "_type_check", stand_in_c(check, _type_check))
    run.replace(typing._BaseGenericAlias, "__setattr__", _setter(typing._BaseGenericAlias.__setattr__))


def _setter(plain: "Callable[..., None]") -> "Any":
    """What sets an attribute of a `typing` alias: those of its own by name, before it is asked whose they are."""
    own, set_own = frozenset(ALIAS), object.__setattr__

    def __setattr__(self, attr, val):
        try:
            if attr in own:
                set_own(self, attr, val)
            else:
                plain(self, attr, val)
        except BaseException as error:
            leave_no_frame(error)
            raise

    return stand_in_c(plain, __setattr__)


def may_be_kept(values: "Iterable[Any]") -> bool:
    """Whether they keep nothing alive that a program could miss: plain values, and classes of Python's own."""
    for value in values:
        kind = type(value)
        if kind not in PLAIN and (kind is not type or value.__flags__ & MADE):
            return False
    return True


def _memoise_signatures(run: "Any", inspect: "Any", counts: "dict[str, list[int]]") -> None:
    """Signatures cannot be changed either. A function whose code, defaults or annotations were replaced is asked anew; one whose defaults
    are more than plain values is always asked: what remembers its signature would keep them alive."""
    from _weakref import ref as reference

    original = inspect._signature_from_function
    function_type, signature_type = type(_memoise_signatures), inspect.Signature
    built = _builder(inspect)
    known: dict = {}  # id of a function -> (a weak reference to it, its state, its signature, what the state's ids are of)
    answered = counts["signatures"] = [0]

    def _signature_from_function(cls, func, *arguments, **keywords):
        try:
            if (cls is not signature_type or type(func) is not function_type or func.__kwdefaults__ or arguments
                    or keywords.get("eval_str") or "__text_signature__" in func.__dict__):
                return original(cls, func, *arguments, **keywords)
            annotations = func.__annotations__
            if not (may_be_kept(func.__defaults__ or ()) and may_be_kept(annotations.values())):
                return built(func) or original(cls, func, *arguments, **keywords)
            state = (id(func.__code__), id(func.__defaults__), *annotations, *map(id, annotations.values()))
            key = id(func)
            found = known.get(key)
            if found is not None and found[0]() is func and found[1] == state:
                answered[0] += 1
                return found[2]
            signature = built(func) or original(cls, func, *arguments, **keywords)
            gone = reference(func, lambda _: known.pop(key, None))
            known[key] = gone, state, signature, func.__code__, func.__defaults__, list(annotations.values())
            return signature
        except BaseException as error:
            leave_no_frame(error)
            raise

    from_function = stand_in_c(original, _signature_from_function)
    run.replace(inspect, "_signature_from_function", from_function)
    for replacement in (_signature(inspect, function_type, from_function), _getfullargspec(inspect, function_type)):
        name = replacement.__name__
        run.replace(inspect, name, stand_in_c(getattr(inspect, name), replacement))


def _builder(inspect: "Any") -> "Callable[[Any], Any]":
    """Makes a plain function's signature without checking what the compiler has checked; None where it is not plain."""
    from collections import OrderedDict

    parameter_type, empty = inspect.Parameter, inspect.Parameter.empty
    by_position, either = parameter_type.POSITIONAL_ONLY, parameter_type.POSITIONAL_OR_KEYWORD
    others = (VARARGS, parameter_type.VAR_POSITIONAL), (VARKEYWORDS, parameter_type.VAR_KEYWORD)
    parameter, signature = _makers(inspect)

    def built(func):
        code, defaults, annotations = func.__code__, func.__defaults__ or (), func.__annotations__
        names, count = code.co_varnames, code.co_argcount
        if code.co_kwonlyargcount or len(defaults) > count or names[:1] == (".0",):
            return None
        parameters, first_default = OrderedDict(), count - len(defaults)
        for place, name in enumerate(names[:count]):
            parameters[name] = parameter(name, by_position if place < code.co_posonlyargcount else either,
                                         empty if place < first_default else defaults[place - first_default],
                                         annotations.get(name, empty))
        for flag, kind in others:
            if code.co_flags & flag:
                name = names[len(parameters)]
                parameters[name] = parameter(name, kind, empty, annotations.get(name, empty))
        return signature(parameters, annotations.get("return", empty))

    return built


def _makers(inspect: "Any") -> "tuple[Callable[..., Any], Callable[..., Any]]":
    """What makes a Parameter, and a Signature of an ordered {name: Parameter}, without checking them."""
    from types import MappingProxyType

    parameter_type, signature_type, new = inspect.Parameter, inspect.Signature, object.__new__

    def parameter(name, kind, default, annotation):
        made = new(parameter_type)
        made._name, made._kind, made._default, made._annotation = name, kind, default, annotation
        return made

    def signature(parameters, return_annotation):
        made = new(signature_type)
        made._parameters, made._return_annotation = MappingProxyType(parameters), return_annotation
        return made

    return parameter, signature


def _begin_specifications(run: "Any", counts: "dict[str, list[int]]") -> None:
    from firststep_agent.frameworks.points import points_at

    (point,) = points_at("tensorflow", "tensorflow.python.util.tf_decorator", "fullargspec_to_signature")
    run.put(point, lambda original: _memoise_specifications(original, counts), ID)


def _memoise_specifications(original: "Callable[[Any], Any]", counts: "dict[str, list[int]]") -> "Callable[[Any], Any]":
    """TensorFlow makes the signature of each raw operation from its FullArgSpec, twice in a row."""
    import inspect
    from collections import OrderedDict
    from keyword import iskeyword

    empty = inspect.Parameter.empty
    either, varargs, varkeywords = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL,
                                    inspect.Parameter.VAR_KEYWORD)
    parameter, signature = _makers(inspect)
    last: tuple = None, None  # what the last one was made from, and it, which keeps the defaults alive
    usual: set = set()  # names that an argument may have
    answered = counts["specifications"] = [0]

    def fullargspec_to_signature(fullargspec):
        nonlocal last
        names, defaults = list(fullargspec.args), fullargspec.defaults or ()
        others = [(name, kind) for name, kind in ((fullargspec.varargs, varargs), (fullargspec.varkw, varkeywords))
                  if name is not None]
        named = [*names, *(name for name, _ in others)]
        if (fullargspec.kwonlyargs or fullargspec.kwonlydefaults or type(defaults) is not tuple
                or len(defaults) > len(names) or id(empty) in map(id, defaults)
                or len(set(named)) < len(named) or not (usual.issuperset(named) or all(map(plain, named)))):
            return original(fullargspec)
        made_from, (before, known) = (named, others, *map(id, defaults)), last
        if made_from == before:
            answered[0] += 1
            return known
        parameters, first_default = OrderedDict(), len(names) - len(defaults)
        for place, name in enumerate(names):
            default = empty if place < first_default else defaults[place - first_default]
            parameters[name] = parameter(name, either, default, empty)
        for name, kind in others:
            parameters[name] = parameter(name, kind, empty, empty)
        made = signature(parameters, empty)
        if may_be_kept(defaults):
            last = made_from, made
        return made

    def plain(name):
        if type(name) is not str or not name.isidentifier() or iskeyword(name):
            return False
        usual.add(name)
        return True

    fullargspec_to_signature.__wrapped__ = original  # type: ignore[attr-defined]  # for the function cache, that is what stands there
    return fullargspec_to_signature


def _signature(inspect: "Any", function_type: "Any", from_function: "Callable[..., Any]") -> "Callable[..., Any]":
    """inspect.signature, without the search through methods, partials and wrappers where there is nothing to find."""
    original, signature_type = inspect.signature, inspect.Signature

    def signature(obj, **keywords):
        try:
            if keywords or type(obj) is not function_type:
                return original(obj, **keywords)
            own = obj.__dict__
            if SPECIAL.isdisjoint(own):
                return from_function(signature_type, obj)
            found = own.get("__signature__")
            return found if type(found) is signature_type else original(obj)
        except BaseException as error:
            leave_no_frame(error)
            raise

    return signature


def _getfullargspec(inspect: "Any", function_type: "Any") -> "Callable[[Any], Any]":
    """inspect.getfullargspec, for a plain function read from its code without a signature in between."""
    original, specification, empty = inspect.getfullargspec, inspect.FullArgSpec, inspect.Parameter.empty

    def getfullargspec(func):
        try:
            if type(func) is not function_type or not SPECIAL.isdisjoint(func.__dict__):
                return original(func)
            code, defaults = func.__code__, func.__defaults__ or ()
            names, count = code.co_varnames, code.co_argcount
            if code.co_kwonlyargcount or len(defaults) > count or id(empty) in map(id, defaults) or names[:1] == (".0",):
                return original(func)
            arguments, others = list(names[:count]), iter(names[count:])
            varargs = next(others) if code.co_flags & VARARGS else None
            varkeywords = next(others) if code.co_flags & VARKEYWORDS else None
            annotations, given = {}, func.__annotations__
            if given:
                for name in ("return", *arguments, varargs, varkeywords):
                    if given.get(name, empty) is not empty:
                        annotations[name] = given[name]
            return specification(arguments, varargs, varkeywords, defaults or None, [], None, annotations)
        except BaseException as error:
            leave_no_frame(error)
            raise

    return getfullargspec
