"""MPFR contexts for one evaluation, and the loop that brackets an irrational value until it is decided."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import gmpy2

from clmath.callables import AnyFunction
from clmath.numbers.formats import Format

exactly = gmpy2.context(precision=53).plus  # a double in MPFR; the constructor takes ten times as long
_GUARD = 24  # bits beyond the target that the first approximation has
_SLACK = 8  # all bits of an approximation are right except this many

Context: TypeAlias = Any
"""A context of gmpy2, which has no types: a precision and a rounding, and functions as its methods."""

Mpfr: TypeAlias = Any
"""A number of gmpy2, which ``.rc`` tells to be exact; a Python float or int where the result always is exact."""

Function = TypeVar("Function", bound="AnyFunction")

DEFINITIONS: dict[str, AnyFunction] = {}
"""Built-ins for which MPFR has no function, by name: functions of an ``Arithmetic`` and the arguments."""


def definition(function: Function) -> Function:
    """Add ``function``, which has the built-in's name, to ``DEFINITIONS``."""
    DEFINITIONS[function.__name__] = function
    return function


@dataclass(frozen=True)
class Arithmetic:
    """Contexts in which an operation on numbers of ``form`` is evaluated with ``precision`` bits.

    MPFR's functions are correctly rounded and say whether they had to round: a truncated result and that fact
    (``.rc`` is not 0) are the exact value rounded to odd. ``downward`` turns every rounding downward; it serves to
    find the zeros whose sign depends on the mode.
    """

    form: Format
    precision: int
    downward: bool = False

    @cached_property
    def target(self) -> Context:
        """The context that results come from."""
        mode = gmpy2.RoundDown if self.downward else gmpy2.RoundToZero
        return gmpy2.context(precision=self.precision, round=mode)

    @cached_property
    def exact(self) -> Context:
        """A context wide enough for sums of products of up to three differences, which raises an error on rounding."""
        width = 3 * (self.form.emax - self.form.quantum) + 64
        mode = gmpy2.RoundDown if self.downward else gmpy2.RoundToNearest
        return gmpy2.context(precision=width, round=mode, trap_inexact=True)

    @cached_property
    def truncating(self) -> Context:
        """A context with more bits than numbers of the target and of the format, which truncates."""
        precision = max(self.target.precision, self.form.precision) + _GUARD
        return gmpy2.context(precision=precision, round=gmpy2.RoundToZero)

    def constant(self, value: float) -> Mpfr:
        """A special value."""
        return exactly(value)


def decided(on: Arithmetic, approximate: Callable[[Context], Mpfr]) -> Mpfr:
    """The irrational value that ``approximate(context)`` is near to, truncated to the target, ``.rc`` telling so.

    An approximation errs by less than 2^(8 - precision) of itself. The value must not be representable in
    any number of bits: otherwise its two sides never truncate alike.
    """
    precision = on.target.precision + _GUARD
    while True:
        found = decided_at(on, precision, approximate)
        if found is not None:
            return found
        precision *= 2


def decided_at(on: Arithmetic, precision: int, approximate: Callable[[Context], Mpfr]) -> Mpfr:
    """As ``decided``, from one approximation of ``precision`` bits; None if that does not decide."""
    target = on.target
    wide = _rounding_to_nearest(precision)
    middle = approximate(wide)
    radius = wide.div_2exp(middle, precision - _SLACK)
    outer, inner = target.add(middle, radius), target.sub(middle, radius)
    return outer if inner == outer else None


def divided_to(precision: int, x: object, y: object) -> Mpfr:
    """The quotient x/y rounded to ``precision`` bits; its ``.rc`` is 0 if it is exact."""
    return _rounding_to_nearest(precision).div(x, y)


def inward(on: Arithmetic, value: object) -> Mpfr:
    """Return ``value`` moved toward zero by too little to be seen, truncated to the target.

    For an exact value next to ``value``, which has at most two bits more than the target.
    """
    precision = on.target.precision
    return on.target.sub(value, _rounding_to_nearest(precision + 2).div_2exp(value, precision + 16))


@functools.lru_cache(maxsize=256)
def _rounding_to_nearest(precision: int) -> Context:
    return gmpy2.context(precision=precision, round=gmpy2.RoundToNearest)
