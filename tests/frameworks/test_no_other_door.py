"""Nothing of the agent assigns to an attribute of a module or class of others, but the door."""

import ast
from pathlib import Path

import pytest

AGENT = Path(__file__).parents[2] / "src" / "firststep_agent"
DOOR = {"frameworks/replacements.py", "frameworks/door.py"}
SETTERS = {"setattr", "delattr", "__setattr__", "__delattr__"}
CHANGES = {"update", "pop", "popitem", "setdefault", "clear", "__setitem__", "__delitem__"}  # of a dictionary
WAYS_ROUND = {"pythonapi", "setitem", "delitem", "patch"}  # ctypes's, operator's, unittest.mock's
# What the agent calls objects of its own.
OWN = {"_active", "_open", "_under_way", "answer", "call", "current", "dressed", "entry", "found", "header", "imports", "listening",
       "outer", "pauses", "proof", "recorded", "run", "steps", "trace", "trust"}
MESSAGES = {"boost/objects/canonical.py", "boost/cache_functions/keep/convert.py"}  # copies of protocol buffers are written
FOR_LINES = "while it is looked where Python's import stands, before the program's first line; put back in the next lines"
FOR_A_TRACE = "Python's own and no framework's, for one trace, and put back only where ours is still there"
# What is assigned to on purpose elsewhere: file -> {what: why it is no second door}.
KNOWN = {
    "__init__.py": {"sys.path": "while the agent loads; the program's own list is there again before its first line"},
    "boost/cache_functions/keep/builds.py": dict.fromkeys(
        ("graph._variable_creator_stack", "graph._create_op_internal"), "an object; put back where it is done"),
    "boost/cache_functions/carried.py": dict.fromkeys(
        ("function.__dict__['_call_flat']", "function.__dict__['__reduce_ex__']"),
        "one function object, which goes to a stored graph, or is noticed when it is used apart or copied; none of its copies"),
    "boost/cache_functions/keep/nested.py": {
        "function.__dict__.pop('_call_flat', None)": "one function object, once it is used apart from the one that was traced with it"},
    "boost/cache_functions/answer/by_content.py": dict.fromkeys(
        ("function.__dict__['_call_flat']", "function.__dict__.pop('_call_flat', None)"),
        "one function object, which goes to no stored graph any more"),
    "boost/cache_functions/learn/late_uses.py": dict.fromkeys(
        ("traced.__dict__[LATE_USE]", "function.__dict__.pop(LATE_USE)"), "one function object, until it is used late"),
    "boost/cache_functions/proof/addresses.py": {
        "ctypes.c_void_p.from_address(word * raw.WORD).value": "a word of a class, in a copy that ends with it"},
    "boost/cache_functions/reads/effects.py": {"change.after": "our own object", "change.before": "our own object"},
    "boost/cache_functions/answer/late.py": {
        "vars(options)['function_cache']": "our own copy",
        "ctx.function_call_options": "around a trace that is made late; put back where the trace itself has set no others"},
    "boost/cache_functions/reads/repeated.py": {"self._made.trace": "our own object", "change.after": "our own object"},
    "boost/cache_functions/reads/places.py": {
        "type.__setattr__(self._owner, self._name, value)": "what a trace changed of the program's objects is repeated, or put back",
        "type.__delattr__(self._owner, self._name)": "what a trace changed of the program's objects is repeated, or put back",
        "self._cell.cell_contents": "what a trace changed of the program's functions is repeated, or put back"},
    "kinds.py": {"ctypes.pythonapi": "a function of Python's that reads"},
    "boost/objects/of_thread.py": {"ctypes.pythonapi": "a function of Python's that reads"},
    "boost/objects/reading.py": {"made.module": "our own object", "made.names": "our own object"},
    "boost/cache_functions/reads/whole.py": {"left.bytes": "our own object", "left.paths": "our own object"},
    "boost/cache_functions/reads/watch/environment.py": {"os.environ._data": FOR_A_TRACE, "os.environb._data": FOR_A_TRACE},
    "boost/traces/scopes.py": {"made.names": "our own object",
                               "here.scope_name": "a name scope around the making of a variable, opened and left as TensorFlow does"},
    "boost/traces/first_traces.py": {"variable.__class__": "the program's variable, of the class that it would have",
                                     "around._variable_creator_stack": "an object; put back where it is done"},
    "boost/traces/initialise.py": {"function._no_variable_creation_config": "a function of the program's, as TensorFlow leaves it"},
    "boost/cache_functions/learn/keras3.py": {"optimizer.built": "an object that was built for the program"},
    "boost/cache_functions/proof/watch.py": {"job.program": "our own object", "job.is_answer": "our own object"},
    "boost/cache_functions/answer/messages.py": {"error._message": "an error of the program's, in the words that it would have"},
    "boost/cache_functions/proof/fork.py": {f"{one}.{what}": "a function of C that ctypes made for us"
                                            for one in ("begin", "reinitialise") for what in ("restype", "argtypes")} | {
        "ctypes.pythonapi": "functions of Python's that are called"},
    "boost/cache_functions/proof/sandbox.py": dict.fromkeys(("library.mmap.restype", "library.mmap.argtypes"),
                                                            "a function of C that ctypes made for us") | {
        "sys.dont_write_bytecode": "in a child of ours"},
    "boost/cache_functions/proof/work.py": dict.fromkeys(
        ("loader.load_source", "module.__file__", "sys.modules[name]", "exec(compile(source, file, 'exec'), vars(module))"),
        "in a child of ours"),
    "boost/cache_functions/answer/replay.py": {
        "config.graph_options.rewrite_options.disable_meta_optimizer": "a protocol buffer of our own",
        "weakref.finalize(function, _unregister, context.context(), names).atexit": "our own finaliser"},
    "boost/cache_functions/stack_room.py": {"sys.getrecursionlimit": FOR_A_TRACE},
    "boost/traces/outlets.py": dict.fromkeys((
        "setattr(self._owner, self._name, self._function)", "setattr(self._owner, self._name, self._plain)", "setattr(sys, name, by)"),
        FOR_A_TRACE) | {"setattr(self._stream, name, value)": "what the program sets on the stream that stands behind ours"},
    "boost/traces/speech.py": {"vars(owner).setdefault('__warningregistry__', {})": "as warnings does"},
    "boost/defer_source_lines.py": {
        "vars(stand_in).update(vars(traceback), extract_stack=extract_stack)": "our own module, in a place that run.put gives back"},
    "boost/image/loading.py": {
        **dict.fromkeys(("importlib._find_spec", "importlib._warnings", "sys.modules['firststep_closed']", "sys.modules.pop(made, None)",
                         "vars(importlib).update(kept)", "sys.modules[name]"), FOR_LINES),
        "leaves._set_fileattr": "a spec of our own",
        "spec._set_fileattr": "a spec that is made as importlib makes it",
        **dict.fromkeys((*(f"attributes['__{one}__']" for one in ("cached", "file", "loader", "package", "path", "spec")),
                         "modules[name]", "modules.pop(name)", "modules.pop(name, None)"), "a module that is made as importlib makes it"),
        "spec._initializing": "as importlib does", "setattr(parent, child, module)": "as importlib does"},
    "boost/image/serving.py": {f"spec.{one}": "a spec that is made as importlib makes it"
                               for one in ("_set_fileattr", "submodule_search_locations", "_cached")} | dict.fromkeys(
        ("sys.meta_path", "importlib._find_spec_legacy"), FOR_LINES),
    "boost/memoise_signatures.py": {
        **dict.fromkeys(("__setattr__", "object.__setattr__", "typing._BaseGenericAlias.__setattr__"),
                        "what `run.replace` puts in the place of Python's, and calls"),
        **{f"made.__forward_{one}__": "an object that is made as Python makes it"
           for one in ("arg", "code", "evaluated", "value", "is_argument", "is_class", "module")},
        **{f"made._{one}": "an object that is made as Python makes it"
           for one in ("name", "kind", "default", "annotation", "parameters", "return_annotation")}},
    "bootstrap/sitecustomize.py": {
        "error.__traceback__": "our own frame is left out of what another sitecustomize raises",
        "sys.modules['firststep_agent']": "our own module", "sys.modules['sitecustomize']": "our own module"},
    "boost/overlap.py": dict.fromkeys(("dlopen.restype", "dlopen.argtypes"), "a function of C that ctypes made for us"),
    "boost/traces/instead_of_build.py": dict.fromkeys(("vars(optimizer)['build']", "vars(optimizer).pop('build', None)"),
                                                      "an object; put back where it is done"),
    "boost/prebuild_variables/lifting.py": {"graph._variable_creator_stack": "an object; put back where it is done"},
    "as_found.py": dict.fromkeys(("made.__kwdefaults__", "vars(copy).update(((name, new.get(id(value), value)) for name, value in "
                                  "vars(module).items()))"), "our own copies"),
    "boost/way_in.py": {"sys.dont_write_bytecode": "put back in the next lines", "sys.modules['firststep_agent']": "our own module"},
    "collector.py": {"setattr": "a callback that sets an attribute of a list of our own"},
    "imports.py": {
        "function.__code__": "our own function",
        "self._importlib['_find_and_load']": "while one import runs, Python's own in the place of what `run.replace` has put there"},
    "marks.py": {
        "sys.modules['firststep']": "our own module, where the program asks for it and there is no other",
        "vars(stand_in).update({name: globals()[name] for name in NAMES}, __all__=list(NAMES))": "our own module",
        **{f"setattr(FirststepCallback, f'on_{{hook}}', _once(hook{more}))": "our own class" for more in ("", ", numbered=True")}},
    "observe/hook_points.py": {"sys.path": "`doctor` looks where the program would; put back where it is done"},
    "pythons_own.py": dict.fromkeys(("sys.modules.pop(name, None)", "sys.modules[name]"),
                                    "what an extension module of Python's own has put there itself, or the program's of that name"),
    "run.py": {"sys.modules[name]": "modules that only the agent has imported, which the program would import itself"},
    "observe/processes.py": {"subprocess._fork_exec": "put back at ready with the rest of what sees processes"},
    "dressing.py": {"error.__traceback__": "an error of the program's, without our frames"},
}


