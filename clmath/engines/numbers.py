"""Kernels on single numbers: their statements in Python's floats, where arrays of one lane cost the most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gmpy2

from clmath.engines.device.program import Tables
from clmath.engines.device.trace import trace
from clmath.engines.locks import once
from clmath.engines.written import written
from clmath.reference.number import InFormat
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.engines.device.program import Kind
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["on_numbers", "rounded"]

_EXACT = gmpy2.context(precision=400)  # holds every hi + lo: lo is 0 or at least 2^-200 |hi| in size


@once
def on_numbers(kernel: Kernel) -> Callable[..., tuple[Any, ...]]:
    """``kernel`` with its exact results found, from Python floats to the parts of each result's enclosure."""
    inputs: list[Kind] = ["double"] * len(builtin(kernel.name).inputs)
    parts: list[Kind] = ["long" if part == "exponent" else "double" for part in kernel.parts]
    function = _of_numbers(kernel.function, inputs, parts)
    if kernel.ordinary_functions is not None:
        holds, ordinary = kernel.ordinary_functions
        function = _either(_of_numbers(holds, inputs, ["bool"]), _of_numbers(ordinary, inputs, parts), function)
    if kernel.refining_function is None:
        return function
    refine = _of_numbers(kernel.refining_function, inputs + parts, parts)
    return lambda *args: refine(*args, *function(*args))


def _of_numbers(function: Callable[..., Any], inputs: list[Kind], outputs: list[Kind]) -> Callable[..., Any]:
    tables = Tables()
    return written(function.__name__, trace(function, inputs, outputs, tables, machine="python"), tables)


def _either(holds: Callable[..., Any], ordinary: Callable[..., Any], general: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: ordinary(*args) if holds(*args) else general(*args)


def rounded(kernel: Kernel, form: Format, mode: Rounding) -> Callable[..., Any]:
    """``kernel``, which has one result, from Python numbers to its value rounded to ``form``: None where undecided."""
    target = InFormat(form, form.precision, mode=mode).target
    return (_of_pairs if "exponent" in kernel.parts else _of_doubles)(on_numbers(kernel), target)


def _of_doubles(bounds: Callable[..., Any], target: Any) -> Callable[..., Any]:
    """Of a narrow format: ``hi`` ± ``err`` are doubles, which the bound allows to be rounded."""
    to_format = target.plus

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


def _of_pairs(bounds: Callable[..., Any], target: Any) -> Callable[..., Any]:
    """Of double: each end is a sum that MPFR rounds once, with its exponent."""
    add = target.add

    def of_number(*args: float) -> Any:
        try:
            hi, lo, err, exponent = bounds(*args)
        except (ArithmeticError, ValueError):
            return None
        if not (hi - hi == 0.0 and hi):
            return hi
        if exponent:
            below = _scaled(target, hi, lo - err, exponent)
            return below if not err or below == _scaled(target, hi, lo + err, exponent) else None
        below = add(hi, lo - err)
        return float(below) if not err or below == add(hi, lo + err) else None

    return of_number


def _scaled(target: Any, hi: float, lo: float, exponent: int) -> float:
    """The number (hi + lo) 2^exponent, 2^-500 <= |hi| <= 2^500, rounded once."""
    if -500 < exponent < 500:
        return float(target.add(hi, lo)) * 2.0**exponent
    return float(target.mul(_EXACT.add(hi, lo), _EXACT.exp2(exponent)))
