"""Kernels on single numbers: their statements in Python's floats, where arrays of one lane cost the most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from clmath.engines.written import written
from clmath.ir.program import Tables
from clmath.ir.trace import trace
from clmath.locks import once
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.callables import AnyFunction
    from clmath.ir.program import Kind
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.reference.in_format import InFormat

__all__ = ["on_numbers", "rounded"]


@once
def on_numbers(kernel: Kernel) -> Callable[..., tuple[Any, ...]]:
    """``kernel`` with its exact results found, from Python floats to the parts of each result's enclosure."""
    inputs: list[Kind] = ["double"] * len(builtin(kernel.name).inputs)
    parts: list[Kind] = ["long" if part == "exponent" else "double" for part in kernel.parts]
    function = _of_numbers(kernel.function, inputs, parts)
    if kernel.record.ordinary is not None:
        holds, ordinary = kernel.record.ordinary
        function = _either(_of_numbers(holds, inputs, ["bool"]), _of_numbers(ordinary, inputs, parts), function)
    if kernel.record.refine is None:
        return function
    refine = _of_numbers(kernel.record.refine, inputs + parts, parts)
    return lambda *args: refine(*args, *function(*args))


def _of_numbers(function: AnyFunction, inputs: list[Kind], outputs: list[Kind]) -> AnyFunction:
    tables = Tables()
    return written(function.__name__, trace(function, inputs, outputs, tables, machine="python"), tables)


def _either(holds: AnyFunction, ordinary: AnyFunction, general: AnyFunction) -> AnyFunction:
    return lambda *args: ordinary(*args) if holds(*args) else general(*args)


def rounded(kernel: Kernel, form: Format, mode: Rounding) -> AnyFunction:
    """``kernel``, which has one result, from Python numbers to its value rounded to ``form``: None where undecided."""
    from clmath.reference.in_format import InFormat

    on = InFormat(form, form.precision, mode=mode)
    return (_of_pairs if "exponent" in kernel.parts else _of_doubles)(on_numbers(kernel), on)


def _of_doubles(bounds: AnyFunction, on: InFormat) -> AnyFunction:
    """Of a narrow format: ``hi`` ± ``err`` are doubles, which the bound allows to be rounded."""
    to_format = on.target.plus

    def of_number(*args: float) -> Any:
        try:
            hi, err = bounds(*args)
        except (ArithmeticError, ValueError):
            return None
        if not (hi - hi == 0.0 and hi):  # a zero, an infinity or NaN is exact
            return hi
        below = to_format(hi - err)
        return float(below) if not err or below == to_format(hi + err) else None

    return of_number


def _of_pairs(bounds: AnyFunction, on: InFormat) -> AnyFunction:
    """Of double: each end is a sum that MPFR rounds once, with its exponent."""
    add, scaled = on.target.add, _scaling(on)

    def of_number(*args: float) -> Any:
        try:
            hi, lo, err, exponent = bounds(*args)
        except (ArithmeticError, ValueError):
            return None
        if not (hi - hi == 0.0 and hi):
            return hi
        if exponent:
            below = scaled(hi, lo - err, exponent)
            return below if not err or below == scaled(hi, lo + err, exponent) else None
        below = add(hi, lo - err)
        return float(below) if not err or below == add(hi, lo + err) else None

    return of_number


def _scaling(on: InFormat) -> Callable[[float, float, int], float]:
    """The function of hi, lo and exponent that rounds (hi + lo) 2^exponent, 2^-500 <= |hi| <= 2^500, once."""
    add, far = on.target.add, {}
    for sign in (False, True):  # what lies beyond all of double, or far below the smallest
        for exponent in (-2000, 2000):
            far[sign, exponent > 0] = float(on.sum_at(1.0 if sign else -1.0, 0.0, exponent))

    def scaled(hi: float, lo: float, exponent: int) -> float:
        above = math.frexp(hi)[1] + exponent  # the number lies below 2^above, and above 2^(above - 2)
        if -1018 < above <= 1024:
            try:
                return math.ldexp(float(add(hi, lo)), exponent)
            except OverflowError:  # rounded up to 2^1024
                pass
        if -1080 < above < 1027:
            return float(on.sum_at(hi, lo, exponent))
        return far[hi > 0.0, above > 0]

    return scaled