def assigned(tree):
    """(whose it is, the whole as text) of each attribute that is assigned to, or deleted, in whichever way."""
    namespaces = aliases(tree)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        changed = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
        if isinstance(node, ast.Attribute) and changed:
            yield node.value, ast.unparse(node)
        elif isinstance(node, ast.Subscript) and changed and is_namespace(node.value, namespaces):
            yield whose(node.value), ast.unparse(node)
        elif isinstance(node, ast.Call):
            yield from by_a_call(node, namespaces)
        elif not changed and (name_of(node) in WAYS_ROUND or name_of(node) in SETTERS and id(node) not in called):
            yield None, ast.unparse(node)  # a setter that is given away, as to functools.partial


def by_a_call(node, namespaces):
    name = name_of(node.func)
    if name in SETTERS and node.args:
        yield (None if isinstance(node.func, ast.Name) and node.func.id != name else node.args[0]), ast.unparse(node)
    elif name == "exec":
        yield None, ast.unparse(node)
    elif name in CHANGES and isinstance(node.func, ast.Attribute) and is_namespace(node.func.value, namespaces):
        yield whose(node.func.value), ast.unparse(node)


def name_of(node):
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", None)


def is_namespace(expression, aliases=()):
    """Whether it is the attributes of something: `x.__dict__`, `vars(x)`, `globals()`, `sys.modules`, or a name that one was given."""
    text = ast.unparse(expression)
    return text in aliases or text.endswith((".__dict__", ".modules", ".__globals__", ".f_globals")) or (
        isinstance(expression, ast.Call) and name_of(expression.func) in ("vars", "globals", "locals"))


