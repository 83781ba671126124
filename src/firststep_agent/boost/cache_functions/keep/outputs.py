"""The structure of a function's outputs as JSON, and back: which tensors go where in what the caller gets.

TensorFlow's own serialisation of trace types loses the order of dictionaries and does not take `Optional`s, so the
containers are written here one by one and only single type specs use TensorFlow's encoder.
"""

import base64
import collections
import sys

from firststep_agent import kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class NotEncodable(Exception):
    """An output that cannot be rebuilt from tensors in another process; says which."""


def encode(trace_type: "Any") -> "dict[str, Any]":
    """JSON-able description of a trace type (`FunctionType.output`). Raises NotEncodable."""
    from tensorflow.core.function.trace_type import default_types as types

    if isinstance(trace_type, types.Tuple):
        return {"tuple": [encode(c) for c in trace_type.components]}
    if isinstance(trace_type, types.List):
        return {"list": [encode(c) for c in trace_type.components_tuple.components]}
    if isinstance(trace_type, types.Dict):
        items = [[_key(k), encode(v)] for k, v in trace_type.mapping.items()]
        return {"dict": items, "of": _class_name(trace_type._placeholder_type, _MAPPINGS)}
    if isinstance(trace_type, types.NamedTuple):
        attributes = [encode(c) for c in trace_type.attributes.components]
        return {"namedtuple": attributes, "of": _named_tuple_name(trace_type._placeholder_type)}
    if isinstance(trace_type, types.Literal):
        return {"literal": _literal(trace_type.value)}
    return _encode_spec(trace_type)


def decode(description: "Any") -> "Any":
    """The trace type of `encode`. Raises NotEncodable where a class is not there any more."""
    from tensorflow.core.function.trace_type import default_types as types

    if "tuple" in description:
        return types.Tuple(*[decode(c) for c in description["tuple"]])
    if "list" in description:
        return types.List(*[decode(c) for c in description["list"]])
    if "dict" in description:
        return types.Dict({k: decode(v) for k, v in description["dict"]}, _MAPPINGS[description["of"]])
    if "namedtuple" in description:
        attributes = tuple(decode(c) for c in description["namedtuple"])
        return types.NamedTuple.from_type_and_attributes(_named_tuple(description["of"]), attributes)
    if "literal" in description:
        return types.Literal(description["literal"])
    return _decode_spec(description)


_MAPPINGS: "dict[str, Any]" = {"dict": dict, "OrderedDict": collections.OrderedDict, "defaultdict": collections.defaultdict}
_OF_OPERATIONS = "_{}Output"  # the name under which TensorFlow's modules hold those of an operation: `tf.unique`, `tf.nn.top_k`
_SPECS = ("TensorSpec", "RaggedTensorSpec", "SparseTensorSpec", "IndexedSlicesSpec", "TensorArraySpec")


def _encode_spec(spec: "Any") -> "dict[str, Any]":
    from tensorflow.python.data.ops import optional_ops
    from tensorflow.python.framework import type_spec
    from tensorflow.python.saved_model import nested_structure_coder

    if type(spec) is optional_ops.OptionalSpec:
        return {"optional": encode_nest(spec._element_spec)}
    cls = type(spec)
    if not isinstance(spec, type_spec.TypeSpec) or kinds.name(cls) not in _SPECS or not (kinds.module(cls) or "").startswith("tensorflow."):
        raise NotEncodable(f"it returns a {kinds.name(cls)}, which is more than tensors")
    encoded = nested_structure_coder.encode_structure(spec).SerializeToString()
    return {"spec": base64.b64encode(encoded).decode()}


def _decode_spec(description: "dict[str, Any]") -> "Any":
    from tensorflow.core.protobuf import struct_pb2
    from tensorflow.python.data.ops import optional_ops
    from tensorflow.python.saved_model import nested_structure_coder

    if "optional" in description:
        return optional_ops.OptionalSpec(decode_nest(description["optional"]))
    value = struct_pb2.StructuredValue.FromString(base64.b64decode(description["spec"]))
    return nested_structure_coder.decode_proto(value)


def encode_nest(nest: "Any") -> "dict[str, Any]":
    """A Python structure of type specs, as the elements of an `Optional` or a dataset have it. Raises NotEncodable."""
    from tensorflow.python.data.ops import dataset_ops
    from tensorflow.python.data.util import structure

    if nest is None:
        return {"none": True}
    if type(nest) is dataset_ops.DatasetSpec and nest._dataset_shape.rank == 0:
        return {"dataset": encode_nest(nest._element_spec)}
    if type(nest) is structure.NoneTensorSpec:
        return {"nothing": True}
    if isinstance(nest, collections.defaultdict):
        raise NotEncodable("it returns a defaultdict inside another type")  # whose factory is not known
    if isinstance(nest, dict):
        return {"dict": [[_key(k), encode_nest(v)] for k, v in nest.items()], "of": _class_name(type(nest), _MAPPINGS)}
    if kinds.is_just(nest, tuple, list):
        return {type(nest).__name__: [encode_nest(v) for v in nest]}
    if isinstance(nest, tuple) and hasattr(nest, "_fields"):
        return {"namedtuple": [encode_nest(v) for v in nest], "of": _named_tuple_name(type(nest))}
    return _encode_spec(nest)


def decode_nest(description: "dict[str, Any]") -> "Any":
    """The structure of `encode_nest`. Raises NotEncodable where a class is not there any more."""
    from tensorflow.python.data.ops import dataset_ops
    from tensorflow.python.data.util import structure

    if "none" in description:
        return None
    if "dataset" in description:
        return dataset_ops.DatasetSpec(decode_nest(description["dataset"]))
    if "nothing" in description:
        return structure.NoneTensorSpec()
    if "dict" in description:
        return _MAPPINGS[description["of"]]((k, decode_nest(v)) for k, v in description["dict"])
    if "tuple" in description:
        return tuple(decode_nest(v) for v in description["tuple"])
    if "list" in description:
        return [decode_nest(v) for v in description["list"]]
    if "namedtuple" in description:
        return _named_tuple(description["of"])(*[decode_nest(v) for v in description["namedtuple"]])
    return _decode_spec(description)


def _key(key: "Any") -> "Any":
    if not kinds.is_just(key, str, int, bool):  # a member of an IntEnum would come back as a number
        raise NotEncodable(f"it returns a dictionary with a key of {kinds.qualified(type(key))}")
    return key


def _literal(value: "Any") -> "Any":
    if value is not None and not kinds.is_just(value, bool, int, float, str):
        raise NotEncodable(f"it returns an object of {kinds.qualified(type(value))}")
    return value


def _class_name(cls: "Any", known: "dict[str, Any]") -> str:
    for name, candidate in known.items():
        if cls is candidate:
            return name
    raise NotEncodable(f"it returns a {getattr(cls, '__name__', cls)}")


def _named_tuple_name(cls: "Any") -> "list[Any]":
    for attribute in (cls.__qualname__, _OF_OPERATIONS.format(cls.__qualname__)):
        name = [cls.__module__, attribute, list(cls._fields)]
        if _find(name) is cls:
            return name
    raise NotEncodable(f"it returns the named tuple {cls.__qualname__}, which its module does not hold")


def _named_tuple(name: "list[Any]") -> "Any":
    cls = _find(name)
    if cls is None or list(cls._fields) != name[2]:
        raise NotEncodable(f"the named tuple {name[1]} has changed")
    return cls


def _find(name: "list[Any]") -> "Any":
    found = sys.modules.get(name[0])
    for part in name[1].split("."):
        found = getattr(found, part, None)
    return found
