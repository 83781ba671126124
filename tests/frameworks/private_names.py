"""Which private names of other people's objects the agent's code mentions: `value._x`, `getattr(value, "_x")`, `vars(value)["_x"]`."""

import ast
import re
import sys

PRIVATE = re.compile(r"_[A-Za-z]\w*")
ITS_OWN = ("self", "cls")  # through which a method reads what its class has given itself

OURS = {  # what the agent reads of objects of its own from outside of their methods
    "_active[-1]._refusal", "entry._file", "lazy._answer", "self.outer._inner",
}
OTHERS = {  # why -> names that are no framework's, or no attribute of an object
    "of the agent, by name": "_What _by_name _end _firststep_late_use _traced",
    "its mark on a thread, a folder or a module of another tool": "_VizTracer _cython_ _op_def_library _pb2 _wrappers",
    "ends of the names of packages": "_cpu _cpu_aws _gpu _intel _macos _rocm",
    "beginnings and ends of names, cut apart": "_FAST _abc_ _path _self_",
    "operations of a graph, and their attributes: a format that is stored": """_Arg _HostRecv _HostSend _ReadVariablesOp _Recv _Retval _Send
        _XlaHasReferenceVars _XlaMustCompile _class _construction_context _gradient_op_type _grappler _handle_dtypes
        _handle_shapes _input_shapes _output_shapes _tf_data _user_specified_name""",
    "Keras 2: a closure of `metrics_utils` puts it on metrics, where nothing can look for it": "_call_result",
    "TensorBoard's, where it is installed": "_register_conversion_function_once",
    "IPython's": "_filename_map _instance",
    "the hooks of setuptools and virtualenv in each import": "_distutils_hack _virtualenv",
    "six's": "_moved_attributes",
    "Python's import": """_ERR_MSG _ERR_MSG_PREFIX _ImportLockContext _ModuleLockManager _NamespaceLoader _NamespacePath
        _bootstrap_external _cache_bytecode _cached _call_with_frames_removed _find_and_load
        _find_and_load_unlocked _find_spec _find_spec_legacy _get_module_lock _get_supported_file_loaders
        _init_module_attrs _initializing _load_backward_compatible _load_unlocked _loaders
        _lock_unlock_module _module_locks _new_module _object_name _set_fileattr
        _uninitialized_submodules _verbose_message _warnings""",
    "Python's typing, inspect and enum": """_BaseGenericAlias _annotation _default _inst _kind _name_ _parameters _partialmethod
        _return_annotation _signature_from_function _sort_order_ _type_check _type_convert _value_""",
    "Python's threads": """_active _active_limbo_lock _count _current_frames _dangling _DummyThread _get_main_thread_ident _limbo _local
        _main_thread _native_id _shutdown_locks _shutdown_locks_lock""",
    "Python's paths": """_cached_cparts _cparts _drv _hash _lines_cached _parts _parts_normcase_cached _path_normpath _path_splitroot
        _path_splitroot_ex _pparts _raw_paths _root _str _str_normcase_cached _tail_cached""",
    "Python's containers and classes": "_abc_impl _fields _get_dump _lru_cache_wrapper _lru_list_elem _replace",
    "Python's own otherwise": """_DataclassParams _FuncPtr _IOBase _MAXCACHE _MAXCACHE2 _cache2 _compiler _data _dlopen _exit
        _fork_exec _getdefaultlocale
        _getframe _getframemodulename _is_gil_enabled _name_sequence _setprofileallthreads
        _settraceallthreads _sha2 _showwarnmsg _showwarnmsg_impl _sre _sysconfig _testinternalcapi
        _xoptions""",
}
NAMES = frozenset(name for names in OTHERS.values() for name in names.split())


class Source:
    """One file of the agent."""

    def __init__(self, text):
        self._nodes = list(ast.walk(ast.parse(text)))

    def own(self):
        """Names that this file gives to what is its own: functions, classes, variables, and attributes that a method puts on its object."""
        for node in self._nodes:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield node.name
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_its_own(node):
                yield node.attr
            elif _names_slots(node):
                yield from ast.literal_eval(node.value)

    def mentioned(self, own):
        """{private name: the expressions that mention it}. own: what the agent's methods may read of their own objects."""
        found: dict = {}
        left_out = {id(node.value) for node in self._nodes if isinstance(node, ast.Expr)}  # what documents
        left_out.update(id(each) for node in self._nodes if _names_slots(node) for each in ast.walk(node.value))
        left_out.update(id(each) for node in self._nodes for each in _signature(node))
        for node in self._nodes:
            if isinstance(node, ast.Attribute) and not (_is_its_own(node) and node.attr in own):
                found.setdefault(node.attr, set()).add(ast.unparse(node))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
                for name in _names(node.value):
                    found.setdefault(name, set()).add(name)
        return {name: where for name, where in found.items() if PRIVATE.fullmatch(name)}


def of_others(texts):
    """[{private name: the expressions}] of each source: what the agent mentions and does not name in OURS."""
    sources = [Source(text) for text in texts]
    own = {name for source in sources for name in source.own()}
    found = ({name: where - OURS for name, where in source.mentioned(own).items()} for source in sources)
    return [{name: where for name, where in each.items() if where} for each in found]


def _is_its_own(node):
    return isinstance(node.value, ast.Name) and node.value.id in ITS_OWN


def _names_slots(node):
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__"


def _signature(node):
    """Types, which are never evaluated."""
    return [getattr(node, field) for field in ("annotation", "returns") if getattr(node, field, None) is not None]


def _names(text):
    """The words of a text that consists of names alone, as `"_x"`, `"._x"` (a step of a path) and `"_x _y".split()` do."""
    words = [word.lstrip(".") for word in text.split()]
    return [word for word in words if word not in sys.stdlib_module_names] if all(map(str.isidentifier, words)) else []
