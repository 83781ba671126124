"""What frameworks, and Python, note on objects for themselves: attributes that decide no trace, or are no state of the program's."""

import types

from firststep_agent import kinds, ownership
from firststep_agent.boost.objects.special import frameworks_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


def unread(cls: type, seeds: bool) -> "frozenset[str]":
    """Names of attributes of a framework's class that never decide what is traced, though code that ran names them.

    `seeds`: whether the seeds of initializers count.
    """
    known = _unread_of.get((id(cls), seeds))
    if known is None:
        names = frameworks_names(cls) - {"RandomInitializer"} if seeds else frameworks_names(cls)
        known = _unread_of[id(cls), seeds] = cls, frozenset(attribute for name in names for attribute in _UNREAD.get(name, ()))
    return known[1]


# (id of a class, seeds) -> (the class, so that no other gets its id; names)
_unread_of: "dict[tuple[int, bool], tuple[type, frozenset[str]]]" = kinds.keeping({})

# What a dictionary that TensorFlow tracks held when it was last changed as is meant: one that holds something else cannot be saved.
TRACKED = "_self_last_wrapped_dict_snapshot"
# AutoGraph has met this function: set by a trace, not by an answer. Of a library's the next trace comes out the same.
CONVERTED = "autograph_info__"

# Class -> attributes, each with the reason.
_UNREAD = {
    "Trackable": ("_self_update_uid",),  # a counter of the process, moved by checkpoints; read when one is restored
    "KeyValueTensorInitializer": ("_name",),  # numbered by the process; names an operation that is made with the table
    "Layer": (
        "_loss_ids",  # ids of objects
        "_called",  # set by every call, read by export
        "_obj_reference_counts_dict",  # Keras 2: how often attributes hold what; the attributes count themselves
        "_metrics_lock", "_thread_local",  # Keras 2: guards and a note of running calls
        "_call_signature",  # made from the method `call`, which counts itself
        "_build_shapes_dict",  # a record of `build`, read when saving
    ),
    "Tracker": ("stored_ids",),  # ids of objects whose lists count themselves
    # Keras 2: ids of symbolic tensors, which count themselves.
    "Node": ("flat_input_ids", "flat_output_ids", "_keras_inputs_ids_and_indices"),
    "Metric": ("_call_result",),  # Keras 2: the last result, of whichever graph; read where whole programs are graphs (training_v1)
    "SeedGenerator": ("_initial_seed",),  # drawn at random where none was given; the state is in a variable
    "RandomInitializer": ("seed", "_init_seed"),  # used when a variable is made, never in the graph of a step
    "Functional": ("_tensor_usage_count",),  # Keras 2: keyed by ids; the nodes count themselves
    # The functions made for fit, evaluate and predict: the one that is traced is where the walk begins.
    "Model": ("train_function", "test_function", "predict_function", "train_tf_function"),
    "Function": ("_nodes",),  # keyed by ids; `_nodes_by_depth` holds them
    "BaseOptimizer": (
        "_trainable_variables_indices",  # keyed by ids; made from `_trainable_variables`
        "_exclude_from_weight_decay_cache",  # keyed by ids; made from `_exclude_from_weight_decay` and the names of variables
    ),
    "_DictWrapper": (TRACKED, "_self_non_string_key", "_self_external_modification"),  # by what it holds
    "Bind": (CONVERTED,),  # what `tf.custom_gradient` gives, which AutoGraph never converts
    "AutoTrackable": ("_self_unconditional_checkpoint_dependencies", "_self_unconditional_dependency_names"),
}

# Of those the ones that no program can tell of, once the trace is made: a proof compares all others.
UNSEEN = frozenset((
    "_metrics_lock", "_thread_local",  # say what runs now
    "_obj_reference_counts_dict",  # Keras 2: what it does not count goes with its attribute
    "_call_result",  # Keras 2: nobody asks for it outside of graphs
    CONVERTED,
))


def as_given(put_on: "dict[str, Any]") -> "Iterator[tuple[str, Any]]":
    """The attributes of a library's function, (name, value), as they were before AutoGraph met it: it marks one that it will not convert,
    and puts what it makes of a decorated one into its `__wrapped__`, which no call of it looks at."""
    return ((name, _before_autograph(value) if name == "__wrapped__" else value) for name, value in put_on.items() if name != CONVERTED)


