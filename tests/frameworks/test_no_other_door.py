"""Nothing of the agent assigns to an attribute of a module or class of others, but the door."""

import ast
from pathlib import Path

import pytest

AGENT = Path(__file__).parents[2] / "src" / "firststep_agent"
DOOR = {"frameworks/replacements.py", "frameworks/door.py"}
SETTERS = {"setattr", "delattr", "__setattr__", "__delattr__"}
# What the agent calls objects of its own.
OWN = {"_active", "_open", "answer", "call", "current", "dressed", "entry", "found", "listening", "proof", "recorded", "run", "steps",
       "trace", "trust"}
MESSAGES = {"boost/cache_functions/keep/canonical.py", "boost/cache_functions/keep/convert.py"}  # copies of protocol buffers are written
FOR_A_TRACE = "only while a trace is learned or proved, on the function cache's own account"
# What is assigned to on purpose elsewhere: file -> {what: why it is no second door}.
KNOWN = {
    "__init__.py": {"sys.path": "while the agent loads; the program's own list is there again before its first line"},
    "boost/cache_functions/keep/builds.py": {"graph._variable_creator_stack": "an object; put back where it is done"},
    "boost/cache_functions/answer/by_content.py": {"function.__dict__['_call_flat']": "one function object, which goes to a stored graph"},
    "boost/cache_functions/reads/effects.py": {
        "object.__setattr__(owner, name, then[0])": "what a trace changed of the program's objects is put back",
        "object.__delattr__(owner, name)": "what a trace changed of the program's objects is put back"},
    "boost/cache_functions/reads/executed.py": {"library._apply_op_helper": FOR_A_TRACE},
    "boost/objects/expand.py": {"made.module": "our own object", "made.names": "our own object"},
    "boost/cache_functions/reads/whole.py": {"left.bytes": "our own object", "left.paths": "our own object"},
    "boost/cache_functions/reads/watch/environment.py": {"os.environ._data": FOR_A_TRACE, "os.environb._data": FOR_A_TRACE},
    "boost/cache_functions/reads/watch/values.py": {
        "replacement.__wrapped__": "our own function", "setattr(cls, name, replacement)": FOR_A_TRACE,
        "setattr(cls, name, plain)": FOR_A_TRACE},
    "boost/traces/first_traces.py": {"variable.__class__": "the program's variable, of the class that it would have"},
    "boost/cache_functions/learn/keras3.py": {"optimizer.built": "an object that was built for the program"},
    "boost/cache_functions/answer/messages.py": {"error._message": "an error of the program's, in the words that it would have"},
    "boost/cache_functions/proof/fork.py": {f"{one}.{what}": "a function of C that ctypes made for us"
                                            for one in ("begin", "reinitialise") for what in ("restype", "argtypes")},
    "boost/cache_functions/proof/sandbox.py": dict.fromkeys(("library.mmap.restype", "library.mmap.argtypes"),
                                                            "a function of C that ctypes made for us"),
    "boost/cache_functions/proof/work.py": {"loader.load_source": "in a child of ours", "module.__file__": "in a child of ours"},
    "boost/cache_functions/learn/purity.py": {"module.get_seed": FOR_A_TRACE},
    "boost/cache_functions/answer/replay.py": {
        "config.graph_options.rewrite_options.disable_meta_optimizer": "a protocol buffer of our own",
        "weakref.finalize(function, _unregister, context.context(), names).atexit": "our own finaliser"},
    "boost/traces/speech.py": dict.fromkeys((
        "warnings.showwarning", "logging.Logger.callHandlers", "logging.Logger.isEnabledFor", "setattr(owner, name, original)",
        "setattr(sys, name, _Tee(stream, name, self))"), FOR_A_TRACE),
    "boost/image/loading.py": {
        "importlib._find_spec": "one import's, put back where it is done",
        "setattr(loader, 'get_code', lambda name: code)": "a loader that is made for one module",
        "spec._set_fileattr": "a spec that is made as importlib makes it",
        "spec._initializing": "as importlib does", "setattr(modules[package], child, module)": "as importlib does"},
    "boost/image/serving.py": {f"spec.{one}": "a spec that is made as importlib makes it"
                               for one in ("_set_fileattr", "submodule_search_locations", "_cached")},
    "boost/memoise_signatures.py": {
        **{f"made.__forward_{one}__": "an object that is made as Python makes it"
           for one in ("arg", "code", "evaluated", "value", "is_argument", "is_class", "module")},
        **{f"made._{one}": "an object that is made as Python makes it"
           for one in ("name", "kind", "default", "annotation", "parameters", "return_annotation")}},
    "bootstrap/sitecustomize.py": {"error.__traceback__": "our own frame is left out of what another sitecustomize raises"},
    "boost/overlap.py": dict.fromkeys(("dlopen.restype", "dlopen.argtypes"), "a function of C that ctypes made for us"),
    "boost/prebuild_variables/keras3.py": {"vars(optimizer)['build']": "an object; put back where it is done"},
    "boost/prebuild_variables/lifting.py": {"graph._variable_creator_stack": "an object; put back where it is done"},
    "boost/way_in.py": {"sys.dont_write_bytecode": "put back in the next lines"},
    "data_stack.py": {"function.__code__": "where frames lie, not what they do; put back at ready"},
    "imports.py": {"function.__code__": "our own function"},
    "marks.py": {f"setattr(FirststepCallback, f'on_{{hook}}', _once(hook{more}))": "our own class" for more in ("", ", numbered=True")},
    "observe/hook_points.py": {"sys.path": "`doctor` looks where the program would; put back where it is done"},
    "observe/processes.py": {"subprocess._fork_exec": "put back at ready with the rest of what sees processes"},
    "dressing.py": {"error.__traceback__": "an error of the program's, without our frames"},
}