def aliases(tree):
    """Names that a source gives to the attributes of something: `own = vars(module)`."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                for name, value in zip(target.elts, node.value.elts) if several else [(target, node.value)]:
                    if value is not None and is_namespace(value):
                        found.add(ast.unparse(name))
    return found


def whose(namespace):
    """What a namespace is the attributes of."""
    if isinstance(namespace, ast.Call) and namespace.args:
        return namespace.args[0]
    return namespace.value if isinstance(namespace, ast.Attribute) and namespace.attr == "__dict__" else None


def is_own(expression, mine):
    """Whether what is assigned to is the agent's: a name of its own, also as an attribute of what is; what its classes make."""
    while isinstance(expression, ast.Subscript):
        expression = expression.value
    if root_of(expression) not in mine:
        return False
    if isinstance(expression, ast.Call):
        return str(name_of(expression.func)).lstrip("_")[:1].isupper()
    return isinstance(expression, ast.Name) or name_of(expression) in OWN


def root_of(expression):
    """The name with which it begins: `a` of `a.b[0].c()`; None where it begins otherwise."""
    while isinstance(expression, (ast.Attribute, ast.Subscript, ast.Call)):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    return name_of(expression)


def bindings(tree):
    """(name, what it is bound to) of each name that a source binds to another's: the module or name that it imports, an expression."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.asname or name.name.partition(".")[0], name.name.partition(".")[0]) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((name.asname or name.name, "" if node.level else str(node.module).partition(".")[0]) for name in node.names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from named(target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            yield from named(node.target, node.iter)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield from named(node.optional_vars, node.context_expr)


def named(target, value):
    """(name, the expression that it is bound to) of each name of a target."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)):
        several = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        for each, part in zip(target.elts, value.elts if several else [value] * len(target.elts)):
            yield from named(each, part)
    elif isinstance(target, ast.Starred):
        yield from named(target.value, value)


