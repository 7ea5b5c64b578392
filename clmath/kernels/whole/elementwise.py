"""Elementwise functions of arrays whose NumPy code is compiled to loops, and the types of each.

Built-ins of the integer and relational chapters, operators of expressions, and conversions that C's casts are.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from clmath.callables import AnyFunction
from clmath.direct import expressions, integers, relational
from clmath.direct.conversions import conversion, is_move
from clmath.direct.conversions import label as label_of_conversion
from clmath.direct.labels import label, types_of_loop
from clmath.numbers.datatypes import INTEGERS, SCALARS, declared
from clmath.numbers.formats import FORMATS
from clmath.spec.builtins import builtins

__all__ = ["Elementwise", "elementwise"]

_INT, _BOOL = SCALARS["int"], SCALARS["bool"]
_FLOATS = tuple(form.dtype for form in FORMATS)
_INTEGERS = tuple(INTEGERS.values())
_PROMOTED = tuple(INTEGERS[name] for name in ("int", "uint", "long", "ulong"))
_ALL = tuple(SCALARS.values())
_CAST_TO = (SCALARS["float"], SCALARS["double"])  # by C; the rounding to half is our own


class Elementwise(NamedTuple):
    """A function of arrays, the types that it takes, and the type of its results."""

    function: AnyFunction
    inputs: tuple[np.dtype, ...]
    output: np.dtype


def elementwise() -> Iterator[tuple[str, Elementwise]]:
    """All of them by label; several signatures may share a loop, which comes more than once."""
    for function, inputs, output in itertools.chain(_of_integers(), _tests(), _choices(), _operators()):
        taken, given = types_of_loop(function.__name__, inputs, output)
        yield label(function, inputs, output), Elementwise(function, tuple(taken), given)
    yield from _casts()


_Signatures: TypeAlias = "Iterator[tuple[AnyFunction, tuple[np.dtype, ...], np.dtype]]"


def _of_integers() -> _Signatures:
    """The integer chapter, except functions of vectors."""
    for row in builtins("integer").values():
        has_gentype = any(p.type == "gentype" for p in row.inputs)
        for type in () if row.widths else row.types if has_gentype else row.types[:1]:
            gentype = INTEGERS[type]
            inputs = tuple(declared(p.type, gentype) for p in row.inputs)
            yield getattr(integers, row.name), inputs, declared(row.result, gentype)


def _tests() -> _Signatures:
    """Tests of numbers: true is 1 in int, True, or -1 in a type as wide; NumPy has the tests of integers that return
    bool.
    """
    for test in (*relational.COMPARISONS, *relational.TESTS):
        count = 1 if test in relational.OF_ONE else 2
        for dtype in (*_FLOATS, *(_INTEGERS if test in relational.COMPARISONS else ())):
            inputs = (dtype,) * count
            yield relational.as_vectors(test), inputs, np.dtype(f"i{dtype.itemsize}")
            if dtype in _FLOATS:
                yield test, inputs, _BOOL
            if dtype in (*_FLOATS, *_PROMOTED):
                yield test, inputs, _INT


def _choices() -> _Signatures:
    """Choices by bits, or by truth values of the same width, or of any type."""
    for dtype in _INTEGERS:
        size = dtype.itemsize
        yield relational.bitselect, (dtype,) * 3, dtype
        yield relational.select_by_sign, (dtype, dtype, np.dtype(f"i{size}")), dtype
        for condition in (np.dtype(f"i{size}"), _BOOL):
            yield relational.select, (dtype, dtype, condition), dtype
        for condition in _ALL:
            yield relational.conditional, (condition, dtype, dtype), dtype


def _operators() -> _Signatures:
    """Operators of integers that NumPy does not have."""
    for dtype in _INTEGERS:
        for function in (expressions.quotient, expressions.remainder):
            yield function, (dtype, dtype), dtype
        for function, count in itertools.product((expressions.left_shift, expressions.right_shift), _INTEGERS):
            yield function, (dtype, count), dtype


def _casts() -> Iterator[tuple[str, Elementwise]]:
    """Conversions that C's casts do, from integers to numbers and from numbers to bool; saturated conversions of
    integers.
    """
    for source, target in itertools.product(_ALL, _ALL):
        saturates = target.kind in "iu" and source.kind in "biu" and not is_move(source, target, sat=True)
        to_number = target in _CAST_TO and source.kind != "f"
        if saturates or to_number or (target.kind == "b" and source.kind == "f"):
            function = conversion(source, target, "rte", sat=saturates)
            key = label_of_conversion(source, target, "rte", sat=saturates)
            yield key, Elementwise(function, (source,), target)