def assigned(tree):
    """(line, target) of each attribute that is assigned to, or deleted: its target as text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", None)
            if name in SETTERS and node.args:
                yield node, node.args[0], ast.unparse(node)
            continue
        targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else [node.target] if isinstance(
            node, (ast.AugAssign, ast.AnnAssign)) else []
        for target in targets:
            for one in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if isinstance(one, ast.Attribute) or (isinstance(one, ast.Subscript) and is_namespace(one.value)):
                    yield node, one.value, ast.unparse(one)


def is_namespace(expression):
    """Whether it is the attributes of something: `x.__dict__`, `vars(x)`."""
    return ast.unparse(expression).endswith(".__dict__") or (
        isinstance(expression, ast.Call) and isinstance(expression.func, ast.Name) and expression.func.id == "vars")


def root(expression):
    """The name that an expression begins with; None where it begins with none."""
    while isinstance(expression, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(expression, ast.Call):
            named = isinstance(expression.func, ast.Name) and expression.func.id in ("vars", "getattr", "type") and expression.args
            expression = expression.args[0] if named else expression.func
        else:
            expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else None


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
    return {shown for node, base, shown in assigned(tree) if root(base) not in mine}


def sources():
    return sorted(str(path.relative_to(AGENT)) for path in AGENT.rglob("*.py"))


def test_nothing_else_assigns_to_what_is_others():
    found = {name: foreign((AGENT / name).read_text()) - set(KNOWN.get(name, {})) for name in sources() if name not in DOOR | MESSAGES}
    found = {name: targets for name, targets in found.items() if targets}
    assert found == {}, "put it through run.wrap, run.put, run.listen or run.replace; or say why not, in KNOWN"


def test_what_is_known_is_still_there():
    assert set(KNOWN) | DOOR | MESSAGES <= set(sources())


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
    "class C:\n    def f(self, module):\n        for module.x in range(3):\n            pass\n        module.x = 1",
])
def test_no_second_door_goes_unseen(wrong):
    assert foreign(wrong)


@pytest.mark.parametrize("right", ["class C:\n    def f(self):\n        self.x = 1", "x = {}\nx['a'] = 1",
                                   "def f():\n    pass\nf.__name__ = 'g'"])
def test_what_is_its_own_is_no_door(right):
    assert not foreign(right)
