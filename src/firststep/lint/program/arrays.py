"""How large a NumPy array is, where the source tells the shape that it is made with."""

from __future__ import annotations

import ast
import math
from typing import NamedTuple

from firststep.lint.program import Program
from firststep.lint.program.functions import value_of
from firststep.lint.program.values import DEEP, argument, integer

ITEM_SIZE = {"float16": 2, "float32": 4, "float64": 8, "int8": 1, "uint8": 1, "bool": 1, "int16": 2, "uint16": 2, "int32": 4,
             "uint32": 4, "int64": 8, "uint64": 8, "float": 8, "int": 8, "complex64": 8, "complex128": 16}
DEFAULT = "float64"  # of a fresh array


class ArrayMaker(NamedTuple):
    """How a function says the shape, by place or as a keyword, and the type; dtype: what it makes unless it is told."""

    place: int
    keyword: str
    dtype_at: int | None = None
    dtype: str = DEFAULT


MAKERS = {  # of the module numpy
    "zeros": ArrayMaker(0, "shape", 1), "ones": ArrayMaker(0, "shape", 1), "empty": ArrayMaker(0, "shape", 1),
    "full": ArrayMaker(0, "shape", 2),
    "arange": ArrayMaker(0, "stop", dtype="int64"),
    "random.random": ArrayMaker(0, "size"), "random.random_sample": ArrayMaker(0, "size"), "random.standard_normal": ArrayMaker(0, "size"),
    "random.uniform": ArrayMaker(2, "size"), "random.normal": ArrayMaker(2, "size"), "random.randint": ArrayMaker(2, "size", 3, "int64"),
}
SPREAD = {"random.rand", "random.randn"}  # each dimension is an argument
GENERATORS = ("numpy.random.default_rng", "numpy.random.RandomState")
GENERATED = {  # methods of what these make
    "random": ArrayMaker(0, "size", 1), "standard_normal": ArrayMaker(0, "size", 1), "normal": ArrayMaker(2, "size"),
    "uniform": ArrayMaker(2, "size"), "integers": ArrayMaker(2, "size", 3, "int64"),
    "randint": ArrayMaker(2, "size", 3, "int64"),
}
SAME_SIZE = {"astype", "reshape", "copy", "squeeze", "transpose"}  # methods of an array
SAME_SIZE_OF = {"asarray", "array", "ascontiguousarray", "copy", "expand_dims", "reshape", "transpose"}  # functions of one
TYPED_AT = {"asarray": 1, "array": 1, "ascontiguousarray": 1}  # where these take the type


class Array(NamedTuple):
    elements: int
    dtype: str

    @property
    def bytes(self) -> int:
        return self.elements * ITEM_SIZE[self.dtype]


def array_bytes(program: Program, expression: ast.AST | None) -> int | None:
    """The size in bytes of what an expression comes to; None where that is no array whose shape the source tells."""
    found = _array(program, expression, DEEP)
    return None if found is None else found.bytes


def _array(program: Program, expression: ast.AST | None, deep: int) -> Array | None:
    expression = value_of(expression)
    if not deep or expression is None:
        return None
    if isinstance(expression, ast.BinOp):
        return _calculated(program, expression, deep - 1)
    if not isinstance(expression, ast.Call) or not isinstance(expression.func, ast.Attribute):
        return None
    name = program.name(expression.func) or ""
    if not name.startswith("numpy."):
        return _of_method(program, expression, expression.func, deep - 1)
    return _of_numpy(program, expression, name.removeprefix("numpy."), deep - 1)


def _calculated(program: Program, expression: ast.BinOp, deep: int) -> Array | None:
    """Of an array and a number, or of two arrays: as many elements as the larger has."""
    left, right = (_array(program, side, deep) for side in (expression.left, expression.right))
    found = max((side for side in (left, right) if side is not None), key=lambda side: side.bytes, default=None)
    if found is None or None in (left, right) and not any(_is_number(side) for side in (expression.left, expression.right)):
        return None
    whole = "int" in found.dtype or found.dtype == "bool"
    floats = isinstance(expression.op, ast.Div) or any(_is_float(side) for side in (expression.left, expression.right))
    return Array(found.elements, DEFAULT) if whole and floats else found


def _is_number(side: ast.AST) -> bool:
    return integer(side) is not None or _is_float(side)


def _is_float(side: ast.AST) -> bool:
    value = value_of(side)
    return isinstance(value, ast.Constant) and isinstance(value.value, float)


def _of_method(program: Program, call: ast.Call, method: ast.Attribute, deep: int) -> Array | None:
    if method.attr in SAME_SIZE:
        inner = _array(program, method.value, deep)
        return inner and _as(program, inner, argument(call, 0, "dtype") if method.attr == "astype" else None)
    owner = value_of(method.value)
    if method.attr in GENERATED and isinstance(owner, ast.Call) and program.name(owner.func) in GENERATORS:
        return _made(program, call, GENERATED[method.attr])
    return None


def _of_numpy(program: Program, call: ast.Call, name: str, deep: int) -> Array | None:
    if name in SPREAD:
        elements = _product(ast.Tuple(call.args)) if call.args else None
        return None if elements is None else Array(elements, DEFAULT)
    if name in MAKERS:
        return None if name == "arange" and len(call.args) != 1 else _made(program, call, MAKERS[name])
    if name in SAME_SIZE_OF or name in ITEM_SIZE:
        inner = _array(program, call.args[0], deep) if call.args else None
        return inner and (Array(inner.elements, name) if name in ITEM_SIZE else
                          _as(program, inner, argument(call, TYPED_AT.get(name), "dtype")))
    return None


def _made(program: Program, call: ast.Call, maker: ArrayMaker) -> Array | None:
    elements = _product(argument(call, maker.place, maker.keyword))
    return None if elements is None else _as(program, Array(elements, maker.dtype), argument(call, maker.dtype_at, "dtype"))


def _as(program: Program, found: Array, dtype: ast.AST | None) -> Array | None:
    if dtype is None:
        return found
    name = str(dtype.value) if isinstance(dtype, ast.Constant) else (program.name(dtype) or "").split(".")[-1]
    return Array(found.elements, name) if name in ITEM_SIZE else None


def _product(shape: ast.AST | None) -> int | None:
    shape = value_of(shape)
    if isinstance(shape, (ast.Tuple, ast.List)):
        numbers = [integer(element) for element in shape.elts]
        return math.prod(number for number in numbers if number) if numbers and all(numbers) else None
    return integer(shape)