def _before_autograph(value: "Any") -> "Any":
    """What stood where functions of AutoGraph's are, which call that."""
    while type(value) is types.FunctionType and "__wrapped__" in value.__dict__ and _is_autographs(value.__code__.co_filename):
        value = value.__dict__["__wrapped__"]
    return value


def _is_autographs(file: str) -> bool:
    return file.endswith(_AUTOGRAPHS) and ownership.owner(file) == ownership.FRAMEWORK


_AUTOGRAPHS = "/autograph/impl/api.py"


# What TensorFlow gives a `Trackable` when it first asks for one of these: one that has none yet is no other.
_AS_MADE: "dict[str, Any]" = {
    "_self_setattr_tracking": True, "_self_update_uid": -1, "_self_unconditional_checkpoint_dependencies": [],
    "_self_unconditional_dependency_names": {}, "_self_unconditional_deferred_dependencies": {}, "_self_name_based_restores": set(),
    "_self_saveable_object_factories": {},
}


def is_as_made(name: str, value: "Any") -> bool:
    """Whether an attribute is what TensorFlow gives each object that it keeps account of."""
    return name in _AS_MADE and type(value) is type(_AS_MADE[name]) and value == _AS_MADE[name]


def is_trackable(cls: type) -> bool:
    """Whether TensorFlow keeps account of its objects for checkpoints."""
    return "Trackable" in frameworks_names(cls)


@kinds.once
def retold(cls: type) -> "dict[str, Callable[[Any], Any]]":
    """Attributes of a framework's class that are not told as they stand, each with what tells of it."""
    return {attribute: tells for name in frameworks_names(cls) for attribute, tells in _RETOLD.get(name, {}).items()}


def _without_numbers(dictionary: "Any") -> "tuple[tuple[str, Any], ...]":
    """The names and values, in order, of one whose keys are names of variables with a number of the process behind."""
    return tuple((str(name).rpartition("_")[0], value) for name, value in _unwrapped(dictionary).items())


def _without_ids(dictionary: "Any") -> "tuple[Any, ...]":
    """The values, in order, of one whose keys are ids of objects."""
    return tuple(_unwrapped(dictionary).values())


def _of_no_trace(dictionary: "Any") -> "dict[Any, Any]":
    """Without what was kept for a trace's graph, which is asked for by that graph's own operations alone."""
    return {reference: value for reference, value in dictionary.items() if "FuncGraph" not in frameworks_names(type(reference()))}


def _unwrapped(dictionary: "Any") -> "Any":
    """A dictionary, or the one that TensorFlow's wrapper holds."""
    return getattr(dictionary, "__wrapped__", dictionary)


# Class -> attributes, and what tells of each; all of Keras 2, but for the first two.
_RETOLD: "dict[str, dict[str, Callable[[Any], Any]]]" = {
    "Bind": {"__wrapped__": _before_autograph},
    "TFDecorator": {"_decorated_target": _before_autograph},
    "_BaseOptimizer": {"_index_dict": _without_numbers},  # which slot of the optimizer is which variable's
    "Functional": {"_tensor_usage_count": _without_ids},  # how often each tensor is used
    # Ids of symbolic tensors, which count themselves.
    "Node": {"flat_input_ids": len, "flat_output_ids": len, "_keras_inputs_ids_and_indices": lambda pairs: [place for _, place in pairs]},
    "ContextValueCache": {"data": _of_no_trace},  # the masks of an RNN's dropout
}


# What a path keeps when it is first asked for, of 3.9 to 3.13: its words are all that there is.
_OF_A_PATH = ("_str", "_hash", "_drv", "_root", "_parts", "_pparts", "_cparts", "_cached_cparts", "_raw_paths", "_tail_cached",
              "_str_normcase_cached", "_parts_normcase_cached", "_lines_cached")
# Class -> attributes that a trace moves and that decide nothing later, each with the reason.
MOVING = {
    "logging.Logger": ("_cache",),  # answers to whether a level is on, by level
    "pathlib.PurePath": _OF_A_PATH,
    "pathlib._local.PurePath": _OF_A_PATH,
}


def moving(cls: type) -> "list[str]":
    """Names of such attributes of a class and of those below it."""
    return [name for base in kinds.mro(cls) for name in MOVING.get(kinds.qualified(base), ())]