def of_others(tree, mine):
    """Names that a source binds, anywhere in it, to what is not the agent's: other packages' modules and what these have, and attributes
    of what nobody knows (`entry = module.Model`)."""
    found, before = set(), None
    bound = list(bindings(tree))
    while found != before:
        before = set(found)
        for name, value in bound:
            if isinstance(value, str):
                found |= {name} if value not in ("", "firststep_agent") else set()
            elif is_others(value, mine - found, found):
                found.add(name)
    return found


def is_others(value, mine, others):
    """Whether an expression gives a thing of others: it begins with one of theirs, or is an attribute of what is not the agent's."""
    if isinstance(value, (ast.BoolOp, ast.IfExp)):
        ways = value.values if isinstance(value, ast.BoolOp) else (value.body, value.orelse)
        return any(is_others(each, mine, others) for each in ways)
    if isinstance(value, ast.Call) and name_of(value.func) == "getattr" and value.args:
        return is_others(value.args[0], mine, others)
    if ast.unparse(value) == "threading.local()":  # an object of our own
        return False
    return root_of(value) in others or isinstance(value, ast.Attribute) and root_of(value) not in mine


def ours(tree):
    """Names that stand for objects of the agent's own wherever they are used in a file: its functions and classes, and what they make."""
    made = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level or str(node.module).startswith("firststep_agent")):
            made |= {name.asname or name.name for name in node.names}
    return made


def foreign(text):
    """What a source assigns to that is not plainly its own, in a set."""
    tree = ast.parse(text)
    mine = {"self", *OWN, *ours(tree)}
    mine -= of_others(tree, mine)
    return {shown for whose_it_is, shown in assigned(tree) if whose_it_is is None or not is_own(whose_it_is, mine)}


def sources():
    return sorted(str(path.relative_to(AGENT)) for path in AGENT.rglob("*.py"))


def test_nothing_else_assigns_to_what_is_others():
    found = {name: foreign((AGENT / name).read_text()) - set(KNOWN.get(name, {})) for name in sources() if name not in DOOR | MESSAGES}
    found = {name: targets for name, targets in found.items() if targets}
    assert found == {}, "put it through run.wrap, run.put, run.listen or run.replace; or say why not, in KNOWN"


def test_what_is_known_is_still_there():
    assert (DOOR | MESSAGES).issubset(sources())
    gone = {name: set(known) - foreign((AGENT / name).read_text()) for name, known in KNOWN.items()}
    assert not any(gone.values()), gone


