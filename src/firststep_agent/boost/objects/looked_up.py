"""Names that code looks up where they are known to be no method of a container: `tf.math.log`, a layer that is kept as `self.add`.

What is looked at is the bytecode, and the objects as they are; none of the program's code is run. In doubt a name is not known.
"""

from firststep_agent import kinds, ownership

_SILENT = frozenset(("CACHE", "EXTENDED_ARG", "PUSH_NULL"))
_LOOKS_UP = frozenset(("LOAD_METHOD", "LOAD_ATTR"))
_GLOBALS = frozenset(("LOAD_GLOBAL", "LOAD_NAME"))
_SETS = frozenset(("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"))  # told as stores
_PACKAGES = frozenset(("tensorflow", "keras", "tf_keras", "numpy"))  # whose functions leave alone what they are given
_CHANGING = frozenset(("numpy", "put")), frozenset(("numpy", "random")), frozenset(("tensorflow", "logging"))  # but for these
_MODULE = type(kinds)
_ITSELF = object()


class _Part:
    """What a package's module, `path` from its root, gives under a name: TensorFlow loads Keras's modules when they are asked for."""

    def __init__(self, path, module=None, is_end=False):
        self.path, self.module, self.is_end = path, module, is_end

    def get(self, name):
        """None where it is no module, function or class, or where it might change something that the program sees."""
        path = (*self.path, name)
        if self.is_end or name[:2] == "__" or any(words <= frozenset(path) for words in _CHANGING):
            return None
        value = None if self.module is None else kinds.own(self.module).get(name)
        if value is None:
            return _Part(path)
        if kinds.is_a(value, _MODULE):
            return _Part(path, value) if _package(value) in _PACKAGES else None
        return _Part(path, is_end=True) if callable(value) else None


def known(code, scope, holders):
    """These names. scope: the globals of the code. holders: all objects that have the code as a method."""
    found: set = set()
    elsewhere: set = set()
    before = None
    itself = _itself(code) if holders else None
    for each in _instructions(code):
        name, at, before = each.argval, None if each.is_jump_target else before, None
        if each.opname in _GLOBALS:
            before = _of_package(scope.get(name))
            (elsewhere if before is None and not _is_users(scope.get(name)) else found).add(name)
        elif each.opname in _LOOKS_UP and at is not None:
            if at is _ITSELF:
                is_known = all(_is_called_alone(holder, name) for holder in holders)
            else:
                before = at.get(name)
                is_known = before is not None
            (found if is_known else elsewhere).add(name)
        elif each.opname in _SETS:
            found.add(name)
        elif each.opcode in _named():
            elsewhere.add(name)
        elif itself is not None and each.opname.startswith("LOAD_FAST") and (name[-1] if type(name) is tuple else name) == itself:
            before = _ITSELF
    return found - elsewhere


def _named():
    import dis

    return dis.hasname


def _instructions(code):
    import dis

    return [each for each in dis.get_instructions(code) if each.opname not in _SILENT]


def _itself(code):
    """The variable that holds the object of a method; None where it may come to hold another."""
    if not code.co_argcount:
        return None
    stored = (each.argval for each in _instructions(code) if each.opname.startswith(("STORE_FAST", "DELETE_FAST")))
    is_stored = any(code.co_varnames[0] in (names if type(names) is tuple else (names,)) for names in stored)
    return None if is_stored else code.co_varnames[0]


def _package(module):
    name = kinds.own(module).get("__name__") or kinds.module(type(module))
    return name.partition(".")[0] if type(name) is str else None


def _of_package(value):
    """What stands for a global: a module or a function of these packages; else None."""
    if kinds.is_a(value, _MODULE):
        package = _package(value)
        return _Part((package, *str(kinds.own(value).get("__name__")).split(".")), value) if package in _PACKAGES else None
    module = kinds.module(value) if kinds.is_a(value, type) else value.__module__ if type(value) is kinds.FUNCTION else None
    path = tuple(module.split(".")) if type(module) is str else ("",)
    if path[0] not in _PACKAGES or type(value) is kinds.FUNCTION and ownership.is_user(value):
        return None
    return None if any(words <= frozenset(path) for words in _CHANGING) else _Part(path, is_end=True)


def _is_users(value):
    return type(value) is kinds.FUNCTION and ownership.is_user(value)


def _is_called_alone(holder, name):
    """Whether what an object has under a name is a function of the user's or a layer: their own code tells what a call of them does."""
    value = kinds.own(holder).get(name)
    if value is None:
        value = next((kinds.namespace(one)[name] for one in kinds.mro(type(holder)) if name in kinds.namespace(one)), None)
    return _is_users(value) or any(kinds.qualname(one) == "Layer" and ownership.module_owner(kinds.module(one)) == ownership.FRAMEWORK
                                   for one in kinds.mro(type(value)))
