"""The names of compiled loops of elementwise functions: the function's name and the names of its types."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from clmath.callables import AnyFunction
from clmath.direct.integers import unsigned
from clmath.numbers.datatypes import type_name

# Arguments of which a loop only sees the bits, so that signed types, floating-point formats and bool share the loop of
# the unsigned type: values that are moved, or whose low bits alone count
_MOVED = {
    "bitselect": (0, 1, 2),
    "select": (0, 1, 2),
    "select_by_sign": (0, 1),
    "conditional": (1, 2),
    "left_shift": (0, 1),
    "right_shift": (1,),
}
_RESULTS = frozenset({"bitselect", "select", "select_by_sign", "conditional", "left_shift"})
_ZEROS = frozenset({"equal", "not_equal", "logical_and", "logical_or", "logical_not", "conditional"})
_VECTORS = "_of_vectors"


def label(function: AnyFunction, inputs: Sequence[np.dtype], output: np.dtype) -> str:
    """Return the name of the loop of ``function`` for these native types: clz_int, less_float_int, abs_int_uint.

    Types that follow each other are named once.
    """
    name = function.__name__
    taken, given = types_of_loop(name, inputs, output)
    return "_".join([name, *(type_name(dtype) for dtype, _ in itertools.groupby([*taken, given]))])


def types_of_loop(name: str, inputs: Sequence[np.dtype], output: np.dtype) -> tuple[list[np.dtype], np.dtype]:
    """Return the types for which the loop is compiled that serves these."""
    moved, compared = _MOVED.get(name, ()), name.removesuffix(_VECTORS) in _ZEROS
    taken = [
        unsigned(dtype) if i in moved or (compared and dtype.kind != "f") else dtype for i, dtype in enumerate(inputs)
    ]
    return taken, unsigned(output) if name in _RESULTS else output