@pytest.mark.parametrize("wrong", [
    "def f(module):\n    module.fit = g",
    "def f(owner):\n    setattr(owner, 'fit', g)",
    "def f(owner):\n    type.__setattr__(owner, 'fit', g)",
    "import keras\nkeras.Model.fit = g",
    "import sys\nsys.modules['keras'].Model.fit = g",
    "def f(cls):\n    cls.fit, other = g, h",
    "def f(owner):\n    owner.calls += 1",
    "def f(owner):\n    del owner.fit",
    "def f(function):\n    function.__dict__['_call_flat'] = g",
    "def f(module):\n    vars(module)['fit'] = g",
    "class C:\n    def f(self, module):\n        for module.x in range(3):\n            pass",
    "def f(module):\n    with g() as module.x:\n        pass",
    "def f(module):\n    (a, (module.x, *b)) = c",
    "def f(module):\n    vars(module).update(fit=g)",
    "def f(module):\n    module.__dict__.update(fit=g)",
    "def f(module):\n    module.__dict__.setdefault('fit', g)",
    "def f(module):\n    vars(module).pop('fit')",
    "def f(module):\n    own = vars(module)\n    own['fit'] = g",
    "def f(module):\n    own, other = vars(module), 1\n    own.update(fit=g)",
    "class C:\n    def f(self, module):\n        self._own = vars(module)\n        self._own['fit'] = g",
    "class C:\n    def f(self):\n        self._module.fit = g",
    "import sys\nsys.modules['keras'] = g",
    "import sys\nmodules = sys.modules\nmodules['keras'] = g",
    "import sys\nsys.modules.pop('keras')",
    "from keras import Model\nModel.fit = g",
    "from keras import Model as M\nM.fit = g",
    "import functools, keras\nfunctools.partial(setattr, keras.Model, 'fit')(g)",
    "import keras\nput = setattr\nput(keras.Model, 'fit', g)",
    "import keras\nput = type.__setattr__\nput(keras.Model, 'fit', g)",
    "import builtins, keras\nbuiltins.setattr(keras.Model, 'fit', g)",
    "def f(owner):\n    object.__setattr__(owner, 'fit', g)",
    "def f(owner):\n    super(type(owner), owner).__setattr__('fit', g)",
    "import ctypes\nctypes.pythonapi.PyObject_SetAttr(owner, 'fit', g)",
    "import operator\noperator.setitem(vars(owner), 'fit', g)",
    "exec('keras.Model.fit = g')",
    "from firststep_agent.frameworks import resolve\nresolve.attribute(point).fit = g",
    "def f(function):\n    function.__globals__['fit'] = g",
    "import sys\nsys._getframe(1).f_globals['fit'] = g",
    "from keras.src import layers as found\nfound.fit = g",
    "import keras.layers as entry\nentry.Layer.fit = g",
    "import keras as run\nrun.fit = g",
    "def f(module):\n    entry = module.Model\n    entry.fit = g",
    "def f(module):\n    found, entry = 1, module.Model\n    entry.fit = g",
    "def f(module):\n    if (entry := module.Model):\n        entry.fit = g",
    "def f(m):\n    m.answer.fit = g",
    "import keras\nsteps = keras.Model\nsteps.fit = g",
    "import keras\nsteps = keras.Model\nentry = steps\nentry.fit = g",
    "import keras\ntrace = keras.layers.layer\ncall = trace.Layer\ncall.fit = g",
    "import keras\nsteps = keras.models['Model']\nsteps.fit = g",
    "import keras\nsteps = keras.get('Model')\nsteps.fit = g",
    "import sys\nsteps = sys.modules['keras'].Model\nsteps.fit = g",
    "import sys\nsteps = getattr(sys.modules['keras'], 'Model')\nsteps.fit = g",
    "import keras\nsteps = None or keras.Model\nsteps.fit = g",
    "import keras\nsteps = keras.Model if keras else None\nsteps.fit = g",
    "def f(module):\n    module.Trace().fit = g",
    "import keras\nfor steps in keras.models:\n    steps.fit = g",
    "import keras\nwith keras.scope() as steps:\n    steps.fit = g",
])
def test_no_second_door_goes_unseen(wrong):
    assert foreign(wrong)


@pytest.mark.parametrize("right", ["class C:\n    def f(self):\n        self.x = 1", "x = {}\nx['a'] = 1",
                                   "def f():\n    pass\nf.__name__ = 'g'"])
def test_what_is_its_own_is_no_door(right):
    assert not foreign(right)
